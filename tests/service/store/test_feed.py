"""The feed over a server and over a cluster: from the beginning, at least once, until it is done with."""

import pytest

from service.store.feed import Feed
from service.store.redis_journal import RedisJournal
from tests.service.store.appends import appending, every_node, head_after

MATCHES = [f"m_{number}" for number in range(20)]


@pytest.fixture
def feed(stored_journal: RedisJournal) -> Feed:
    """What a relay reads of the journal's commits."""
    return Feed(stored_journal.client, stored_journal.keys.partitions, "relay")


def test_every_commit_is_read_once_and_comes_again_until_it_is_done(
    stored_journal: RedisJournal, feed: Feed
) -> None:
    for match in MATCHES:
        stored_journal.append(appending(match, calls="take_turn"))
    feed.prepare()
    feed.prepare()  # a second time it is there
    read = feed.new(0.2)
    assert sorted(pointer.match for pointer in read) == sorted(MATCHES)
    assert {(pointer.version, pointer.calls) for pointer in read} == {(1, "take_turn")}
    assert feed.new(0.05) == []
    assert sorted(pointer.id for pointer in feed.unfinished()) == sorted(pointer.id for pointer in read)
    feed.done(read)
    assert feed.unfinished() == []


def test_matches_that_are_owed_a_job_are_known_until_they_have_gone_on(
    stored_journal: RedisJournal, feed: Feed
) -> None:
    feed.prepare()
    first = appending("m_waits", calls="take_turn")
    stored_journal.append(first)
    stored_journal.append(appending("m_rests"))
    assert feed.owed(first.now) == ["m_waits"]
    assert feed.owed(first.now - 1) == []
    stored_journal.append(appending("m_waits", head_after(first)))
    assert feed.owed(first.now + 10**6) == []


def test_trimming_keeps_what_is_still_needed(stored_journal: RedisJournal, feed: Feed) -> None:
    feed.prepare()
    first = appending("m_one")
    stored_journal.append(first)
    pending = feed.new(0.2)
    stored_journal.append(appending("m_one", head_after(first)))
    feed.trim(10**15)
    assert feed.unfinished() == pending
    assert [pointer.version for pointer in feed.new(0.2)] == [2]


def test_the_feed_of_an_emptied_store_is_made_again(stored_journal: RedisJournal, feed: Feed) -> None:
    feed.prepare()
    stored_journal.client.flushall(**every_node(stored_journal))
    with pytest.raises(Exception, match="NOGROUP"):
        feed.new(0.05)
    feed.prepare()
    assert feed.new(0.05) == []
