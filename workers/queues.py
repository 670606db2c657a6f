"""The queues of the jobs, in RQ: a job's id names the commit that called for it.

Matches that a person plays in have a queue of their own, with workers of their own: what plays for nobody
never makes a person wait.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import redis
from redis.backoff import ExponentialWithJitterBackoff
from redis.retry import Retry as RetryPolicy
from rq import Queue, Retry
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus

from service.bootstrap import dead_letters
from service.redis_store.client import TIMEOUT_S
from service.settings import settings
from service.store.heartbeat import BOT_WORKER, WORKER
from workers.named_job import JOB_TIMEOUT_S, NAME, SERIALIZER, NamedJob, discard, job_id

PEOPLE, BOTS = "bricabrac", "bricabrac-bots"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job workers: its queue, its part in `/readyz`, and how far it gives way on its machine."""

    queue: str
    part: str
    nice: int


KINDS = {"people": Kind(PEOPLE, WORKER, 0), "bots": Kind(BOTS, BOT_WORKER, 10)}
RETRIES = 2  # times a job that failed is tried again, before the reconciler takes over
JOB_LIFETIME = timedelta(seconds=JOB_TIMEOUT_S + 1)  # a job that should have ended by then is dead


class NamedQueue(Queue):
    """A queue of our jobs; an entry that cannot be the name of one is put aside."""

    job_class = NamedJob

    @classmethod
    def lmove(cls, connection: Any, queue_key: str, timeout: int | None) -> Any:
        """The next entry, on its way to a worker."""
        while (found := super().lmove(connection, queue_key, timeout)) is not None:
            _, entry = found
            if NAME.fullmatch(entry):
                return found
            dead_letters().put(queue_key, entry, "", "It is not the name of a job.")
            connection.lrem(f"{queue_key}:intermediate", 0, entry)
        return None


def connection() -> Any:
    """RQ's own client: workers alter its time-outs. A lost connection is tried again, silence is not."""
    again = RetryPolicy(ExponentialWithJitterBackoff(base=0.1, cap=1.0), 3, (redis.ConnectionError,))
    return redis.Redis.from_url(
        settings().rq_redis_url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S, retry=again
    )


def queue(client: Any, name: str = PEOPLE) -> Queue:
    """A queue of the jobs."""
    return NamedQueue(name, connection=client, serializer=SERIALIZER, default_timeout=JOB_TIMEOUT_S)


class Queues:
    """Both queues."""

    def __init__(self, client: Any) -> None:
        self.people, self.bots = queue(client, PEOPLE), queue(client, BOTS)

    def of(self, *, alone: bool) -> Queue:
        """The queue of a match that no person plays in, or that one does."""
        return self.bots if alone else self.people


def hand_over(jobs: Queue, match: str, version: int, task: str) -> None:
    """Enqueue what a commit calls for; nothing happens if that has been done before."""
    try:
        jobs.enqueue(
            f"workers.jobs.{task}",
            match,
            version,
            job_id=job_id(match, version, task),
            retry=Retry(max=RETRIES),
            unique=True,
            result_ttl=60,
            failure_ttl=3600,
        )
    except DuplicateJobError:
        return


def hand_over_again(jobs: Queue, match: str, version: int, task: str) -> bool:
    """Enqueue it once more, unless its job is alive: waiting in the queue, or started not long ago."""
    try:
        job = NamedJob.fetch(job_id(match, version, task), connection=jobs.connection, serializer=SERIALIZER)
    except NoSuchJobError:
        job = None
    if job is not None:
        if alive(job, jobs):
            return False
        remove(job, jobs)
    hand_over(jobs, match, version, task)
    return True


def remove(job: Job, jobs: Queue) -> None:
    """Take a job out of its queue and forget it, whatever became of the worker that ran it."""
    with jobs.connection.pipeline(transaction=True) as pipe:
        for listed in (jobs.key, jobs.intermediate_queue_key):
            pipe.lrem(listed, 0, job.id)
        discard(job, pipe)
        pipe.execute()


def alive(job: Job, jobs: Queue) -> bool:
    """Whether a job waits in its queue, or was started so short a time ago that it may still run.

    A start in the future was written by a clock that has been set back since: it says nothing.
    """
    status = job.get_status()
    if status == JobStatus.QUEUED and jobs.get_job_position(job) is not None:
        return True
    began = job.started_at or job.enqueued_at
    young = began is not None and abs(datetime.now(UTC) - began.replace(tzinfo=UTC)) < JOB_LIFETIME
    return young and status in (JobStatus.QUEUED, JobStatus.STARTED)
