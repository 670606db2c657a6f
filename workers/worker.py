"""A worker: one queue, JSON arguments, named jobs in its own process.

RQ's simple worker, for a job here is a few milliseconds of our own code: forking for each costs three times
its start.
"""

import logging
import os
import sys
from typing import Any

import redis
from rq import Queue, SimpleWorker
from rq.job import Job
from rq.utils import now

from workers.jobs import play
from workers.named_job import SERIALIZER, NamedJob
from workers.queue import BOTS, PEOPLE, NamedQueue, connection, queue

NAMES = {"people": PEOPLE, "bots": BOTS}
NICE = 10  # who plays for nobody gives way to everybody else on this machine
log = logging.getLogger("bricabrac.worker")


class Worker(SimpleWorker):
    """A worker for our jobs that comes back soon after an outage of Redis, however often there is one."""

    job_class: type[Job] = NamedJob
    queue_class: type[Queue] = NamedQueue
    max_connection_wait_time = 1.0

    def run_maintenance_tasks(self) -> None:
        """RQ's own; what others put into its lists must not end the worker: the relay hands over again."""
        try:
            super().run_maintenance_tasks()  # type: ignore[no-untyped-call]  # RQ's
        except redis.ConnectionError:
            raise
        except Exception:
            self.last_cleaned_at = now()  # type: ignore[assignment]  # RQ says None, and means a time
            log.exception("The lists of the queue cannot be tidied up.")


def worker(client: Any, name: str = PEOPLE) -> Worker:
    """A worker on a queue."""
    return Worker([queue(client, name)], connection=client, serializer=SERIALIZER, maintenance_interval=15)


def main(whose: str = "people") -> None:
    """Work on the jobs of `people` or `bots` until SIGTERM; the job under way is finished first."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s worker %(levelname)s %(message)s")
    if NAMES[whose] == BOTS:
        os.nice(NICE)
    play()  # connect and read the games before the first job waits for it
    worker(connection(), NAMES[whose]).work(logging_level="WARNING")


if __name__ == "__main__":
    main(*sys.argv[1:])
