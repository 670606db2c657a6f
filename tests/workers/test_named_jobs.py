"""Strangers at the queue: a worker runs the jobs we name and nothing else, whatever else stands there."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rq import Callback, Queue, Retry
from rq.job import Job
from rq.serializers import DefaultSerializer, JSONSerializer

from service.bootstrap import dependencies
from service.matches.aggregate import Aggregate
from service.matches.play import Play
from service.redis_store.dead_letters import DeadLetter, DeadLetters
from service.run.embedded import EmbeddedServer
from tests.servers import until
from workers import jobs
from workers.named_job import FUNCTIONS, JOB_TIMEOUT_S, NamedJob, job_id
from workers.queues import BOTS, PEOPLE, hand_over, hand_over_again, remove
from workers.worker import worker

ran = Path("never")


def evil(*_: Any, **__: Any) -> None:
    """What must not happen."""
    ran.touch()


@pytest.fixture(autouse=True)
def traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is there once something evil ran."""
    monkeypatch.setattr(sys.modules[__name__], "ran", tmp_path / "ran")
    return tmp_path / "ran"


@pytest.fixture
def bare(store: Any) -> Queue:
    """The queue as a stranger sees it, who writes to its server."""
    return Queue(PEOPLE, connection=store, serializer=JSONSerializer)


def letters(store: Any) -> list[DeadLetter]:
    return DeadLetters(store).newest()


EVIL = f"{__name__}.evil"


def calls_a_function(bare: Queue, match: Aggregate) -> None:
    bare.enqueue(EVIL, match.id, 1)


def calls_another_function_under_our_name(bare: Queue, match: Aggregate) -> None:
    bare.enqueue("os.system", "true", job_id=job_id(match.id, 1, "take_turn"))


def calls_a_method(bare: Queue, match: Aggregate) -> None:
    job = Job.create(
        "workers.jobs.take_turn", (match.id, 1), connection=bare.connection, serializer=JSONSerializer
    )
    job.instance = "x"
    bare.enqueue_job(job)


def comes_with_callbacks(bare: Queue, match: Aggregate) -> None:
    bare.enqueue(
        "workers.jobs.take_turn",
        match.id,
        1,
        job_id=job_id(match.id, 1, "take_turn"),
        on_success=Callback(EVIL),
        on_failure=Callback(EVIL),
        on_stopped=Callback(EVIL),
    )


def comes_with_webhooks(bare: Queue, match: Aggregate) -> None:
    job = bare.enqueue("workers.jobs.take_turn", match.id, 1, job_id=job_id(match.id, 1, "take_turn"))
    bare.connection.hset(job.key, "webhooks", json.dumps([{"url": "http://localhost:1/", "events": []}]))


def has_other_arguments(bare: Queue, match: Aggregate) -> None:
    bare.enqueue("workers.jobs.take_turn", match.id, "1", job_id=job_id(match.id, 1, "take_turn"))


def has_more_arguments(bare: Queue, match: Aggregate) -> None:
    bare.enqueue("workers.jobs.take_turn", match.id, 1, EVIL, job_id=job_id(match.id, 1, "take_turn"))


def is_pickled(bare: Queue, match: Aggregate) -> None:
    pickling = Queue(bare.name, connection=bare.connection, serializer=DefaultSerializer)
    pickling.enqueue(evil, match.id, 1)


def has_no_shape(bare: Queue, match: Aggregate) -> None:
    bare.connection.hset("rq:job:shapeless", mapping={"data": b"\xff\xfe", "created_at": "yesterday"})
    bare.connection.rpush(bare.key, "shapeless")


def is_no_hash(bare: Queue, match: Aggregate) -> None:
    bare.connection.set("rq:job:text", "text")
    bare.connection.rpush(bare.key, "text")


def has_no_name(bare: Queue, match: Aggregate) -> None:
    bare.connection.rpush(bare.key, b"\xff/../{x}:y")


STRANGERS = [
    calls_a_function,
    calls_another_function_under_our_name,
    calls_a_method,
    comes_with_callbacks,
    comes_with_webhooks,
    has_other_arguments,
    has_more_arguments,
    is_pickled,
    has_no_shape,
    is_no_hash,
    has_no_name,
]


