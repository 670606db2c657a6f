"""Whatever is sent or run more than once, at once or late, by one process or many, is done once."""

import random
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from service.matches.aggregate import Aggregate
from service.matches.play import Play
from service.matches.requests import KeyReusedError, MatchNotFoundError, Request, StaleVersionError
from service.matches.revision import Revision
from service.store.journal import Journal
from tests.service.log.tables import choices, lay, move

PROCESSES = 16


@pytest.fixture
def one(any_journal: Journal) -> Play:
    """A process that serves matches."""
    return Play(any_journal)


@pytest.fixture
def other(any_journal: Journal) -> Play:
    """Another process over the same journal."""
    return Play(any_journal)


def versions(play: Play, match: str) -> list[int]:
    return [entry.version for entry in play.journal.read(match, 0)]


def test_of_many_commands_for_one_version_one_is_taken(one: Play) -> None:
    loaded = lay(one, 2)
    by, command = choices(loaded)[0]
    ready = Barrier(PROCESSES)

    def send(number: int) -> int:
        process = Play(one.journal)
        seen = process.load(loaded.id)
        ready.wait()
        try:
            ask = Request(by, key=f"{number}", expected=Revision(1))
            return process.do(seen, [command], ask).loaded.version
        except StaleVersionError as stale:
            return -stale.current.version

    with ThreadPoolExecutor(PROCESSES) as pool:
        assert sorted(pool.map(send, range(PROCESSES))) == [-2] * (PROCESSES - 1) + [2]
    assert versions(one, loaded.id) == [1, 2]


def test_a_request_sent_many_times_at_once_is_done_once_and_answered_alike(one: Play) -> None:
    loaded = lay(one, 2)
    by, command = choices(loaded)[0]
    ask, ready = Request(by, key="key", fingerprint="same"), Barrier(PROCESSES)

    def send(_: int) -> tuple[int, bytes, bool]:
        process = Play(one.journal)
        seen = process.load(loaded.id)
        ready.wait()
        result = process.do(seen, [command], ask)
        return result.loaded.version, result.entries[0].record, result.replayed

    with ThreadPoolExecutor(PROCESSES) as pool:
        answers = list(pool.map(send, range(PROCESSES)))
    assert len({(version, record) for version, record, _ in answers}) == 1
    assert [replayed for *_, replayed in answers].count(False) == 1
    assert versions(one, loaded.id) == [1, 2]


def test_a_request_sent_again_is_answered_as_the_first_time(one: Play, other: Play) -> None:
    loaded = lay(one, 4)
    by, command = choices(loaded)[0]
    ask = Request(by, key="key", fingerprint="same", expected=Revision(1))
    first = one.do(loaded, [command], ask)
    newest = move(one, first.loaded).loaded
    for play in (one, other, Play(one.journal)):
        for seen in (loaded, first.loaded, newest):
            again = play.do(seen, [command], ask)
            assert again.replayed
            assert (again.entries, again.loaded.state) == (first.entries, first.loaded.state)
    assert versions(one, loaded.id) == [1, 2, 3]


def test_a_key_that_came_with_another_request_is_refused(one: Play, other: Play) -> None:
    loaded = lay(one, 4)
    by, command = choices(loaded)[0]
    one.do(loaded, [command], Request(by, key="key", fingerprint="this"))
    for play, seen in ((one, loaded), (other, loaded), (one, one.load(loaded.id))):
        with pytest.raises(KeyReusedError):
            play.do(seen, [command], Request(by, key="key", fingerprint="that"))
    assert versions(one, loaded.id) == [1, 2]


def called(play: Play, seats: int) -> Aggregate:
    """A match that calls for a job: the rival's turn alone, the score with others."""
    loaded = lay(play, seats)
    while not loaded.state.due_task:
        loaded = move(play, loaded, random.Random(loaded.version)).loaded
    return loaded


TASKS = pytest.mark.parametrize(("seats", "task"), [(1, "take_turn"), (2, "score_match")])


@TASKS
def test_a_job_is_done_once_however_often_and_late_it_is_run(
    one: Play, other: Play, seats: int, task: str
) -> None:
    loaded = called(one, seats)
    other.load(loaded.id)
    assert loaded.state.due_task == task
    assert one.run(loaded.id, loaded.version, task)
    after = one.load(loaded.id)
    assert after.version == loaded.version + 1
    for play in (one, other, Play(one.journal)):
        assert not play.run(loaded.id, loaded.version, task)
    assert one.load(loaded.id) == after
    assert versions(one, loaded.id)[-1] == after.version


@TASKS
def test_a_job_that_the_match_does_not_call_for_changes_nothing(one: Play, seats: int, task: str) -> None:
    loaded = called(one, seats)
    for version, named in (
        (loaded.version - 1, task), (loaded.version + 1, task), (0, task),
        (loaded.version, {"take_turn": "score_match", "score_match": "take_turn"}[task]),
        (loaded.version, ""), (loaded.version, "deliver_webhook"),
    ):  # fmt: skip
        assert not one.run(loaded.id, version, named)
    assert one.load(loaded.id) == loaded


def test_a_late_job_is_not_taken_for_a_newer_one_of_its_kind(one: Play) -> None:
    first = called(one, 1)
    assert one.run(first.id, first.version, "take_turn")
    second = one.load(first.id)
    while second.state.due_task != "take_turn":
        second = move(one, second).loaded
    assert not one.run(first.id, first.version, "take_turn")
    assert one.load(first.id) == second
    assert one.run(first.id, second.version, "take_turn")


@TASKS
def test_a_job_run_by_many_workers_at_once_is_done_once(one: Play, seats: int, task: str) -> None:
    loaded = called(one, seats)
    ready = Barrier(PROCESSES)

    def work(_: int) -> None:
        process = Play(one.journal)
        process.load(loaded.id)
        ready.wait()
        process.run(loaded.id, loaded.version, task)

    with ThreadPoolExecutor(PROCESSES) as pool:
        list(pool.map(work, range(PROCESSES)))
    assert versions(one, loaded.id)[-1] == loaded.version + 1


def test_a_job_for_a_match_that_is_not_there_says_so(one: Play) -> None:
    with pytest.raises(MatchNotFoundError):
        one.run("m_nobody", 1, "take_turn")
