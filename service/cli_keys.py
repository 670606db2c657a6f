"""API keys on the command line, against `REDIS_URL` or the embedded server of the data folder.

That server is the one of a running `serve`; where none runs, it is started for the moment.
"""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import click
from environs import EnvError

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
    from service.embedded import EmbeddedError
    from service.settings import settings
    from service.store.journal import StoreUnavailableError
    from service.store.redis_client import connect, reading
    from service.store.redis_keys import RedisKeyRing

    try:
        with ExitStack() as opened:
            url = settings().redis_url or _embedded(settings().data / "valkey", opened)
            with reading():  # a cluster is connected to at once
                client = opened.enter_context(closing(connect(url)))
            yield RedisKeyRing(client)
    except (EmbeddedError, EnvError) as why:
        raise click.ClickException(str(why)) from why
    except StoreUnavailableError as why:
        raise click.ClickException(f"The store does not answer: {why}") from why


def _embedded(folder: Path, opened: ExitStack) -> str:
    from service.embedded import EmbeddedError, EmbeddedServer, running

    found = running(folder)
    if found is None:
        try:
            return opened.enter_context(EmbeddedServer(folder)).url
        except EmbeddedError:
            found = running(folder)  # somebody was quicker to start it
            if found is None:
                raise
    return found
