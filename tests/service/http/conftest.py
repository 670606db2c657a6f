"""A server of a test's own, and an application over a journal in memory for what plays many whole matches."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.embedded import EmbeddedServer
from service.http.app import create_app
from service.play import Play
from service.store.memory_journal import MemoryJournal
from service.store.redis_journal import RedisJournal
from service.store.redis_side import redis_side
from tests.service.http.streaming import AT_ONCE


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
    return create_app(quick_play, redis_side(journal.client), AT_ONCE).test_client()
