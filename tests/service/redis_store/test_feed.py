"""The feed over a server and over a cluster: from the beginning, at least once, until it is done with."""

from typing import Any

import pytest

from service.clock import now
from service.redis_store.dead_letters import DeadLetters
from service.redis_store.feed import Feed, Pointer
from service.redis_store.journal import RedisJournal
from tests.service.redis_store.appends import appending, every_node, head_after

MATCHES = [f"m_{number}" for number in range(20)]


@pytest.fixture
def feed(stored_journal: RedisJournal) -> Feed:
    """What a relay reads of the journal's commits."""
    return Feed(stored_journal.client, stored_journal.keys.partitions, "relay")


def test_every_commit_is_read_once_and_comes_again_until_it_is_done(
    stored_journal: RedisJournal, feed: Feed
) -> None:
    for match in MATCHES:
        stored_journal.append(appending(match, due_task="take_turn"))
    feed.prepare()
    feed.prepare()  # a second time it is there
    read = feed.new(0.2)
    assert sorted(pointer.match for pointer in read) == sorted(MATCHES)
    assert {(pointer.version, pointer.due_task) for pointer in read} == {(1, "take_turn")}
    assert feed.new(0.05) == []
    assert sorted(pointer.id for pointer in left(feed)) == sorted(pointer.id for pointer in read)
    feed.done(read)
    assert left(feed) == []


def test_matches_that_are_owed_a_job_are_known_until_they_have_gone_on(
    stored_journal: RedisJournal, feed: Feed
) -> None:
    feed.prepare()
    first = appending("m_waits", due_task="take_turn")
    stored_journal.append(first)
    stored_journal.append(appending("m_rests"))
    assert [match for match, _ in feed.owed()] == ["m_waits"]
    stored_journal.append(appending("m_waits", head_after(first)))
    assert list(feed.owed()) == []


def test_what_is_owed_is_marked_by_the_clock_of_the_store(stored_journal: RedisJournal, feed: Feed) -> None:
    stored_journal.append(appending("m_owed", due_task="take_turn"))
    assert all(abs(mark - now()) < 60_000 for _, mark in feed.owed())


def test_everything_that_is_owed_is_known_however_much_it_is(
    stored_journal: RedisJournal, feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.redis_store.feed.OWED_BATCH", 3)
    matches = {f"m_{number}" for number in range(200)}
    for match in matches:
        stored_journal.append(appending(match, due_task="take_turn"))
    assert sorted(match for match, _ in feed.owed()) == sorted(matches)


def appended(stored_journal: RedisJournal, match: str, versions: int) -> None:
    """A match of so many commits, one after the other."""
    head = None
    for _ in range(versions):
        append = appending(match, head)
        stored_journal.append(append)
        head = head_after(append)


def test_trimming_keeps_what_is_pending_and_all_that_came_after_it(stored_journal: RedisJournal) -> None:
    feed = Feed(stored_journal.client, stored_journal.keys.partitions, "relay", kept_ms=0)
    feed.prepare()
    appended(stored_journal, "m_one", 4)
    first, _, third, _ = feed.new(0.2)
    feed.done([first, third])
    feed.trim()
    assert [pointer.version for pointer in left(feed)] == [2, 4]
    assert versions_kept(stored_journal) == [2, 3, 4]
    feed.done(left(feed))
    feed.trim()
    assert versions_kept(stored_journal) == [4], "the last that was delivered may stay"


def test_trimming_keeps_what_is_not_read_yet(stored_journal: RedisJournal) -> None:
    feed = Feed(stored_journal.client, stored_journal.keys.partitions, "relay", kept_ms=0)
    feed.prepare()
    appended(stored_journal, "m_one", 1)
    feed.done(feed.new(0.2))
    stored_journal.append(appending("m_one", stored_journal.head("m_one"), count=2))
    feed.trim()
    assert versions_kept(stored_journal) == [1, 2, 3]
    assert [pointer.version for pointer in feed.new(0.2)] == [2, 3]


def test_what_was_handed_over_stays_for_the_cursors_for_a_while(
    stored_journal: RedisJournal, feed: Feed
) -> None:
    feed.prepare()
    appended(stored_journal, "m_one", 3)
    feed.done(feed.new(0.2))
    feed.trim()
    assert versions_kept(stored_journal) == [1, 2, 3]


def versions_kept(journal: RedisJournal) -> list[int]:
    """What the feed of the one match still has."""
    rows = journal.client.xrange(journal.keys.shared("m_one", "feed"))
    return [int(fields[b"version"]) for _, fields in rows]


@pytest.mark.parametrize("count", [1, 130])
def test_what_a_relay_that_died_for_good_had_read_is_taken_over_all_of_it(
    stored_journal: RedisJournal, feed: Feed, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.redis_store.feed.BATCH", 7)
    feed.prepare()
    stored_journal.append(appending("m_one", count=count))
    dead = Feed(stored_journal.client, stored_journal.keys.partitions, "dead")
    read = [pointer for _ in range(count) for pointer in dead.new(0)]
    assert len(read) == count
    assert feed.new(0) == []
    assert [pointer for part in feed.abandoned(60_000) for pointer in part] == [], "it may still be at it"
    taken = [pointer for part in feed.abandoned(0) for pointer in part]
    assert taken == read
    assert left(feed) == read, "they are this relay's from now on"
    assert left(dead) == []


@pytest.mark.parametrize(
    "foreign",
    [
        {"foo": "bar"},
        {"match": "m_one", "version": "x", "calls": ""},
        {"match": b"\xff", "version": "1", "calls": ""},
        {"match": "m_one", "version": "1", "calls": "os.system"},
        {"match": "no match at all", "version": "1", "calls": "take_turn"},
    ],
)
def test_a_foreign_entry_is_put_aside_with_its_reason_and_the_rest_goes_on(
    stored_journal: RedisJournal, feed: Feed, foreign: Any
) -> None:
    feed.prepare()
    name = stored_journal.keys.shared("m_one", "feed")
    stored_journal.client.xadd(name, foreign)
    stored_journal.append(appending("m_one"))
    stored_journal.client.xadd(name, foreign)
    assert [pointer.version for pointer in feed.new(0.2)] == [1]
    assert [pointer.version for pointer in left(feed)] == [1], "the foreign ones are acknowledged"
    letters = DeadLetters(stored_journal.client).newest()
    assert [letter.source for letter in letters] == [name, name]
    assert all(letter.why and str(next(iter(foreign))) in letter.content for letter in letters)


@pytest.mark.parametrize("foreign", [b"\xff\xfe", "", "no match", "m_../../x"])
def test_what_is_owed_to_no_match_is_put_aside(
    stored_journal: RedisJournal, feed: Feed, foreign: Any
) -> None:
    stored_journal.append(appending("m_one", due_task="take_turn"))
    stored_journal.client.zadd(stored_journal.keys.shared("m_one", "owed"), {foreign: 0})
    for _ in range(2):
        assert [match for match, _ in feed.owed()] == ["m_one"]
    assert len(DeadLetters(stored_journal.client).newest()) == 1


def left(feed: Feed) -> list[Pointer]:
    """What a relay that starts again takes up."""
    return [pointer for part in feed.unfinished() for pointer in part]


def test_the_feed_of_an_emptied_store_is_made_again(stored_journal: RedisJournal, feed: Feed) -> None:
    feed.prepare()
    stored_journal.client.flushall(**every_node(stored_journal))
    with pytest.raises(Exception, match="NOGROUP"):
        feed.new(0.05)
    feed.prepare()
    assert feed.new(0.05) == []