@pytest.mark.parametrize("name", [PEOPLE, BOTS])
@pytest.mark.parametrize("stranger", STRANGERS, ids=lambda one: one.__name__)
def test_a_job_that_is_not_ours_is_put_aside_and_never_run_and_the_next_is_done(
    store: Any,
    solo: Callable[[], Aggregate],
    traces: Path,
    stranger: Callable[[Queue, Aggregate], None],
    name: str,
) -> None:
    play, first, second = dependencies().play, solo(), solo()
    bare = Queue(name, connection=store, serializer=JSONSerializer)
    stranger(bare, first)
    of_name = worker(store, name)
    hand_over(of_name.queues[0], second.id, 1, "take_turn")
    of_name.work(burst=True, logging_level="ERROR")
    assert not traces.exists()
    assert play.load(first.id).version == 1
    assert play.load(second.id).version == 2
    (letter,) = letters(store)
    assert letter.why
    assert bare.job_ids == []
    assert hand_over_again(of_name.queues[0], first.id, 1, "take_turn"), "the place is free again"
    worker(store, name).work(burst=True, logging_level="ERROR")
    assert play.load(first.id).version == 2


def test_a_worker_process_outlives_strangers(
    server: EmbeddedServer, bare: Queue, solo: Callable[[], Aggregate], play: Play, store: Any
) -> None:
    match = solo()
    store.zadd("rq:wip:bricabrac", {b"\xff": 1, "no:such:thing": 1})
    store.rpush(f"{bare.key}:intermediate", b"\xff")
    for stranger in STRANGERS:
        stranger(bare, match)
    running = subprocess.Popen([sys.executable, "-m", "workers.worker"])
    try:
        hand_over_again(bare, match.id, 1, "take_turn")
        until(lambda: play.load(match.id).version == 2)
        assert running.poll() is None
    finally:
        running.terminate()
        running.wait(30)


def test_a_job_of_ours_says_itself_what_it_may_take(
    store: Any, queued: Queue, solo: Callable[[], Aggregate]
) -> None:
    match = solo()
    hand_over(queued, match.id, 1, "take_turn")
    store.hset(f"rq:job:{job_id(match.id, 1, 'take_turn')}", "timeout", 86400)
    job = queued.fetch_job(job_id(match.id, 1, "take_turn"))
    assert isinstance(job, NamedJob)
    assert job.timeout == JOB_TIMEOUT_S


def started(store: Any, queued: Queue, match: Aggregate) -> Job:
    """A job whose worker died at it."""
    hand_over(queued, match.id, 1, "take_turn")
    dying = worker(store)
    job, _ = queued.dequeue_any([queued], None, store, job_class=NamedJob, serializer=JSONSerializer) or (
        None,
        0,
    )
    assert job is not None
    dying.prepare_execution(job)
    dying.prepare_job_execution(job, remove_from_intermediate_queue=True)
    return job


@pytest.mark.parametrize("expired", [False, True])
def test_a_job_whose_worker_died_is_handed_over_again_whatever_is_left_of_its_run(
    store: Any, queued: Queue, solo: Callable[[], Aggregate], play: Play, expired: bool
) -> None:
    match = solo()
    job = started(store, queued, match)
    assert not hand_over_again(queued, match.id, 1, "take_turn"), "it may still run"
    store.hset(job.key, "started_at", "2020-01-01T00:00:00.000000Z")
    if expired:  # for a minute the run is listed and its record is not there
        for record in store.scan_iter("rq:execution:*"):
            store.delete(record)
    assert hand_over_again(queued, match.id, 1, "take_turn")
    assert queued.started_job_registry.get_job_ids(cleanup=False) == []
    worker(store).work(burst=True, logging_level="ERROR")
    assert play.load(match.id).version == 2


def test_a_job_that_started_in_the_future_by_a_clock_set_back_since_is_not_waited_for(
    store: Any, queued: Queue, solo: Callable[[], Aggregate]
) -> None:
    match = solo()
    job = started(store, queued, match)
    store.hset(job.key, "started_at", "2100-01-01T00:00:00.000000Z")
    assert hand_over_again(queued, match.id, 1, "take_turn")


def test_a_job_that_is_removed_leaves_no_trace(
    store: Any, queued: Queue, solo: Callable[[], Aggregate]
) -> None:
    match = solo()
    job = started(store, queued, match)
    remove(job, queued)
    assert not [key for key in store.scan_iter("rq:*") if match.id.encode() in key]
    assert store.zcard("rq:wip:bricabrac") == 0


def test_every_named_job_exists() -> None:
    assert all(callable(getattr(jobs, task)) for task in FUNCTIONS.values())


def test_ours_are_retried_as_before(queued: Queue, solo: Callable[[], Aggregate]) -> None:
    match = solo()
    hand_over(queued, match.id, 1, "take_turn")
    job = queued.fetch_job(job_id(match.id, 1, "take_turn"))
    assert job is not None
    assert job.retries_left == Retry(max=2).max
