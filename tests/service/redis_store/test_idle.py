"""Which matches nobody has touched for long, over every journal: open and playing ones only."""

from typing import Any

from service.store.journal import Journal
from service.store.memory_journal import MemoryJournal
from tests.service.redis_store.appends import appending, head_after

HOUR_MS = 60 * 60 * 1000


def age(journal: Any, match: str, ms: int) -> None:
    """As if the last commit of a match had come so much earlier."""
    if isinstance(journal, MemoryJournal):
        journal._touched[match] -= ms
    else:
        journal.client.zincrby(journal.keys.shared(match, "idle"), -ms, match)


def test_open_and_playing_matches_are_idle_the_longest_first_and_no_others(any_journal: Journal) -> None:
    for number, status in enumerate(("open", "playing", "scoring", "finished", "closed", "open")):
        any_journal.append(appending(f"m_{number}", fields={"game": "whatnot", "status": status}))
    assert any_journal.idle(HOUR_MS, 10) == []
    assert set(any_journal.idle(0, 10)) == {"m_0", "m_1", "m_5"}
    for number, hours in ((0, 2), (1, 3), (5, 1)):
        age(any_journal, f"m_{number}", hours * HOUR_MS)
    assert any_journal.idle(HOUR_MS, 10) == ["m_1", "m_0", "m_5"]
    assert any_journal.idle(2 * HOUR_MS, 10) == ["m_1", "m_0"]
    assert any_journal.idle(0, 1) == ["m_1"]
    assert 3 * HOUR_MS <= (any_journal.idle_ms("m_1") or 0) < 4 * HOUR_MS
    assert [any_journal.idle_ms(match) for match in ("m_2", "m_3", "m_4", "m_none")] == [None] * 4


def test_a_commit_ends_the_idle_time_and_the_last_one_takes_the_match_away(any_journal: Journal) -> None:
    first = appending("m_one", fields={"game": "whatnot", "status": "open"})
    any_journal.append(first)
    age(any_journal, "m_one", HOUR_MS)
    second = appending("m_one", head_after(first))
    any_journal.append(second)
    assert any_journal.idle(HOUR_MS, 10) == []
    assert (any_journal.idle_ms("m_one") or 0) < HOUR_MS
    any_journal.append(appending("m_one", head_after(second), fields={"status": "scoring"}))
    assert any_journal.idle(0, 10) == []


def test_what_is_put_off_comes_later_and_never_counts_as_longer_idle(any_journal: Journal) -> None:
    any_journal.append(appending("m_one", fields={"game": "whatnot", "status": "open"}))
    any_journal.leave_idle("m_one", 5 * HOUR_MS)
    assert any_journal.idle(HOUR_MS, 10) == [], "the commit was later"
    age(any_journal, "m_one", 9 * HOUR_MS)
    any_journal.leave_idle("m_one", 5 * HOUR_MS)
    assert any_journal.idle(6 * HOUR_MS, 10) == []
    assert any_journal.idle(5 * HOUR_MS, 10) == ["m_one"]
    any_journal.leave_idle("m_none", HOUR_MS)
    assert any_journal.idle(0, 10) == ["m_one"]
