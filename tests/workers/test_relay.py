"""The relay: every commit that calls for a job gets one, at least once, whatever happens to the relay."""

import threading
from collections.abc import Callable
from typing import Any

from rq import Queue

from service.asking import Request
from service.clock import now
from service.embedded import EmbeddedServer
from service.loaded import Loaded
from service.play import Play
from service.store.feed import Feed
from service.store.redis_client import connect
from tests.servers import until
from tests.workers.conftest import PARTITIONS
from workers.queue import job_id
from workers.relay import Relay


def test_a_commit_made_before_the_relay_first_ran_is_relayed(
    relay: Relay, feed: Feed, queued: Queue, solo: Callable[[], Loaded], store: Any
) -> None:
    store.flushall()
    match = solo()
    feed.prepare()
    relay.relay(feed.new(0.1))
    assert queued.job_ids == [job_id(match.id, 1, "take_turn")]


def test_commits_that_call_for_nothing_are_acknowledged_and_queue_nothing(
    relay: Relay, feed: Feed, queued: Queue, solo: Callable[[], Loaded], play: Play
) -> None:
    match = solo()
    play.run(match.id, 1, "take_turn")
    loaded = play.load(match.id)
    command = next(loaded.state.game.legal(loaded.state.position, 0))
    play.do(loaded, [command], Request("seat:0"))
    relay.relay(feed.new(0.1))
    assert len(queued.job_ids) == 1
    assert feed.new(0.05) == []
    assert feed.unfinished() == []


def test_what_a_killed_relay_had_read_and_not_handed_over_comes_again(
    feed: Feed, solo: Callable[[], Loaded]
) -> None:
    match = solo()
    read = feed.new(0.1)
    assert [pointer.match for pointer in read] == [match.id]
    assert feed.new(0.05) == []
    assert feed.unfinished() == read  # the same relay, started again
    feed.done(read)
    assert feed.unfinished() == []


def test_trimming_keeps_what_is_pending_or_unread_and_lets_the_rest_go(
    feed: Feed, solo: Callable[[], Loaded], store: Any
) -> None:
    def kept() -> int:
        return sum(store.xlen(f"{{p{n}}}:feed") for n in range(PARTITIONS))

    solo()
    pending = feed.new(0.1)
    unread = solo()
    feed.trim(now() + 10**10)
    assert feed.unfinished() == pending
    arrived = feed.new(0.1)
    assert [pointer.match for pointer in arrived] == [unread.id]
    assert kept() == 2
    feed.done([*pending, *arrived])
    for _ in range(3 * PARTITIONS):
        solo()
    while read := feed.new(0.05):
        feed.done(read)
    feed.trim(now() + 10**10)
    assert kept() <= PARTITIONS, "the last that was delivered in each may stay"


def test_a_match_that_waits_with_no_job_alive_is_handed_over_again(
    relay: Relay, feed: Feed, queued: Queue, solo: Callable[[], Loaded], store: Any
) -> None:
    match = solo()
    relay.relay(feed.new(0.1))
    queued.empty()
    for n in range(PARTITIONS):
        for waiting, _ in store.zrange(f"{{p{n}}}:owed", 0, -1, withscores=True):
            store.zadd(f"{{p{n}}}:owed", {waiting: 0})  # as if it had waited long
    relay.reconcile()
    assert queued.job_ids == [job_id(match.id, 1, "take_turn")]


def test_a_match_that_cannot_be_read_does_not_hold_up_the_others(
    relay: Relay, queued: Queue, solo: Callable[[], Loaded], store: Any
) -> None:
    broken, sound = solo(), solo()
    for key in store.scan_iter(f"*{broken.id}:log"):
        store.xadd(key, {"record": b"{}", "secrets": b""}, id="7-0")
    for n in range(PARTITIONS):
        for waiting in store.zrange(f"{{p{n}}}:owed", 0, -1):
            store.zadd(f"{{p{n}}}:owed", {waiting: 0})
    relay.reconcile()
    assert queued.job_ids == [job_id(sound.id, 1, "take_turn")]


def test_a_running_relay_outlives_an_emptied_store(
    relay: Relay, queued: Queue, solo: Callable[[], Loaded], store: Any
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
    server: EmbeddedServer, feed: Feed, solo: Callable[[], Loaded]
) -> None:
    other = Feed(connect(server.url, blocking=1), PARTITIONS, "other")
    matches = {solo().id for _ in range(10)}
    read = [pointer.match for reader in (feed, other, feed, other) for pointer in reader.new(0.05)]
    assert sorted(read) == sorted(matches)
