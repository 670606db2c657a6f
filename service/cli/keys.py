"""API keys on the command line: `bricabrac keys`."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from service.auth.api_keys import SCOPES, ApiKeys, check_name, new_key
from service.cli.store import opened_store
from service.clock import iso, now


@click.group()
def keys() -> None:
    """Manage API keys, which can create matches, read all of them, or register webhooks."""


@keys.command()
@click.argument("name")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    required=True,
    type=click.Choice(SCOPES),
    help="A scope of the key. Can be repeated.",
)
def add(name: str, scopes: tuple[str, ...]) -> None:
    """Create an API key and print it. It is shown only once: the store keeps its SHA-256."""
    try:
        check_name(name)
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from wrong
    with _stored_keys() as keys:
        key, shown = new_key(keys, name, scopes, now())
    click.echo(shown)
    click.echo(f"{key.id}: keep the key, it is shown this once.", err=True)


@keys.command(name="list")
def list_keys() -> None:
    """List the API keys, oldest first: id, name, scopes and creation time, separated by tabs."""
    with _stored_keys() as keys:
        for key in keys.every():
            click.echo("\t".join((key.id, key.name, ",".join(sorted(key.scopes)), iso(key.created))))


@keys.command()
@click.argument("id_", metavar="ID")
def revoke(id_: str) -> None:
    """Revoke an API key by its id."""
    with _stored_keys() as keys:
        if not keys.revoke(id_):
            raise click.ClickException(f"There is no API key {id_}.")


@contextmanager
def _stored_keys() -> Iterator[ApiKeys]:
    """The kept keys; a sentence for a person if they cannot be reached."""
    from service.bootstrap import bootstrap

    with opened_store() as client:
        yield bootstrap(client).keys
