"""The queue of the webhooks: apart, so that a slow receiver never holds up a rival or a score.

Nothing is lost with this queue: whatever was not done is due again after a while, by the hook book.
"""

from datetime import timedelta
from typing import Any

from rq import Queue
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job
from rq.serializers import JSONSerializer

from workers.queue import alive

NAME = "bricabrac-webhooks"
SECONDS = 20  # the most a job may take
SOON = timedelta(seconds=SECONDS + 1)
LEASE_MS = 30_000  # after which what was handed over, and is not done, is handed over again


def hook_queue(client: Any) -> Queue:
    """The queue."""
    return Queue(NAME, connection=client, serializer=JSONSerializer, default_timeout=SECONDS)


def hand_over(jobs: Queue, task: str, id_: str, number: int) -> None:
    """Enqueue a task for a match and its version, or a delivery and its attempt, unless it is under way."""
    job_id = f"{id_}-{number}-{task}"
    try:
        job = Job.fetch(job_id, connection=jobs.connection, serializer=JSONSerializer)
    except NoSuchJobError:
        job = None
    if job is not None:
        if alive(job, jobs, SOON):
            return
        job.delete()
    try:
        jobs.enqueue(
            f"workers.hooks.{task}", id_, number, job_id=job_id, unique=True, result_ttl=0, failure_ttl=3600
        )
    except DuplicateJobError:
        return
