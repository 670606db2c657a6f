"""The journals that one contract is held against: memory, a real server, a real cluster of three."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

import pytest

from service.redis_store.client import connect
from service.redis_store.journal import RedisJournal
from service.store.journal import Journal
from service.store.memory_journal import MemoryJournal
from tests.servers import HOST, TcpServer, three_node_cluster
from tests.service.redis_store.appends import every_node
from tests.service.redis_store.counting import Counted, counting


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sequence[TcpServer]]:
    """Three real servers that form one cluster."""
    with three_node_cluster(tmp_path_factory.mktemp("cluster")) as servers:
        yield servers


@pytest.fixture
def cluster_journal(cluster: Sequence[TcpServer]) -> Iterator[RedisJournal]:
    """A journal on the real cluster, empty."""
    client: Any = connect(f"redis+cluster://{HOST}:{cluster[0].port}")
    with closing(client):
        on_cluster = RedisJournal(client)
        client.flushall(**every_node(on_cluster))
        yield on_cluster


@pytest.fixture(params=["server", "cluster"])
def stored_journal(request: pytest.FixtureRequest) -> RedisJournal:
    """Each journal that outlives its process."""
    name = {"server": "journal", "cluster": "cluster_journal"}[request.param]
    found: RedisJournal = request.getfixturevalue(name)
    return found


@pytest.fixture(params=["memory", "server", "cluster"])
def any_journal(request: pytest.FixtureRequest) -> Journal:
    """Each journal there is."""
    if request.param == "memory":
        return MemoryJournal()
    found: Journal = request.getfixturevalue(
        {"server": "journal", "cluster": "cluster_journal"}[request.param]
    )
    return found


@pytest.fixture
def counted(stored_journal: RedisJournal) -> Counted:
    """Counts what a piece of work costs the journal's servers, in commands."""
    return counting(stored_journal.client)
