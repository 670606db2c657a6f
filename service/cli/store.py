"""The store for the command line: `REDIS_URL`, or the embedded server of the data folder.

That server is the one of a running `serve`; where none runs, it is started for the moment. A folder without
a store gets none: in the wrong folder, what is written would be of use to nobody.
"""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from environs import EnvError

from service.settings import Settings

if TYPE_CHECKING:
    from service.redis_store.client import Client


@contextmanager
def opened_store() -> Iterator["Client"]:
    """A client of the store, which is named on standard error; ClickException if it cannot be reached."""
    from service.redis_store.address import StoreAddressError, reach, read
    from service.redis_store.client import connect
    from service.redis_store.deployment import RedisDeployment
    from service.redis_store.replies import reading
    from service.run.embedded import EmbeddedError
    from service.settings import settings
    from service.store.deployment import OtherPartitionsError
    from service.store.journal import OutcomeUnknownError, StoreUnavailableError

    try:
        with ExitStack() as opened:
            url = settings().redis_url
            if url:
                reach("REDIS_URL", url)
                place = f"at {read('REDIS_URL', url).shown} (REDIS_URL)"
            else:
                url = _embedded(settings(), opened)
                place = f"in {settings().data.absolute()}"
            with reading():  # a cluster is connected to at once
                client = opened.enter_context(closing(connect(url)))
            RedisDeployment(client).check(settings().partitions)
            click.echo(f"Using the store {place}.", err=True)
            yield client
    except (EmbeddedError, EnvError, StoreAddressError, OtherPartitionsError) as why:
        raise click.ClickException(str(why)) from why
    except StoreUnavailableError as why:
        raise click.ClickException(f"Cannot reach the store: {why}") from why
    except OutcomeUnknownError as lost:
        raise click.ClickException(f"The store was lost and may or may not have done it: {lost}") from lost


def _embedded(settings: Settings, opened: ExitStack) -> str:
    from service.run.embedded import EmbeddedError, embedded, running

    server = embedded(settings)
    folder = server.folder
    found = running(folder)
    if found is None:
        _check_for_store(settings.data)
        try:
            return opened.enter_context(server).url
        except EmbeddedError:
            found = running(folder)  # somebody was quicker to start it
            if found is None:
                raise
    return found


def _check_for_store(data: Path) -> None:
    """ClickException where no server has ever written into a data folder."""
    from service.run.data_folder import LOG

    try:
        (data / "valkey" / LOG).stat()
    except (FileNotFoundError, NotADirectoryError):
        raise click.ClickException(
            f"There is no store in {data.absolute()}: start the service first (make run), or set DATA to its "
            "data folder, or REDIS_URL to its store."
        ) from None
    except OSError as refused:
        raise click.ClickException(
            f"The data folder {data.absolute()} cannot be read: {refused.strerror}."
        ) from refused
