"""The keys that sign heads on the command line: `bricabrac signing-keys`."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from service.cli.store import opened_store
from service.clock import iso, now

if TYPE_CHECKING:
    from service.auth.signing_keys import SigningKeys


@click.group(name="signing-keys")
def signing_keys() -> None:
    """Manage the keys that sign the heads of matches. Only their public parts are ever shown."""


@signing_keys.command(name="list")
def list_keys() -> None:
    """List the keys, oldest first: id, when it began to sign, when the next one did, separated by tabs."""
    from service.auth.signing_keys import with_periods

    with _stored_keys() as keys:
        for key in with_periods(keys.history()):
            period = ("" if moment is None else iso(moment) for moment in (key.since, key.until))
            click.echo("\t".join((key.id, *period)))


@signing_keys.command()
def rotate() -> None:
    """Make a new key and print its id.

    It is published at once and signs from two minutes later on. The private part of the one before it is
    forgotten then; its public part stays published, so that what it signed can be verified for ever.
    """
    from service.auth.signing_keys import make_key

    with _stored_keys() as keys:
        made = make_key(keys, keys.history(), now())
    if made is None:
        raise click.ClickException("Another key was added at the same moment: see `signing-keys list`.")
    click.echo(made.id)
    click.echo(f"It signs from {iso(made.since or 0)} on.", err=True)


@contextmanager
def _stored_keys() -> Iterator["SigningKeys"]:
    """The kept keys; a sentence for a person if they cannot be reached."""
    from service.redis_store.signing_keys import RedisSigningKeys

    with opened_store() as client:
        yield RedisSigningKeys(client)
