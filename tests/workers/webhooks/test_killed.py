"""Whatever is killed between a commit and a receiver, the news arrive, and two relays send them once."""

import os
import signal
import subprocess
import sys
from threading import Event, Thread
from typing import Any

from werkzeug.wrappers import Request, Response

from service.clock import now
from service.redis_store.client import connect
from service.redis_store.feed import Feed, Pointer
from service.redis_store.webhooks import RedisWebhooks
from tests.servers import until
from tests.workers.conftest import PARTITIONS
from tests.workers.webhooks.hooked import Hooked
from workers.relay import Relay
from workers.webhooks import deliveries
from workers.webhooks.dispatcher import LEASE_MS
from workers.webhooks.worker import dispatcher

LATER = LEASE_MS + 1000


def watched_match(hooked: Hooked) -> tuple[dict[str, Any], dict[str, str], list[Pointer]]:
    """A match that has just started, the webhook that is to hear of it, and what the relay has read."""
    key = hooked.key()
    hook = hooked.register(key, events=["match.started"])
    hooked.lay()
    return hook, key, hooked.relay.feed.new(0.1)


def take_up(hooked: Hooked) -> list[tuple[str, int]]:
    """As a worker does before anything else, which may then be killed."""
    return list(hooked.side.webhooks.claim(now(), now() + LEASE_MS, 100))


def test_a_relay_that_is_killed_before_it_handed_anything_over_hears_it_again(hooked: Hooked) -> None:
    watched_match(hooked)
    hooked.relay.recover()
    hooked.deliver()
    assert hooked.receiver.types() == ["match.started"]


def test_a_relay_that_is_killed_before_it_acknowledged_sends_nothing_twice(hooked: Hooked) -> None:
    _, _, read = watched_match(hooked)
    hooked.relay.owe_announcements(read)
    hooked.work()
    hooked.relay.recover()
    hooked.deliver(later=LATER)
    assert hooked.receiver.types() == ["match.started"]


def test_a_worker_that_is_killed_before_it_told_anybody_loses_no_news(hooked: Hooked) -> None:
    hook, key, read = watched_match(hooked)
    hooked.relay.relay(read)
    assert take_up(hooked) == [(read[0].match, 1)]
    hooked.deliver()
    assert hooked.receiver.got == []
    hooked.deliver(later=LATER)
    assert hooked.receiver.types() == ["match.started"]
    assert [one["status"] for one in hooked.deliveries(hook, key)] == ["delivered"]


def test_a_worker_that_is_killed_before_it_sent_anything_loses_no_news(hooked: Hooked) -> None:
    hook, key, read = watched_match(hooked)
    hooked.relay.relay(read)
    deliveries.announce(read[0].match, 1)
    assert take_up(hooked) == [(f"{hook['id']}-{read[0].match}-1-started", 0)]
    hooked.deliver()
    assert [one["status"] for one in hooked.deliveries(hook, key)] == ["pending"]
    hooked.deliver(later=LATER)
    assert hooked.receiver.types() == ["match.started"]


def test_what_was_sent_by_a_worker_that_was_killed_meanwhile_comes_again_under_the_same_id(
    hooked: Hooked,
) -> None:
    hook, key, read = watched_match(hooked)
    worker = subprocess.Popen([sys.executable, "-m", "workers.webhooks.worker"])

    def kill(request: Request) -> Response:
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        return hooked.receiver.take(request)

    hooked.receiver.server.expect_oneshot_request("/killing").respond_with_handler(kill)
    killing = hooked.receiver.url.replace("/told", "/killing")
    hooked.client.patch(f"/v1/webhooks/{hook['id']}", json={"url": killing}, headers=key)
    hooked.relay.relay(read)
    until(lambda: len(hooked.receiver.got) == 1)
    hooked.client.patch(f"/v1/webhooks/{hook['id']}", json={"url": hooked.receiver.url}, headers=key)
    hooked.deliver(later=LATER)
    first, second = hooked.receiver.ids
    assert first == second
    assert [one["status"] for one in hooked.deliveries(hook, key)] == ["delivered"]


def test_two_relays_and_news_told_twice_are_one_delivery(hooked: Hooked, server: Any) -> None:
    hook, key, read = watched_match(hooked)
    other_feed = Feed(connect(server.url, blocking=1), PARTITIONS, "other")
    webhooks = RedisWebhooks(connect(server.url))
    other = Relay(other_feed, hooked.relay.jobs, hooked.play, webhooks, hooked.relay.housekeeper)
    for relay in (hooked.relay, other, hooked.relay):
        relay.relay(read)
    for pointer in read:
        deliveries.announce(pointer.match, pointer.version)
    hooked.work()
    for times in (1, 3):
        hooked.work(times * LATER)
    assert hooked.receiver.types() == ["match.started"]
    assert len(hooked.deliveries(hook, key)) == 1


def test_what_one_worker_has_taken_up_no_other_sends(hooked: Hooked) -> None:
    hook, key, _ = watched_match(hooked)
    hooked.relay.recover()
    other = dispatcher()
    running = [Thread(target=each.work_off, args=(now(),)) for each in (hooked.dispatcher, other)]
    for each in running:
        each.start()
    for each in running:
        each.join()
    other.close()
    hooked.deliver()
    assert hooked.receiver.types() == ["match.started"]
    assert [one["attempts"] for one in hooked.deliveries(hook, key)] == [1]


def test_a_worker_that_is_stopped_leaves_what_it_had_not_begun_to_others_at_once(hooked: Hooked) -> None:
    key = hooked.key()
    hook = hooked.register(key, events=["match.started"])
    begun, go_on = Event(), Event()
    hooked.receiver.server.expect_request("/slow").respond_with_handler(
        lambda request: begun.set() or (go_on.wait(20) and hooked.receiver.take(request))
    )
    slow = hooked.receiver.url.replace("/told", "/slow")
    hooked.client.patch(f"/v1/webhooks/{hook['id']}", json={"url": slow}, headers=key)
    for _ in range(5):
        hooked.act(hook, "ping", key)
    stopped = dispatcher()
    stopped.look(now())
    assert begun.wait(20)
    closing = Thread(target=stopped.close)
    closing.start()
    go_on.set()
    closing.join()
    hooked.work()
    assert sorted(hooked.receiver.ids) == sorted(one["id"] for one in hooked.deliveries(hook, key))
    assert len(set(hooked.receiver.ids)) == 5


def test_news_of_a_match_that_cannot_be_read_wait_and_hold_up_no_others(hooked: Hooked, play: Any) -> None:
    _, _, read = watched_match(hooked)
    log = play.journal.keys.of_match(read[0].match, "log")
    hooked.store.rename(log, log + "-away")
    hooked.relay.relay(read)
    hooked.work()
    hooked.lay()
    hooked.deliver()
    assert len(hooked.receiver.got) == 1
    hooked.store.rename(log + "-away", log)
    hooked.deliver(later=LATER)
    assert len(hooked.receiver.got) == 2


def test_a_delivery_that_cannot_be_read_holds_up_nothing(hooked: Hooked) -> None:
    hook, _, read = watched_match(hooked)
    broken = f"{hook['id']}-ping-broken"
    hooked.store.set("{hooks}:delivery:" + broken, "no JSON")
    hooked.store.zadd("{hooks}:due", {broken: 0})
    hooked.relay.tick()
    hooked.relay.relay(read)
    hooked.deliver()
    assert hooked.receiver.types() == ["match.started"]
