"""Every reply of a store is one of three: done, refused with nothing changed, unknown."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from service.bootstrap import bootstrap
from service.http.app import create_app
from service.matches.play import Play
from service.redis_store.client import connect
from service.redis_store.journal import RedisJournal
from service.redis_store.replies import REFUSALS
from service.run.embedded import EmbeddedServer
from service.store.journal import Accepted, OutcomeUnknownError, StoreFullError, StoreUnavailableError
from tests.servers import until
from tests.service.http.table import lay, post, problem
from tests.service.redis_store.appends import appending, everything_in, head_after
from tests.service.redis_store.raw_server import replying

MATCH = "m_one"
FIRST = appending(MATCH, fields={"game": "whatnot", "status": "open"}, key="first", answer="1")
TABLE = {"game": "whatnot", "seats": [{"name": "Ann"}, {"name": "Bob"}]}
REST = {"ASK": "1 127.0.0.1:1", "MOVED": "1 127.0.0.1:1"}  # what the client reads of these


@pytest.fixture
def own(tmp_path: Path) -> Iterator[EmbeddedServer]:
    """A server that a test may ruin."""
    with EmbeddedServer(tmp_path) as server:
        yield server
        server.process.kill()  # with a broken disk it would not end when asked to
        server.process.wait()


@contextmanager
def journal_on(url: str) -> Iterator[RedisJournal]:
    client: Any = connect(url)
    with closing(client):
        yield RedisJournal(client)


@pytest.mark.parametrize("code", REFUSALS)
def test_what_is_refused_is_said_to_have_changed_nothing(code: str) -> None:
    reply = f"-{code} {REST.get(code, 'so says the store')}\r\n".encode()
    with replying(reply) as url, journal_on(url) as journal:
        with pytest.raises(StoreUnavailableError) as refused:
            journal.append(FIRST)
        assert isinstance(refused.value, StoreFullError) is (code == "OOM")
        if code != "WRONGTYPE":  # that is the match's own trouble
            with pytest.raises(StoreUnavailableError):
                journal.head(MATCH)
        with pytest.raises(StoreUnavailableError):
            journal.listing(None, 5)


@pytest.mark.parametrize(
    "reply", [b"-ERR oh\r\n", b"-NEVERHEARD of it\r\n", b"-no code at all\r\n", b"?\r\n"]
)
def test_a_reply_that_nobody_knows_is_an_unknown_outcome(reply: bytes) -> None:
    with replying(reply) as url, journal_on(url) as journal:
        with pytest.raises(OutcomeUnknownError):
            journal.append(FIRST)
        with pytest.raises(StoreUnavailableError):
            journal.head(MATCH)


def no_replicas(client: Any, _: Path) -> None:
    client.config_set("min-replicas-to-write", 1)


def read_only(client: Any, _: Path) -> None:
    client.replicaof("127.0.0.1", 1)


def full(client: Any, _: Path) -> None:
    client.config_set("maxmemory", 1)


def broken_disk(client: Any, folder: Path) -> None:
    (folder / "dump.rdb").mkdir()
    client.config_set("save", "3600 1")
    client.bgsave()
    until(lambda: client.info("persistence")["rdb_last_bgsave_status"] == "err")


REAL = {
    no_replicas: "store_unavailable",
    read_only: "store_unavailable",
    full: "store_full",
    broken_disk: "store_unavailable",
}


@pytest.mark.parametrize(("spoil", "code"), REAL.items(), ids=[spoil.__name__ for spoil in REAL])
def test_a_real_store_that_takes_nothing_is_503_with_a_time_to_come_again_and_has_changed_nothing(
    own: EmbeddedServer, spoil: Any, code: str
) -> None:
    with journal_on(own.url) as journal:
        play = Play(journal)
        table = lay(create_app(bootstrap(journal.client, play=play)).test_client(), play)
        who, before = table.acting, everything_in(journal)
        spoil(journal.client, own.folder)
        for refused in (
            table.send(table.legal(who)[0], who, {"Idempotency-Key": "a-key-of-sixteen-or-more"}),
            post(table.client, "/v1/matches", TABLE),
        ):
            problem(refused, 503, code)
            assert int(refused.headers["Retry-After"]) >= 1
        assert table.get().status_code == 200, "reads go on"
        assert {key: value for key, value in everything_in(journal).items() if key in before} == before
        assert len([key for key in everything_in(journal) if b":m:" in key]) == 2


def test_a_store_that_is_busy_with_a_script_refuses(own: EmbeddedServer) -> None:
    with journal_on(own.url) as journal, journal_on(own.url) as other:
        journal.append(FIRST)
        journal.client.config_set("busy-reply-threshold", 1)
        endless = Thread(target=lambda: _swallow(other))
        endless.start()
        try:
            until(lambda: _busy(journal))
            with pytest.raises(StoreUnavailableError, match="busy"):
                journal.append(appending(MATCH, head_after(FIRST)))
        finally:
            journal.client.script_kill()
            endless.join()
        assert journal.append(appending(MATCH, head_after(FIRST))) == Accepted()


def _swallow(journal: RedisJournal) -> None:
    with pytest.raises(Exception, match="kill"):
        journal.client.eval("while true do end", 0)


def _busy(journal: RedisJournal) -> bool:
    try:
        journal.head(MATCH)
    except StoreUnavailableError:
        return True
    return False


@pytest.mark.parametrize("missing", ["xadd", "hset", "hdel", "set", "zadd", "zrem", "time", "evalsha"])
def test_a_user_without_one_of_the_rights_writes_nothing_by_halves(own: EmbeddedServer, missing: str) -> None:
    with journal_on(own.url) as journal:
        rights = ["on", ">secret", "~*", "&*", "+@all", f"-{missing}"]
        journal.client.execute_command("ACL", "SETUSER", "app", *rights)
        journal.append(FIRST)
        before = everything_in(journal)
        second = appending(
            MATCH,
            head_after(FIRST),
            key="second",
            answer="2",
            due_task="take_turn",
            fields={"game": "", "place": "0-m"},
        )
        with journal_on(own.url.replace("unix://", "unix://app:secret@")) as bound:
            with pytest.raises(StoreUnavailableError):
                bound.append(second)
            assert everything_in(journal) == before
        assert journal.append(second) == Accepted()


@pytest.mark.parametrize("name", ["feed", "public", "owed", "idle", "owned"])
def test_a_shared_key_of_another_type_stops_an_append_before_its_first_write(
    stored_journal: RedisJournal, name: str
) -> None:
    stored_journal.append(FIRST)
    key = stored_journal.keys.shared(MATCH, name)
    stored_journal.client.delete(key)
    stored_journal.client.set(key, "of another type")
    before = everything_in(stored_journal)
    with pytest.raises(StoreUnavailableError):
        stored_journal.append(appending(MATCH, head_after(FIRST), fields={"place": "0-m"}))
    assert everything_in(stored_journal) == before


def test_a_password_that_is_wrong_is_refused_and_not_an_unknown_outcome(own: EmbeddedServer) -> None:
    with (
        journal_on(own.url.replace("unix://", "unix://app:wrong@")) as journal,
        pytest.raises(StoreUnavailableError),
    ):
        journal.append(FIRST)
