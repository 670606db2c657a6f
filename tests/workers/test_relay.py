"""The relay: every commit that calls for a job gets one, at least once, whatever happens to the relay."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import redis
from rq import Queue

from service.matches.aggregate import Aggregate
from service.matches.play import Play
from service.matches.requests import Request
from service.redis_store.client import connect
from service.redis_store.dead_letters import DeadLetters
from service.redis_store.feed import Feed, Pointer
from service.run.embedded import EmbeddedServer
from tests.servers import until
from tests.workers.conftest import PARTITIONS
from workers.named_job import job_id
from workers.relay import PORTION, Relay


def left(feed: Feed) -> list[Pointer]:
    """What a relay that starts again takes up."""
    return [pointer for part in feed.unfinished() for pointer in part]


def test_a_commit_made_before_the_relay_first_ran_is_relayed(
    relay: Relay, feed: Feed, queued: Queue, solo: Callable[[], Aggregate], store: Any
) -> None:
    store.flushall()
    match = solo()
    feed.prepare()
    relay.relay(feed.new(0.1))
    assert queued.job_ids == [job_id(match.id, 1, "take_turn")]


def test_commits_that_call_for_nothing_are_acknowledged_and_queue_nothing(
    relay: Relay, feed: Feed, queued: Queue, solo: Callable[[], Aggregate], play: Play
) -> None:
    match = solo()
    play.run(match.id, 1, "take_turn")
    loaded = play.load(match.id)
    command = next(loaded.state.game.legal(loaded.state.position, 0))
    play.do(loaded, [command], Request("seat:0"))
    relay.relay(feed.new(0.1))
    assert len(queued.job_ids) == 1
    assert feed.new(0.05) == []
    assert left(feed) == []


def test_what_a_killed_relay_had_read_and_not_handed_over_comes_again(
    feed: Feed, solo: Callable[[], Aggregate]
) -> None:
    match = solo()
    read = feed.new(0.1)
    assert [pointer.match for pointer in read] == [match.id]
    assert feed.new(0.05) == []
    assert left(feed) == read  # the same relay, started again
    feed.done(read)
    assert left(feed) == []


def test_a_running_relay_outlives_an_emptied_store(
    relay: Relay, queued: Queue, solo: Callable[[], Aggregate], store: Any
) -> None:
    stop = threading.Event()
    running = threading.Thread(target=relay.run, args=(stop, lambda: None))
    running.start()
    try:
        first = solo()
        until(lambda: job_id(first.id, 1, "take_turn") in queued.job_ids)
        store.flushall()
        second = solo()
        until(lambda: job_id(second.id, 1, "take_turn") in queued.job_ids)
    finally:
        stop.set()
        running.join()


def test_two_relays_share_the_feed_and_neither_loses_what_the_other_reads(
    server: EmbeddedServer, feed: Feed, solo: Callable[[], Aggregate]
) -> None:
    other = Feed(connect(server.url, blocking=1), PARTITIONS, "other")
    matches = {solo().id for _ in range(10)}
    read = [pointer.match for reader in (feed, other, feed, other) for pointer in reader.new(0.05)]
    assert sorted(read) == sorted(matches)


def test_a_commit_is_acknowledged_only_after_its_job_is_handed_over(
    server: EmbeddedServer, relay: Relay, feed: Feed, solo: Callable[[], Aggregate], store: Any
) -> None:
    match = solo()
    read = feed.new(0.1)
    with full(store), pytest.raises(redis.RedisError):
        relay.relay(read)
    assert left(feed) == read, "the queue took no job: it is not done with"
    relay.recover()
    assert relay.jobs.people.job_ids == [job_id(match.id, 1, "take_turn")]
    assert left(feed) == []


@contextmanager
def full(store: Any) -> Iterator[None]:
    """A store, and a queue, that take nothing."""
    store.config_set("maxmemory", 1)
    try:
        yield
    finally:
        store.config_set("maxmemory", 0)


def test_a_running_relay_takes_over_from_one_that_died_for_good(
    server: EmbeddedServer, relay: Relay, solo: Callable[[], Aggregate], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.relay.IDLE_MS", 0)
    monkeypatch.setattr("workers.relay.CLAIM_INTERVAL_S", 0.1)
    monkeypatch.setattr("workers.reconciler.INTERVAL_S", 1e9)  # or it would be mended otherwise
    stop = threading.Event()
    running = threading.Thread(target=relay.run, args=(stop, lambda: None))
    running.start()
    try:
        dead = Feed(connect(server.url, blocking=1), PARTITIONS, "dead")
        relay.feed.done([])  # the group is there
        read = list[Pointer]()
        while not read:  # the running one may be faster
            match = solo()
            read = dead.new(0)
        until(lambda: job_id(match.id, 1, "take_turn") in relay.jobs.people.job_ids)
    finally:
        stop.set()
        running.join()


def test_a_foreign_entry_in_the_feed_stops_no_relay(
    relay: Relay, solo: Callable[[], Aggregate], store: Any
) -> None:
    for number in range(PARTITIONS):
        store.xadd(f"{{p{number}}}:feed", {"foo": "bar"})
    match = solo()
    relay.recover()
    relay.relay(relay.feed.new(0.1))
    assert relay.jobs.people.job_ids == [job_id(match.id, 1, "take_turn")]
    assert len(DeadLetters(store).newest()) == PARTITIONS
    assert left(relay.feed) == []


def test_people_are_served_first_and_what_plays_for_nobody_has_a_queue_of_its_own(
    relay: Relay, solo: Callable[[], Aggregate], bots_alone: Callable[[], Aggregate]
) -> None:
    alone = [bots_alone() for _ in range(3 * PORTION)]
    person = solo()
    relay.relay(relay.feed.new(0.1))
    assert relay.jobs.people.job_ids == [job_id(person.id, 1, "take_turn")]
    assert len(relay.jobs.bots.job_ids) == PORTION, "the rest has to wait until the feed was looked at again"
    second = solo()
    for _ in range(5):
        relay.relay(relay.feed.new(0))
    assert relay.jobs.people.job_ids == [job_id(each.id, 1, "take_turn") for each in (person, second)]
    assert sorted(relay.jobs.bots.job_ids) == sorted(job_id(each.id, 1, "take_turn") for each in alone)


def test_what_waits_its_turn_in_a_relay_that_is_killed_comes_again(
    relay: Relay, bots_alone: Callable[[], Aggregate]
) -> None:
    for _ in range(2 * PORTION):
        bots_alone()
    read = relay.feed.new(0.1)
    relay.relay(read)
    assert len(left(relay.feed)) == PORTION
    relay.recover()
    relay.relay([])
    assert len(relay.jobs.bots.job_ids) == 2 * PORTION
    assert left(relay.feed) == []
