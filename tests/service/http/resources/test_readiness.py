"""`/readyz` says no, and names why, where nothing can be written or nobody does what happens later."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.bootstrap import bootstrap
from service.http.app import create_app
from service.matches.play import Play
from service.redis_store import requirements
from service.redis_store.client import connect
from service.redis_store.feed import GROUP
from service.redis_store.journal import RedisJournal
from service.store import heartbeat, readiness
from service.store.heartbeat import NEEDED, RELAY, WORKER
from tests.servers import TcpServer, until
from tests.service.http.at_work import all_at_work
from tests.service.http.table import lay, problem


@pytest.fixture(autouse=True)
def every_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look writes, so that what changes is seen at once."""
    monkeypatch.setattr(heartbeat, "INTERVAL_S", 0.0)


def wrong_with(answer: TestResponse) -> dict[str, str]:
    """What is wrong, by name."""
    document = problem(answer, 503, "not_ready")
    assert all(
        f"{name}: {found}" in document["detail"]
        for name, found in document["checks"].items()
        if found != "ok"
    )
    return {name: found for name, found in document["checks"].items() if found != "ok"}


def test_a_service_with_a_durable_store_and_all_its_parts_is_ready(
    client: FlaskClient, journal: RedisJournal
) -> None:
    all_at_work(journal)
    told = client.get("/readyz")
    assert told.status_code == 200
    named = {"store", "version", "role", "durability", "write", "relay_lag", *NEEDED}
    assert told.json["checks"] == dict.fromkeys(named, "ok")
    assert told.json["figures"]["relay_lag_ms"] == told.json["figures"]["oldest_owed_ms"] == 0


@pytest.mark.parametrize("missing", NEEDED)
def test_a_service_in_which_a_part_is_not_at_work_is_not_ready(
    client: FlaskClient, journal: RedisJournal, missing: str
) -> None:
    all_at_work(journal, missing)
    assert wrong_with(client.get("/readyz")) == {missing: "not running"}


def test_a_store_that_is_full_takes_no_writes_and_the_service_is_not_ready(
    client: FlaskClient, journal: RedisJournal
) -> None:
    all_at_work(journal)
    journal.client.config_set("maxmemory", 1)
    try:
        assert wrong_with(client.get("/readyz")) == {"write": "it is full"}
    finally:
        journal.client.config_set("maxmemory", 0)
    assert client.get("/readyz").status_code == 200


def test_a_store_that_lacks_replicas_takes_no_writes(client: FlaskClient, journal: RedisJournal) -> None:
    all_at_work(journal)
    journal.client.config_set("min-replicas-to-write", 1)
    try:
        assert wrong_with(client.get("/readyz")) == {
            "write": "it takes no writes: no disk space, or no replica"
        }
    finally:
        journal.client.config_set("min-replicas-to-write", 0)


def test_a_store_that_is_too_old_is_named(
    client: FlaskClient, journal: RedisJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_at_work(journal)
    version = journal.client.info("server")["redis_version"]
    monkeypatch.setattr(requirements, "OLDEST", (99, 0))
    assert wrong_with(client.get("/readyz"))["version"].startswith(f"it is {version}, and must be 7.0")


def service_on(url: str) -> FlaskClient:
    """A service on another store than the tests' own."""
    client = connect(url)
    return create_app(bootstrap(client, play=Play(RedisJournal(client)))).test_client()


def test_a_service_on_a_read_only_replica_is_not_ready(tmp_path: Path) -> None:
    with TcpServer(tmp_path / "primary") as primary, TcpServer(tmp_path / "replica") as replica:
        client: Any = connect(replica.url)
        client.replicaof("127.0.0.1", primary.port)
        until(lambda: client.info("replication").get("master_link_status") == "up")
        wrong = wrong_with(service_on(replica.url).get("/readyz"))
        assert wrong["role"] == "it is a replica, which takes no writes"
        assert wrong["write"] == "it is a read-only replica"


def test_a_service_whose_user_has_no_right_to_write_is_not_ready(tmp_path: Path) -> None:
    with TcpServer(tmp_path) as server:
        client: Any = connect(server.url)
        client.acl_setuser(
            "reader", enabled=True, nopass=True, categories=["+@read", "+@connection"], keys=["*"]
        )
        wrong = wrong_with(service_on(server.url.replace("//", "//reader:x@")).get("/readyz"))
        assert wrong["write"] == "it does not give the rights that are needed"


def test_a_relay_that_hands_nothing_over_is_told_by_its_lag(
    client: FlaskClient, play: Play, journal: RedisJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_at_work(journal)
    monkeypatch.setattr(readiness, "LONGEST_LAG_MS", 50)
    table = lay(client, play)
    feed = journal.keys.shared(table.id, "feed")

    def behind(answer: Callable[[], TestResponse]) -> bool:
        return answer().status_code == 503

    until(lambda: behind(lambda: client.get("/readyz")))
    assert wrong_with(client.get("/readyz"))["relay_lag"].startswith("a commit has been waiting")
    taken = journal.client.xreadgroup(GROUP, "relay", {feed: ">"})[0][1]
    time.sleep(0.06)  # read, and not handed over: it is as old as before
    assert "relay_lag" in wrong_with(client.get("/readyz"))
    journal.client.xack(feed, GROUP, *(id_ for id_, _ in taken))
    assert client.get("/readyz").status_code == 200


def test_the_oldest_owed_move_is_told_and_does_not_take_all_other_matches_away(
    client: FlaskClient, play: Play, journal: RedisJournal
) -> None:
    solo = lay(client, play, 1)
    all_at_work(journal)
    owed = journal.keys.shared(solo.id, "owed")
    journal.client.zadd(owed, {solo.id: 1})
    told = client.get("/readyz")
    assert told.status_code == 200
    assert told.json["figures"]["oldest_owed_ms"] > 1_000_000_000_000


def test_asked_ever_so_often_it_writes_no_more(
    client: FlaskClient, journal: RedisJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "INTERVAL_S", 60.0)
    all_at_work(journal, WORKER, RELAY)
    journal.client.config_resetstat()
    for _ in range(20):
        client.get("/readyz")
    assert journal.client.info("commandstats")["cmdstat_zadd"]["calls"] == 1
