"""Whatever is killed between a commit and a receiver, the news arrive, and two relays send them once."""

import os
import signal
import subprocess
import sys
from typing import Any

import pytest
from rq.utils import import_attribute
from werkzeug.wrappers import Request, Response

from service.clock import now
from service.store.feed import Feed, Pointer
from service.store.redis_client import connect
from service.store.redis_hooks import RedisHookBook
from tests.servers import until
from tests.workers.conftest import PARTITIONS
from tests.workers.hooked import Hooked
from workers import hooks
from workers.crier import Crier
from workers.hook_queue import LEASE_MS, hook_queue
from workers.relay import Relay

LATER = LEASE_MS + 1000


@pytest.mark.parametrize("task", ["announce", "deliver_webhook"])
def test_every_task_of_the_webhooks_is_a_job_that_exists(task: str) -> None:
    assert callable(import_attribute(f"workers.hooks.{task}"))


def watched_match(hooked: Hooked) -> tuple[dict[str, Any], dict[str, str], list[Pointer]]:
    """A match that has just started, the webhook that is to hear of it, and what the relay has read."""
    key = hooked.key()
    hook = hooked.register(key, events=["match.started"])
    hooked.lay()
    return hook, key, hooked.relay.feed.new(0.1)


def begin_jobs(hooked: Hooked, *, long_ago: bool) -> None:
    """As when a worker has begun with them, and may be killed since: they are in the queue no more."""
    jobs = hooked.relay.crier.jobs
    for job_id in jobs.job_ids:
        job = jobs.fetch_job(job_id)
        assert job is not None
        jobs.remove(job_id)
        job.set_status("started")  # type: ignore[arg-type]
        job.started_at = job.created_at.replace(year=2020) if long_ago else job.created_at
        job.save()


def test_a_relay_that_is_killed_before_it_handed_anything_over_hears_it_again(hooked: Hooked) -> None:
    watched_match(hooked)
    hooked.relay.relay(hooked.relay.feed.unfinished())
    hooked.deliver()
    assert hooked.receiver.types() == ["match.started"]


def test_a_relay_that_is_killed_before_it_acknowledged_sends_nothing_twice(hooked: Hooked) -> None:
    _, _, read = watched_match(hooked)
    hooked.relay.crier.hear(read)
    hooked.work()
    hooked.relay.relay(hooked.relay.feed.unfinished())
    hooked.deliver(later=LATER)
    assert hooked.receiver.types() == ["match.started"]


def test_news_that_were_owed_and_never_handed_over_are_told_later(hooked: Hooked) -> None:
    _, _, read = watched_match(hooked)
    hooked.relay.crier.book.owe([(read[0].match, 1)], now() + LEASE_MS)
    hooked.relay.feed.done(read)
    hooked.deliver()
    assert hooked.receiver.got == []
    hooked.deliver(later=LATER)
    assert hooked.receiver.types() == ["match.started"]


def test_a_worker_that_is_killed_before_it_told_anybody_loses_no_news(hooked: Hooked) -> None:
    hook, key, read = watched_match(hooked)
    hooked.relay.relay(read)
    begin_jobs(hooked, long_ago=True)
    hooked.deliver()
    assert hooked.receiver.got == []
    hooked.deliver(later=LATER)
    assert hooked.receiver.types() == ["match.started"]
    assert [one["status"] for one in hooked.deliveries(hook, key)] == ["delivered"]


def test_a_worker_that_is_killed_before_it_sent_anything_loses_no_news(hooked: Hooked) -> None:
    hook, key, read = watched_match(hooked)
    hooked.relay.relay(read)
    hooks.announce(read[0].match, 1)
    begin_jobs(hooked, long_ago=True)
    assert [one["status"] for one in hooked.deliveries(hook, key)] == ["pending"]
    hooked.deliver(later=LATER)
    assert hooked.receiver.types() == ["match.started"]


def test_what_was_sent_by_a_worker_that_was_killed_meanwhile_comes_again_under_the_same_id(
    hooked: Hooked,
) -> None:
    hook, key, read = watched_match(hooked)
    worker = subprocess.Popen([sys.executable, "-m", "workers.hook_worker"])

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
    jobs = hooked.relay.crier.jobs
    (job_id,) = jobs.started_job_registry.get_job_ids(cleanup=False)
    job = jobs.fetch_job(job_id)
    assert job is not None
    job.started_at = job.created_at.replace(year=2020)
    job.save()
    hooked.deliver(later=LATER)
    first, second = hooked.receiver.ids
    assert first == second
    assert [one["status"] for one in hooked.deliveries(hook, key)] == ["delivered"]


def test_an_emptied_queue_loses_no_news(hooked: Hooked) -> None:
    _, _, read = watched_match(hooked)
    hooked.relay.relay(read)
    hooked.relay.crier.jobs.empty()
    hooked.deliver()
    assert hooked.receiver.got == []
    hooked.deliver(later=LATER)
    assert hooked.receiver.types() == ["match.started"]


def test_two_relays_and_jobs_done_twice_are_one_delivery(hooked: Hooked, server: Any) -> None:
    hook, key, read = watched_match(hooked)
    other_feed = Feed(connect(server.url, blocking=1), PARTITIONS, "other")
    crier = Crier(RedisHookBook(connect(server.url)), hook_queue(hooked.store))
    other = Relay(other_feed, hooked.relay.jobs, hooked.play, crier, hooked.relay.housekeeper)
    for relay in (hooked.relay, other, hooked.relay):
        relay.relay(read)
    for pointer in read:
        hooks.announce(pointer.match, pointer.version)
    hooked.work()
    for relay in (hooked.relay, other):
        for times in (1, 3):
            relay.crier.send_on(now() + times * LATER)
            hooked.work()
    assert hooked.receiver.types() == ["match.started"]
    assert len(hooked.deliveries(hook, key)) == 1


def test_a_queue_that_is_slow_gets_no_job_twice(hooked: Hooked) -> None:
    _, _, read = watched_match(hooked)
    hooked.relay.relay(read)
    jobs = hooked.relay.crier.jobs
    assert len(jobs.job_ids) == 1
    for times in range(1, 4):
        hooked.relay.crier.send_on(now() + times * LATER)
        assert len(jobs.job_ids) == 1


def test_a_job_that_is_under_way_is_not_handed_over_again(hooked: Hooked) -> None:
    _, _, read = watched_match(hooked)
    hooked.relay.relay(read)
    begin_jobs(hooked, long_ago=False)
    hooked.relay.crier.send_on(now() + LATER)
    assert hooked.relay.crier.jobs.job_ids == []


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
