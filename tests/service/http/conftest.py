"""A server of a test's own, and an application over a journal in memory for what plays many whole matches."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.bootstrap import bootstrap
from service.http.app import create_app
from service.matches.play import Play
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from service.store.memory_journal import MemoryJournal
from tests.service.http.stream_reader import AT_ONCE


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[EmbeddedServer]:
    """A real server that the test may stop and start."""
    with EmbeddedServer(tmp_path) as started:
        yield started


@pytest.fixture
def quick_play() -> Play:
    """The use cases over a journal in memory: a thousand commits cost no thousand writes to a disk."""
    return Play(MemoryJournal())


@pytest.fixture
def quick_client(quick_play: Play, journal: RedisJournal) -> FlaskClient:
    """A client of the application over a journal in memory; streams end when they have sent what there is."""
    return create_app(bootstrap(journal.client, play=quick_play), AT_ONCE).test_client()
