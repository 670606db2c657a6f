"""What every journal promises of an append, whatever it is kept in."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier, Event

import pytest
from redis.exceptions import ResponseError

from service.errors import MatchUnreadableError
from service.log.record import Entry
from service.redis_store.journal import RedisJournal
from service.store.journal import Accepted, Append, Conflict, Done, Head, Journal, place_of
from service.store.memory_journal import MemoryJournal
from tests.service.redis_store.appends import appending, head_after, stands_at
from tests.service.redis_store.damage import the_last_commit_gone

MATCH = "m_one"


def test_an_accepted_append_can_be_read_back_byte_for_byte(any_journal: Journal) -> None:
    first = appending(MATCH, count=3, fields={"game": "whatnot", "status": "open"})
    assert any_journal.append(first) == Accepted()
    assert any_journal.head(MATCH) == replace(head_after(first), fields={"game": "whatnot", "status": "open"})
    assert any_journal.read(MATCH, 0) == first.entries
    second = appending(MATCH, head_after(first))
    assert any_journal.append(second) == Accepted()
    assert stands_at(any_journal.head(MATCH)) == stands_at(head_after(second))
    assert any_journal.read(MATCH, 0) == [*first.entries, *second.entries]


def test_an_unknown_match_is_at_version_0_and_empty(any_journal: Journal) -> None:
    assert any_journal.head("m_nobody") == Head()
    assert any_journal.open("m_nobody") == (Head(), None)
    assert any_journal.read("m_nobody", 0) == []
    assert any_journal.answer("m_nobody", "key") is None


def test_a_writer_who_is_behind_gets_exactly_the_commits_he_lacks(any_journal: Journal) -> None:
    first = appending(MATCH, count=2)
    second = appending(MATCH, head_after(first), count=3)
    for append in (first, second):
        any_journal.append(append)
    late = any_journal.append(appending(MATCH, head_after(first), count=4, tag="late"))
    assert late == Conflict(5, second.hash, second.entries)
    newcomer = any_journal.append(appending(MATCH, tag="new"))
    assert newcomer == Conflict(5, second.hash, [*first.entries, *second.entries])
    assert any_journal.read(MATCH, 0) == [*first.entries, *second.entries]


def test_a_writer_far_behind_gets_the_first_commits_he_lacks(any_journal: Journal) -> None:
    first = appending(MATCH)
    many = appending(MATCH, head_after(first), count=600)
    for append in (first, many):
        any_journal.append(append)
    answer = any_journal.append(appending(MATCH, head_after(first), tag="late"))
    assert answer == Conflict(601, many.hash, many.entries[:500])


def test_a_writer_who_is_behind_learns_what_is_kept_beside_the_log_by_now(any_journal: Journal) -> None:
    first = appending(MATCH, fields={"status": "open", "token:seat:0": "old", "token:seat:1": "kept"})
    second = appending(MATCH, head_after(first), fields={"status": "playing", "token:seat:0": ""})
    for append in (first, second):
        any_journal.append(append)
    answer = any_journal.append(appending(MATCH, head_after(first), tag="late"))
    assert isinstance(answer, Conflict)
    assert answer.fields == {"status": "playing", "token:seat:1": "kept"} == any_journal.head(MATCH).fields


@pytest.mark.parametrize("version", [0, 1, 3, 10**15])
def test_a_writer_ahead_of_the_log_adds_nothing(any_journal: Journal, version: int) -> None:
    first = appending(MATCH, count=2)
    any_journal.append(first)
    answer = any_journal.append(appending(MATCH, Head(version, first.hash), tag="ahead"))
    assert answer == Conflict(2, first.hash, first.entries[version:])
    assert any_journal.read(MATCH, 0) == first.entries


def test_the_right_version_of_another_log_is_a_conflict(any_journal: Journal) -> None:
    first = appending(MATCH, count=2)
    any_journal.append(first)
    answer = any_journal.append(appending(MATCH, Head(2, "f" * 64), tag="other"))
    assert answer == Conflict(2, first.hash, [])
    assert any_journal.read(MATCH, 0) == first.entries


def test_a_match_is_not_begun_on_a_version_that_was_never_there(any_journal: Journal) -> None:
    answer = any_journal.append(appending(MATCH, Head(3, "f" * 64)))
    assert isinstance(answer, Conflict)
    assert (answer.version, answer.missing) == (0, [])
    assert any_journal.head(MATCH) == Head()


def test_the_same_key_again_gets_the_first_answer_and_adds_nothing(any_journal: Journal) -> None:
    first = appending(MATCH, key="key", answer='{"first":1}')
    assert any_journal.append(first) == Accepted()
    assert any_journal.answer(MATCH, "key") == '{"first":1}'
    assert any_journal.append(first) == Done('{"first":1}')
    newer = appending(MATCH, head_after(first))
    any_journal.append(newer)
    for expected in (Head(), head_after(first), head_after(newer), Head(77, "f" * 64)):
        again = appending(MATCH, expected, tag="again", key="key", answer="other", fields={"status": "odd"})
        assert any_journal.append(again) == Done('{"first":1}')
    assert any_journal.read(MATCH, 0) == [*first.entries, *newer.entries]
    assert any_journal.head(MATCH).fields == {}
    assert any_journal.answer(MATCH, "key") == '{"first":1}'


def test_an_answer_may_be_empty_and_is_still_an_answer(any_journal: Journal) -> None:
    append = appending(MATCH, key="key", answer="")
    any_journal.append(append)
    assert any_journal.append(append) == Done("")


def test_keys_of_different_matches_are_different_keys(any_journal: Journal) -> None:
    for match in (MATCH, "m_two"):
        assert any_journal.append(appending(match, key="key", answer=match)) == Accepted()
    assert [any_journal.answer(match, "key") for match in (MATCH, "m_two")] == [MATCH, "m_two"]


def test_a_key_whose_append_was_refused_is_free(any_journal: Journal) -> None:
    first = appending(MATCH)
    any_journal.append(first)
    assert isinstance(any_journal.append(appending(MATCH, key="key", answer="late")), Conflict)
    assert any_journal.answer(MATCH, "key") is None
    assert any_journal.append(appending(MATCH, head_after(first), key="key", answer="now")) == Accepted()


def test_an_append_without_a_key_is_not_known_again(any_journal: Journal) -> None:
    first = appending(MATCH)
    any_journal.append(first)
    assert any_journal.append(first) == Conflict(1, first.hash, first.entries)


def test_an_append_without_commits_is_refused(any_journal: Journal) -> None:
    with pytest.raises((ValueError, ResponseError)):
        any_journal.append(appending(MATCH, count=0, key="key", fields={"status": "open"}))
    assert any_journal.head(MATCH) == Head()
    assert any_journal.answer(MATCH, "key") is None


THREADS, EACH = 32, 3


class Dawdling(list[Entry]):
    """Commits over which whoever counts them lets all others go first."""

    def __len__(self) -> int:
        Event().wait(0.0005)
        return super().__len__()


def dawdling(append: Append) -> Append:
    return replace(append, entries=Dawdling(append.entries))


def test_32_writers_of_one_match_leave_no_gap_and_no_double(any_journal: Journal) -> None:
    ready = Barrier(THREADS)

    def write(writer: int) -> list[tuple[int, bytes]]:
        acknowledged, expected = list[tuple[int, bytes]](), Head()
        ready.wait()
        for number in range(EACH):
            while True:
                append = appending(MATCH, expected, tag=f"{writer}.{number}", key=f"{writer}.{number}")
                match any_journal.append(dawdling(append)):
                    case Accepted():
                        expected = head_after(append)
                        acknowledged.append((expected.version, append.entries[0].record))
                        break
                    case Conflict(version, own_hash, missing):
                        assert [entry.version for entry in missing] == [
                            *range(expected.version + 1, version + 1)
                        ]
                        expected = Head(version, own_hash)
        return acknowledged

    with ThreadPoolExecutor(THREADS) as pool:
        acknowledged = [
            one for acknowledgements in pool.map(write, range(THREADS)) for one in acknowledgements
        ]
    stored = [(entry.version, entry.record) for entry in any_journal.read(MATCH, 0)]
    assert sorted(acknowledged) == stored
    assert [version for version, _ in stored] == list(range(1, THREADS * EACH + 1))


def test_of_writers_with_one_key_one_writes_and_all_get_its_answer(any_journal: Journal) -> None:
    ready = Barrier(THREADS)

    def write(writer: int) -> str:
        append = appending(MATCH, tag=f"{writer}", key="key", answer=f"{writer}")
        ready.wait()
        match any_journal.append(dawdling(append)):
            case Accepted():
                return "accepted"
            case Done(answer):
                return answer
        raise AssertionError("a repeat is not a conflict")

    with ThreadPoolExecutor(THREADS) as pool:
        answers = Counter(pool.map(write, range(THREADS)))
    assert answers.pop("accepted") == 1
    assert answers == {any_journal.answer(MATCH, "key"): THREADS - 1}
    assert len(any_journal.read(MATCH, 0)) == 1


def test_a_log_that_does_not_end_where_the_head_says_is_neither_read_nor_added_to(
    any_journal: Journal,
) -> None:
    first = appending(MATCH, count=3)
    any_journal.append(first)
    _lose_the_last_commit(any_journal)
    for ask in (
        lambda: any_journal.append(appending(MATCH, head_after(first))),
        lambda: any_journal.append(appending(MATCH, tag="behind")),
        lambda: any_journal.catch_up(MATCH, 3),
        lambda: any_journal.catch_up(MATCH, 0),
        lambda: any_journal.open(MATCH),
    ):
        with pytest.raises(MatchUnreadableError):
            ask()
    assert stands_at(any_journal.head(MATCH)) == stands_at(head_after(first))
    assert any_journal.read(MATCH, 0) == first.entries[:2]
    assert any_journal.append(appending("m_two")) == Accepted()


def _lose_the_last_commit(journal: Journal) -> None:
    if isinstance(journal, MemoryJournal):
        journal._logs[MATCH].pop()
    else:
        assert isinstance(journal, RedisJournal)
        the_last_commit_gone(journal, MATCH)


def test_every_match_of_which_anything_is_stored_is_found(any_journal: Journal) -> None:
    for n in range(30):
        any_journal.append(
            appending(f"m_{n}", fields={"place": place_of(f"m_{n}", n)}, key=f"head:log{n}", answer="{}")
        )
        any_journal.save_snapshot(f"m_{n}", b"a snapshot")
    assert set(any_journal.matches()) == {f"m_{n}" for n in range(30)}
