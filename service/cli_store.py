"""The store for the command line: `REDIS_URL`, or the embedded server of the data folder.

That server is the one of a running `serve`; where none runs, it is started for the moment.
"""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING

import click
from environs import EnvError

from service.settings import Settings

if TYPE_CHECKING:
    from service.store.redis_client import Client


@contextmanager
def opened_store() -> Iterator["Client"]:
    """A client of the store; a sentence for a person if it cannot be reached."""
    from service.deployment import OtherPartitionsError
    from service.embedded import EmbeddedError
    from service.settings import settings
    from service.store.journal import StoreUnavailableError
    from service.store.redis_address import StoreAddressError, reach
    from service.store.redis_client import connect, reading
    from service.store.redis_deployment import RedisDeployment

    try:
        with ExitStack() as opened:
            if settings().redis_url:
                reach("REDIS_URL", settings().redis_url)
            url = settings().redis_url or _embedded(settings(), opened)
            with reading():  # a cluster is connected to at once
                client = opened.enter_context(closing(connect(url)))
            RedisDeployment(client).check(settings().partitions)
            yield client
    except (EmbeddedError, EnvError, StoreAddressError, OtherPartitionsError) as why:
        raise click.ClickException(str(why)) from why
    except StoreUnavailableError as why:
        raise click.ClickException(f"Cannot reach the store: {why}") from why


def _embedded(settings: Settings, opened: ExitStack) -> str:
    from service.embedded import EmbeddedError, embedded, running

    server = embedded(settings)
    folder = server.folder
    found = running(folder)
    if found is None:
        try:
            return opened.enter_context(server).url
        except EmbeddedError:
            found = running(folder)  # somebody was quicker to start it
            if found is None:
                raise
    return found
