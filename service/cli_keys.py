"""API keys on the command line: `bricabrac keys`."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from service.cli_store import opened_store
from service.clock import iso, now
from service.keys import SCOPES, KeyRing, check_name, new_key


@click.group()
def keys() -> None:
    """API keys: who may create matches, look into all of them, register webhooks."""


@keys.command()
@click.argument("name")
@click.option(
    "--scope", "scopes", multiple=True, required=True, type=click.Choice(SCOPES), help="May be repeated."
)
def add(name: str, scopes: tuple[str, ...]) -> None:
    """Make a key and print it, this once: only its SHA-256 is kept."""
    try:
        check_name(name)
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from wrong
    with _ring() as ring:
        key, shown = new_key(ring, name, scopes, now())
    click.echo(shown)
    click.echo(f"{key.id}: keep the key, it is shown this once.", err=True)


@keys.command(name="list")
def list_keys() -> None:
    """Print a line a key, oldest first: id, name, scopes, when it was made, with tabs between."""
    with _ring() as ring:
        for key in ring.every():
            click.echo("\t".join((key.id, key.name, ",".join(sorted(key.scopes)), iso(key.created))))


@keys.command()
@click.argument("id_", metavar="ID")
def revoke(id_: str) -> None:
    """Let go of a key by its id: it is good for nothing from now on."""
    with _ring() as ring:
        if not ring.revoke(id_):
            raise click.ClickException(f"There is no key {id_}.")


@contextmanager
def _ring() -> Iterator[KeyRing]:
    """The kept keys; a sentence for a person if they cannot be reached."""
    from service.store.redis_keys import RedisKeyRing

    with opened_store() as client:
        yield RedisKeyRing(client)
