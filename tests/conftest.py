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

WAITING = ("tests/e2e/", "tests/conformance/")  # their long waits go first, beside what computes
EVERYWHERE = {"", "tests"}  # what comes from there is made once a process


@pytest.hookimpl(tryfirst=True)  # before those who draw
def pytest_configure(config: pytest.Config) -> None:
    choose_seed(config)
    config.addinivalue_line("markers", "xdist_group(name): run in one process with the others of the group")


def pytest_itemcollected(item: pytest.Item) -> None:
    if shared := sharing(item):
        item.add_marker(pytest.mark.xdist_group(shared))


@pytest.hookimpl(trylast=True)  # the order among them stays as it was drawn
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(WAITING))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """xdist 3.8 keeps a group together by its item's name, and says nothing where it cannot (issue 1386)."""
    if session.config.getoption("loadgroup", False):
        for item in session.items:
            mark = item.get_closest_marker("xdist_group")
            if mark is not None and not item.nodeid.endswith(f"@{mark.args[0]}"):
                raise pytest.UsageError(f"pytest-xdist does not keep {item.nodeid} with its group.")


def sharing(item: pytest.Item) -> str:
    """The folder or file whose tests share something slow with this one: they run in one process."""
    found = item._fixtureinfo.name2fixturedefs.values()  # type: ignore[attr-defined]
    bases = {defs[-1].baseid for defs in found if defs[-1].scope != "function"}
    return min(bases - EVERYWHERE, key=len, default="")


def name_of(item: pytest.Item) -> str:
    """The test's own name, whatever group it runs in."""
    mark = item.get_closest_marker("xdist_group")
    return item.nodeid if mark is None else item.nodeid.removesuffix(f"@{mark.args[0]}")


@pytest.hookimpl(tryfirst=True)  # what its fixtures draw is the test's too
def pytest_runtest_setup(item: pytest.Item) -> None:
    fix_chance(f"{seed_of(item.config)}/{name_of(item)}")


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
