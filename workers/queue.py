"""The one queue of the jobs, in RQ: a job's id names the commit that called for it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import redis
from redis.backoff import ExponentialWithJitterBackoff
from redis.retry import Retry as RetryPolicy
from rq import Queue, Retry
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from service.settings import settings
from service.store.redis_client import TIMEOUT

NAME = "bricabrac"
SECONDS = 4  # the most a job may take
AGAIN = 2  # times a job that failed is tried again, before the reconciler takes over
SOON = timedelta(seconds=SECONDS + 1)  # a job that should have ended by then is dead


def connection() -> Any:
    """RQ's own client: workers alter its time-outs. A lost connection is tried again, silence is not."""
    again = RetryPolicy(ExponentialWithJitterBackoff(base=0.1, cap=1.0), 3, (redis.ConnectionError,))
    return redis.Redis.from_url(
        settings().rq_redis_url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT, retry=again
    )


def queue(client: Any) -> Queue:
    """The queue of the jobs."""
    return Queue(NAME, connection=client, serializer=JSONSerializer, default_timeout=SECONDS)


def hand_over(jobs: Queue, match: str, version: int, task: str) -> None:
    """Enqueue what a commit calls for; nothing happens if that has been done before."""
    try:
        jobs.enqueue(
            f"workers.jobs.{task}",
            match,
            version,
            job_id=job_id(match, version, task),
            retry=Retry(max=AGAIN),
            unique=True,
            result_ttl=60,
            failure_ttl=3600,
        )
    except DuplicateJobError:
        return


def job_id(match: str, version: int, task: str) -> str:
    """`<match>-<version>-<task>`."""
    return f"{match}-{version}-{task}"


def hand_over_again(jobs: Queue, match: str, version: int, task: str) -> bool:
    """Enqueue it once more, unless its job is alive: waiting in the queue, or started not long ago."""
    try:
        job = Job.fetch(job_id(match, version, task), connection=jobs.connection, serializer=JSONSerializer)
    except NoSuchJobError:
        job = None
    if job is not None:
        if alive(job, jobs, SOON):
            return False
        job.delete()
    hand_over(jobs, match, version, task)
    return True


def alive(job: Job, jobs: Queue, soon: timedelta) -> bool:
    """Whether a job waits in its queue, or was started so short a time ago that it may still run."""
    status = job.get_status()
    if status == JobStatus.QUEUED and jobs.get_job_position(job) is not None:
        return True
    began = job.started_at or job.enqueued_at
    young = began is not None and datetime.now(UTC) - began.replace(tzinfo=UTC) < soon
    return young and status in (JobStatus.QUEUED, JobStatus.STARTED)
