"""Servers for the tests: one real, durable server a test process, started on first use.

Nothing is limited here, and in the processes that are started from here, unless a test asks for it.
"""

import os
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.bootstrap import bootstrap
from service.http.app import create_app
from service.live.broadcaster import READER
from service.matches.play import Play
from service.rate_limits.policy import NAMES
from service.redis_store.client import connect
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from tests.chance import SETTING, choose_seed, fix_chance, seed_of

os.environ |= dict.fromkeys((f"LIMIT_{name.upper()}" for name in NAMES), "") | {"OPEN_BOT_MATCHES": "true"}


@pytest.hookimpl(tryfirst=True)  # before those who draw
def pytest_configure(config: pytest.Config) -> None:
    choose_seed(config)


@pytest.hookimpl(tryfirst=True)  # what its fixtures draw is the test's too
def pytest_runtest_setup(item: pytest.Item) -> None:
    fix_chance(f"{seed_of(item.config)}/{item.nodeid}")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    terminalreporter.write_line(f"All that was left to chance came from {SETTING}={seed_of(config)}.")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """A real server with the durability of production."""
    with EmbeddedServer(tmp_path_factory.mktemp("server")) as started:
        yield started


@pytest.fixture
def journal(server: EmbeddedServer) -> Iterator[RedisJournal]:
    """A journal on the real server, empty."""
    client: Any = connect(server.url)
    client.flushall()
    yield RedisJournal(client)
    client.close()


@pytest.fixture(autouse=True)
def _no_reader_is_left() -> Iterator[None]:
    """A reader of the feed reads on for half a minute: the next test may count what the store is asked."""
    yield
    for thread in threading.enumerate():
        if thread.name == READER:
            thread._target.__self__.close()  # type: ignore[attr-defined]  # the broadcaster whose loop it is


@pytest.fixture
def play(journal: RedisJournal) -> Play:
    """The use cases over the real server."""
    return Play(journal)


@pytest.fixture
def app(play: Any) -> Iterator[Flask]:
    """The application over the real server."""
    made = create_app(bootstrap(play.journal.client, play=play))
    yield made
    made.extensions["broadcaster"].close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client of the application."""
    return app.test_client()
