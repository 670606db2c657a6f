"""Nothing is acknowledged before the store was found durable, and nothing after it no longer is."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.auth.api_keys import SCOPES, new_key
from service.bootstrap import bootstrap
from service.http.app import create_app
from service.matches.play import Play
from service.redis_store import durability
from service.redis_store.api_keys import RedisApiKeys
from service.redis_store.client import connect
from service.redis_store.journal import RedisJournal
from service.store.journal import Accepted, OutcomeUnknownError, StoreNotDurableError, StoreUnavailableError
from tests.servers import TcpServer, until
from tests.service.http.table import lay, problem
from tests.service.redis_store.appends import appending

TABLE = {"game": "whatnot", "seats": [{"name": "Ann"}, {"name": "Bob"}]}
DURABLE = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
LACKING = {"appendonly": "no", "appendfsync": "everysec", "maxmemory-policy": "allkeys-lru"}
each_setting = pytest.mark.parametrize("setting", LACKING)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TcpServer]:
    """A durable store of the test's own."""
    with TcpServer(tmp_path) as server:
        yield server


@pytest.fixture
def admin(store: TcpServer) -> Iterator[Any]:
    """Who changes the store's settings."""
    with closing(connect(store.url)) as client:
        yield client


@pytest.fixture
def own_journal(store: TcpServer) -> Iterator[RedisJournal]:
    """A process's journal on that store."""
    with closing(connect(store.url)) as client:
        yield RedisJournal(client)


@pytest.fixture
def service(own_journal: RedisJournal) -> FlaskClient:
    """A service on that store."""
    return create_app(bootstrap(own_journal.client, play=Play(own_journal))).test_client()


def kept(admin: Any) -> set[bytes]:
    """What is in the store, but for what a deployment writes once for itself."""
    return set(admin.keys()) - {b"deployment"}


def refusal(answer: Any) -> str:
    """What a write was refused with, for want of a durable store."""
    return str(problem(answer, 503, "store_unavailable")["detail"])


@each_setting
def test_a_write_is_refused_by_the_name_of_the_setting_until_the_store_is_durable(
    service: FlaskClient, admin: Any, setting: str
) -> None:
    admin.config_set(setting, LACKING[setting])
    assert f"{setting} is {LACKING[setting]}, not {DURABLE[setting]}" in refusal(
        service.post("/v1/matches", json=TABLE)
    )
    assert kept(admin) == set()
    assert service.get("/v1/matches").status_code == 200, "reads go on"
    admin.config_set(setting, DURABLE[setting])
    until(lambda: service.post("/v1/matches", json=TABLE).status_code == 201, 5)


def test_keys_webhooks_and_tickets_are_not_promised_either(
    service: FlaskClient, own_journal: RedisJournal, admin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durability, "RECHECK_INTERVAL_S", 0.0)
    ring = RedisApiKeys(own_journal.client)
    key = {"Authorization": f"Bearer {new_key(ring, 'first', SCOPES, 0)[1]}"}
    table = lay(service, Play(own_journal))
    admin.config_set("appendfsync", "everysec")
    before = kept(admin)
    for path, body, who in (
        ("/v1/webhooks", {"url": "https://8.8.8.8/"}, key),
        (f"{table.url}/tickets", None, table.bearer("seat:0")),
        (f"{table.url}/tokens", None, table.bearer("host")),
    ):
        assert "appendfsync" in refusal(service.post(path, json=body, headers=who)), path
    with pytest.raises(StoreNotDurableError):
        new_key(ring, "second", SCOPES, 0)
    assert kept(admin) == before
    assert len(ring.every()) == 1


@each_setting
def test_a_setting_that_changes_while_the_service_runs_is_noticed(
    own_journal: RedisJournal, admin: Any, setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durability, "RECHECK_INTERVAL_S", 0.1)
    assert own_journal.append(appending("m_one")) == Accepted()
    admin.config_set(setting, LACKING[setting])

    def refused() -> bool:
        with suppress(StoreNotDurableError):
            return own_journal.append(appending(f"m_{admin.incr('n')}")) != Accepted()
        return True

    until(refused, 5)


def test_a_connection_to_another_server_is_not_trusted_before_it_was_asked(
    store: TcpServer, own_journal: RedisJournal
) -> None:
    assert own_journal.append(appending("m_one")) == Accepted()
    store.stop()
    store.options["appendfsync"] = "everysec"
    store.start()
    with pytest.raises(OutcomeUnknownError):
        own_journal.append(appending("m_two"))  # the old connection
    with pytest.raises(OutcomeUnknownError):
        own_journal.append(appending("m_three"))  # a new one, made by the append itself
    assert own_journal.head("m_three").version == 1, "it is there, and nobody was told that it will stay"
    with pytest.raises(StoreNotDurableError):
        own_journal.append(appending("m_four"))


def test_a_store_that_cannot_be_reached_has_changed_nothing_and_is_used_once_it_is_there(
    store: TcpServer, own_journal: RedisJournal
) -> None:
    store.stop()
    with pytest.raises(StoreUnavailableError):
        own_journal.append(appending("m_one"))
    store.start()

    def accepted() -> bool:
        with suppress(StoreUnavailableError):
            return own_journal.append(appending("m_one")) == Accepted()
        return False

    until(accepted, 5)


@pytest.mark.parametrize("fsync", ["always", "everysec"])
def test_a_flood_of_writes_does_not_ask_more_often(own_journal: RedisJournal, admin: Any, fsync: str) -> None:
    admin.config_set("appendfsync", fsync)

    def write(number: int) -> None:
        with suppress(StoreNotDurableError):
            own_journal.append(appending(f"m_{number}"))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, range(200)))
        admin.config_resetstat()
        list(threads.map(write, range(200, 600)))
    asked = admin.info("commandstats").get("cmdstat_config|get", {"calls": 0})["calls"]
    assert asked <= 3


def test_a_store_that_may_not_be_asked_is_vouched_for_by_the_operator(store: TcpServer, admin: Any) -> None:
    admin.acl_setuser(
        "app", enabled=True, nopass=True, categories=["+@all"], commands=["-config"], keys=["*"]
    )
    with closing(connect(store.url.replace("//", "//app:x@"))) as client:
        assert RedisJournal(client).append(appending("m_one")) == Accepted()
