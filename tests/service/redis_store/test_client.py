"""Connections to a store: nothing is sent twice, what is lost is said to be, what is unsafe is named."""

import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
import redis
from redis import Redis

from service.redis_store import client as client_module
from service.redis_store.client import connect
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from service.store.journal import Accepted, OutcomeUnknownError, StoreUnavailableError
from tests.servers import HOST, TcpServer, until
from tests.service.redis_store.appends import appending, head_after

MATCH = "m_one"


@contextmanager
def held(servers: Sequence[EmbeddedServer]) -> Iterator[None]:
    """Servers that take requests and answer nothing for a while."""
    for one in servers:
        one.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for one in servers:
            one.process.send_signal(signal.SIGCONT)


def hasty(monkeypatch: pytest.MonkeyPatch, url: str) -> RedisJournal:
    """A journal that waits for an answer for a moment only."""
    monkeypatch.setattr(client_module, "TIMEOUT_S", 0.2)
    return RedisJournal(connect(url))


def deafen(client: Any) -> None:
    """Have the server do what comes over the connection in use, and answer nothing."""
    connection = client.connection_pool.get_connection()
    connection.send_command("CLIENT", "REPLY", "OFF")
    client.connection_pool.release(connection)


def owner_of(journal: RedisJournal) -> Any:
    """The client of the one server that keeps the match."""
    if isinstance(journal.client, Redis):
        return journal.client
    node = journal.client.get_node_from_key(journal.keys.of_match(MATCH, "log"))
    return journal.client.get_redis_connection(node)


@pytest.mark.parametrize("on", ["server", "cluster"])
def test_an_append_is_never_sent_twice_by_the_client(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, on: str
) -> None:
    """Without a key nobody would know the second for a repeat of the first."""
    patient: RedisJournal = request.getfixturevalue({"server": "journal", "cluster": "cluster_journal"}[on])
    server = request.getfixturevalue("server") if on == "server" else request.getfixturevalue("cluster")[0]
    impatient = hasty(
        monkeypatch, server.url if on == "server" else f"{client_module.CLUSTER}{HOST}:{server.port}"
    )
    owner, line = owner_of(patient), owner_of(impatient)
    first = appending(MATCH)
    impatient.append(first)  # the script is known, the connection is made
    owner.config_resetstat()
    deafen(line)
    with pytest.raises(OutcomeUnknownError):
        impatient.append(appending(MATCH, head_after(first)))
    assert patient.head(MATCH).version == 2
    assert owner.info("commandstats")["cmdstat_evalsha"]["calls"] == 1


def test_a_cluster_that_is_gone_altogether_is_as_unavailable_as_a_server(
    cluster: Sequence[TcpServer], cluster_journal: RedisJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient = hasty(monkeypatch, f"{client_module.CLUSTER}{HOST}:{cluster[0].port}")
    impatient.append(appending("m_first"))  # found durable
    with held(cluster):
        with pytest.raises(OutcomeUnknownError):
            impatient.append(appending(MATCH))
        with pytest.raises(StoreUnavailableError):
            impatient.head(MATCH)
        with pytest.raises(StoreUnavailableError):
            impatient.listing(None, 5)
    assert impatient.append(appending("m_other")) == Accepted()


SAFE = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
UNSAFE = {"appendonly": "no", "appendfsync": "everysec", "maxmemory-policy": "allkeys-lru"}


@pytest.mark.parametrize("setting", UNSAFE)
def test_a_server_that_could_lose_an_acknowledged_commit_is_named(
    journal: RedisJournal, setting: str
) -> None:
    assert journal.checks() == dict.fromkeys(("store", "version", "role", "durability"), "ok")
    journal.client.config_set(setting, UNSAFE[setting])
    try:
        assert journal.checks()["durability"] == f"{setting} is {UNSAFE[setting]}, not {SAFE[setting]}"
    finally:
        journal.client.config_set(setting, SAFE[setting])
    until(lambda: journal.checks()["durability"] == "ok")
    until(lambda: journal.client.info("persistence")["aof_rewrite_in_progress"] == 0)


def test_a_connection_that_lay_idle_is_looked_at_before_it_is_used_again(
    server: EmbeddedServer, journal: RedisJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "WARM_S", 0.05)
    client: Any = connect(server.url)
    number = client.client_id()
    journal.client.client_kill_filter(_id=number)  # as a server, or whatever lies between, ends idle ones
    used = client.connection_pool._warm[-1][1]
    until(lambda: time.monotonic() - used > client_module.WARM_S)
    assert client.ping()
    assert client.client_id() != number


def test_a_connection_that_was_used_a_moment_ago_is_used_again_unseen(
    server: EmbeddedServer, journal: RedisJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What makes it cheap: that it has been cut meanwhile is found out by the command, and said."""
    monkeypatch.setattr(client_module, "WARM_S", 60.0)
    client: Any = connect(server.url)
    journal.client.client_kill_filter(_id=client.client_id())
    with pytest.raises(redis.ConnectionError):
        client.ping()
    assert client.ping()


def test_threads_share_warm_connections(server: EmbeddedServer) -> None:
    client: Any = connect(server.url)
    with ThreadPoolExecutor(16) as threads:
        assert all(threads.map(lambda _: client.ping(), range(2000)))
