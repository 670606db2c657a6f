"""The floor of the rival: bare RQ jobs that say when they were started, handed over as the relay does.

Every kind of worker (`simple`, `fork`) has a queue of its own.
"""

import time
from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import Any

from rq import Queue
from rq.job import Job
from rq.serializers import JSONSerializer

from workers.named_job import JOB_TIMEOUT_S
from workers.queues import connection, hand_over

PATIENCE = 20  # seconds


def started(kind: str, number: int) -> None:  # noqa: ARG001  a job of ours has a match and a version
    """The job: its first line is what was waited for."""
    now = time.perf_counter()
    _client().rpush(_told(kind), repr(now))


def starts(client: Any, kind: str) -> Iterator[float]:
    """Enqueue one job after the other: seconds from the call of enqueue to the first line."""
    jobs = queue(client, kind)
    for number in count():
        began = time.perf_counter()  # the clock of all processes
        hand_over(jobs, kind, number, "start")
        told = client.blpop([_told(kind)], PATIENCE)
        if told is None:
            raise TimeoutError(f"no job was started by the {kind} worker within {PATIENCE} seconds")
        yield float(told[1]) - began


class BareQueue(Queue):
    """A queue that puts the bare job in the place of whatever is handed over, all settings kept."""

    def enqueue(self, f: Any, *args: Any, **settings: Any) -> Job:  # noqa: ARG002  what it is in the place of
        job: Job = super().enqueue(f"{__name__}.{started.__name__}", *args, **settings)
        return job


def queue(client: Any, kind: str) -> Queue:
    """The queue of that kind's jobs."""
    return BareQueue(
        f"bench-{kind}", connection=client, serializer=JSONSerializer, default_timeout=JOB_TIMEOUT_S
    )


def _told(kind: str) -> str:
    return f"bench:started:{kind}"


@cache
def _client() -> Any:
    return connection()
