"""A worker: one queue, JSON arguments, named jobs in its own process.

RQ's simple worker, for a job here is a few milliseconds of our own code: forking for each costs three times
its start.
"""

import logging
import os
import sys
from collections.abc import Callable
from typing import Any

import redis
from rq import Queue, SimpleWorker
from rq.job import Job
from rq.utils import now

from service.bootstrap import dependencies
from workers.named_job import JOB_TIMEOUT_S, SERIALIZER, NamedJob
from workers.queues import KINDS, PEOPLE, NamedQueue, connection, queue
from workers.startup import begin

DEQUEUE_TIMEOUT_S = 5  # of one blocking read
MARGIN_S = 8  # for a job to end, and for the machine to be slow, before a worker is missed
log = logging.getLogger("bricabrac.worker")


class Worker(SimpleWorker):
    """A worker for our jobs that comes back soon after an outage of Redis, however often there is one.

    It waits for a job for seconds, not for RQ's seven minutes, so that a connection that died silently is
    noticed; `pulse` is called at every turn of its loop. It takes no commands: nobody sends any.
    """

    job_class: type[Job] = NamedJob
    queue_class: type[Queue] = NamedQueue
    max_connection_wait_time = 1.0
    pulse: Callable[[], None] | None = None

    @property
    def dequeue_timeout(self) -> int:
        """RQ's name for how long one read waits for a job."""
        return DEQUEUE_TIMEOUT_S

    @property
    def connection_timeout(self) -> int:
        """RQ's name for how long any answer may take."""
        return DEQUEUE_TIMEOUT_S + 3

    def request_stop(self, signum: int, frame: Any) -> None:
        """RQ's own, which may raise an exception that whatever is being done swallows: the loop sees this."""
        self._stop_requested = True
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]  # RQ's

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """RQ's own, which its loop calls at every turn, and ours."""
        super().heartbeat(timeout, pipeline)
        if self.pulse is not None:
            self.pulse()

    def subscribe(self) -> None:
        """Not to the channel of commands."""

    def run_maintenance_tasks(self) -> None:
        """RQ's own; what others put into its lists must not end the worker: the relay hands over again."""
        try:
            super().run_maintenance_tasks()  # type: ignore[no-untyped-call]  # RQ's
        except redis.ConnectionError:
            raise
        except Exception:
            self.last_cleaned_at = now()  # type: ignore[assignment]  # RQ says None, and means a time
            log.exception("Could not clean up the lists of the queue.")


def worker(client: Any, name: str = PEOPLE) -> Worker:
    """A worker on a queue."""
    return Worker([queue(client, name)], connection=client, serializer=SERIALIZER, maintenance_interval=15)


def main(whose: str = "people") -> None:
    """Work on the jobs of `people` or `bots` until SIGTERM; the job under way is finished first."""
    kind = KINDS[whose]
    os.nice(kind.nice)
    pulse = begin(kind.part, JOB_TIMEOUT_S + DEQUEUE_TIMEOUT_S + MARGIN_S)
    dependencies()  # connect and read the games before the first job waits for it
    working = worker(connection(), kind.queue)
    working.pulse = pulse
    working.work(logging_level="WARNING")


if __name__ == "__main__":
    main(*sys.argv[1:])
