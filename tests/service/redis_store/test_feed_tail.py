"""The feed for readers of no group, over a server and over a cluster: from any place on, each commit once."""

import threading

import pytest

from service.live.feed_window import PositionGoneError, Positions, moved
from service.redis_store.feed import Feed
from service.redis_store.feed_tail import RedisFeedReader
from service.redis_store.journal import RedisJournal
from tests.service.redis_store.appends import appending, head_after

MATCHES = [f"m_{number}" for number in range(20)]


@pytest.fixture
def tail(stored_journal: RedisJournal) -> RedisFeedReader:
    """What a process reads of the journal's commits."""
    return RedisFeedReader(stored_journal.client, stored_journal.keys.partitions)


def test_the_ends_are_after_everything_and_before_whatever_comes(
    stored_journal: RedisJournal, tail: RedisFeedReader
) -> None:
    start = tail.ends()
    for match in MATCHES:
        stored_journal.append(appending(match))
    here = tail.ends()
    assert tail.read(here, 100) == []
    assert tail.wait(here, 0.05) == []
    found = tail.read(start, 100)
    assert sorted((pointer.match, pointer.version) for pointer in found) == sorted((m, 1) for m in MATCHES)
    assert moved(start, found) == here


def test_reading_on_gives_every_commit_once_and_each_match_in_order(
    stored_journal: RedisJournal, tail: RedisFeedReader
) -> None:
    place: Positions = (b"0-0",) * tail.partitions
    for match in MATCHES:
        first = appending(match)
        stored_journal.append(first)
        stored_journal.append(appending(match, head_after(first), count=4))
    found: dict[str, list[int]] = {}
    while pointers := tail.read(place, 2):
        place = moved(place, pointers)
        for pointer in pointers:
            found.setdefault(pointer.match, []).append(pointer.version)
    assert found == {match: [1, 2, 3, 4, 5] for match in MATCHES}


def test_who_waits_is_told_of_what_comes(stored_journal: RedisJournal, tail: RedisFeedReader) -> None:
    writer = threading.Timer(0.1, lambda: stored_journal.append(appending("m_one")))
    here = tail.ends()
    writer.start()
    found = tail.wait(here, 5)
    writer.join()
    assert [(pointer.match, pointer.version) for pointer in found] == [("m_one", 1)]


def trim(journal: RedisJournal) -> None:
    """Let go of all that is handed over, and hand over everything first."""
    feed = Feed(journal.client, journal.keys.partitions, "relay", kept_ms=0)
    feed.prepare()
    while read := feed.new(0):
        feed.done(read)
    feed.trim()


def test_a_place_whose_commits_were_let_go_of_is_known_by_its_position_whatever_the_clocks_say(
    stored_journal: RedisJournal, tail: RedisFeedReader
) -> None:
    before = tail.ends()
    stored_journal.append(appending("m_one", count=3))
    here = tail.ends()
    trim(stored_journal)
    with pytest.raises(PositionGoneError):
        tail.read(before, 100)
    with pytest.raises(PositionGoneError):
        tail.check(before)
    assert tail.read(here, 100) == []
    stored_journal.append(appending("m_one", stored_journal.head("m_one"), count=2))
    assert [pointer.version for pointer in tail.read(here, 100)] == [4, 5]


def test_a_place_is_good_for_as_long_as_everything_after_it_is_kept(
    stored_journal: RedisJournal, tail: RedisFeedReader
) -> None:
    place: Positions = (b"0-0",) * tail.partitions
    stored_journal.append(appending("m_one", count=3))
    second = moved(place, tail.read(place, 3 * tail.partitions)[:2])
    trim(stored_journal)
    assert [pointer.version for pointer in tail.read(second, 100)] == [3], "only what came before is gone"
    with pytest.raises(PositionGoneError):
        tail.read(place, 100)


def test_a_foreign_entry_is_passed_over(stored_journal: RedisJournal, tail: RedisFeedReader) -> None:
    place: Positions = (b"0-0",) * tail.partitions
    name = stored_journal.keys.shared("m_one", "feed")
    for foreign in ({"foo": "bar"}, {"match": b"\xff", "version": "1"}, {"match": "m_one", "version": "x"}):
        stored_journal.client.xadd(name, foreign)
    stored_journal.append(appending("m_one"))
    versions = []
    while pointers := tail.read(place, 1):
        place = moved(place, pointers)
        versions += [pointer.version for pointer in pointers if pointer.match]
    assert versions == [1]
    assert tail.wait(place, 0.05) == []
