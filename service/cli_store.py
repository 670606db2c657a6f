"""The store for the command line: `REDIS_URL`, or the embedded server of the data folder.

That server is the one of a running `serve`; where none runs, it is started for the moment.
"""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from environs import EnvError

if TYPE_CHECKING:
    from service.store.redis_client import Client


@contextmanager
def opened_store() -> Iterator["Client"]:
    """A client of the store; a sentence for a person if it cannot be reached."""
    from service.embedded import EmbeddedError
    from service.settings import settings
    from service.store.journal import StoreUnavailableError
    from service.store.redis_client import connect, reading

    try:
        with ExitStack() as opened:
            url = settings().redis_url or _embedded(settings().data / "valkey", opened)
            with reading():  # a cluster is connected to at once
                client = opened.enter_context(closing(connect(url)))
            yield client
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
