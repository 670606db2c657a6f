"""What an acknowledgement is worth: with the server killed, its connection cut, or its process held."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from service.log.chain import check_chain
from service.matches.play import Play
from service.matches.requests import Request
from service.redis_store.client import connect
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from service.store.journal import Accepted, Done, OutcomeUnknownError, StoreUnavailableError
from tests.service.log.tables import choices, lay
from tests.service.redis_store.appends import appending
from tests.service.redis_store.line import Cut, Line, line_to
from tests.service.redis_store.writer import Writer

MATCH = "m_one"


ROUNDS = 6


def test_whatever_was_acknowledged_is_there_once_after_every_kill(tmp_path: Path) -> None:
    chance = random.Random(20)
    with EmbeddedServer(tmp_path) as server, Writer(RedisJournal(connect(server.url)), MATCH) as writer:
        for _ in range(ROUNDS):
            writer.wait_for(chance.randrange(1, 150))
            server.kill()
            acknowledged = list(writer.acknowledged)
            server.start()
            stored = RedisJournal(connect(server.url)).read(MATCH, 0, count=10**6)
            assert [(entry.version, entry.record) for entry in stored][: len(acknowledged)] == acknowledged
        writer.wait_for(10)
        writer.stop()
        stored = writer.journal.read(MATCH, 0, count=10**6)
    assert writer.failure is None
    assert writer.lost >= ROUNDS
    assert [(entry.version, entry.record) for entry in stored] == writer.acknowledged
    assert [entry.version for entry in stored] == list(range(1, len(stored) + 1))


def test_a_match_goes_on_over_every_kill_with_its_chain_whole(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path) as server:
        journal = RedisJournal(connect(server.url))
        loaded = lay(Play(journal), 2)
        for n in range(4):
            by, command = choices(loaded)[0]
            request = Request(by, key=f"key-{n}", fingerprint="same")
            server.kill()
            with pytest.raises(OutcomeUnknownError):
                Play(journal).do(loaded, [command], request)
            with pytest.raises(StoreUnavailableError):
                Play(journal).load(loaded.id)
            server.start()
            loaded = Play(journal).do(loaded, [command], request).loaded
            assert loaded.version == n + 2
        check_chain([entry.public() for entry in journal.read(loaded.id, 0)], loaded.id)
        assert Play(journal).load(loaded.id).hash == loaded.hash


@contextmanager
def journal_over(line: Line) -> Iterator[RedisJournal]:
    client: Any = connect(line.url)
    yield RedisJournal(client)
    client.close()


@pytest.mark.parametrize(("cut", "stored"), [("request", 0), ("answer", 1)])
def test_an_append_whose_connection_is_cut_is_unknown_and_its_repeat_tells_the_truth(
    server: EmbeddedServer, journal: RedisJournal, cut: Cut, stored: int
) -> None:
    append = appending(MATCH, key="key", answer="first")
    with line_to(server) as line, journal_over(line) as cut_off:
        cut_off.append(appending("m_other"))  # the script is known, the connection is made
        line.cut = cut
        with pytest.raises(OutcomeUnknownError):
            cut_off.append(append)
        assert len(journal.read(MATCH, 0)) == stored
        assert cut_off.append(append) == (Done("first") if stored else Accepted())
        assert cut_off.append(append) == Done("first")
    assert journal.read(MATCH, 0) == append.entries


@pytest.mark.parametrize("cut", ["request", "answer"])
def test_a_read_whose_connection_is_cut_says_that_the_store_is_unavailable(
    server: EmbeddedServer, journal: RedisJournal, cut: Cut
) -> None:
    with line_to(server) as line, journal_over(line) as cut_off:
        reads: Sequence[Any] = (
            lambda: cut_off.head(MATCH), lambda: cut_off.open(MATCH), lambda: cut_off.read(MATCH, 0),
            lambda: cut_off.answer(MATCH, "key"), lambda: cut_off.save_snapshot(MATCH, b"x"),
            lambda: cut_off.listing(None, 5), cut_off.checks,
        )  # fmt: skip
        for read in reads:
            cut_off.head(MATCH)  # the connection is made
            line.cut = cut
            with pytest.raises(StoreUnavailableError):
                read()
            read()


def test_a_move_whose_answer_was_lost_is_made_once(server: EmbeddedServer, journal: RedisJournal) -> None:
    loaded = lay(Play(journal), 2)
    by, command = choices(loaded)[0]
    request = Request(by, key="key", fingerprint="same")
    with line_to(server) as line, journal_over(line) as cut_off:
        play = Play(cut_off)
        play.load(loaded.id)
        line.cut, line.of = "answer", b"EVALSHA"
        with pytest.raises(OutcomeUnknownError):
            play.do(loaded, [command], request)
        again = play.do(loaded, [command], request)
    assert (again.replayed, again.loaded.version) == (True, 2)
    assert [entry.version for entry in journal.read(loaded.id, 0)] == [1, 2]
