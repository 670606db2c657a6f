"""A worker: one queue, JSON arguments, jobs in its own process.

RQ's simple worker, for a job here is a few milliseconds of our own code: forking for each costs three times
its start.
"""

import logging
from typing import Any

from rq import SimpleWorker
from rq.serializers import JSONSerializer

from workers.jobs import play
from workers.queue import connection, queue


class Worker(SimpleWorker):
    """A worker that comes back soon after an outage of Redis, however often there is one."""

    max_connection_wait_time = 1.0


def worker(client: Any) -> Worker:
    """A worker on the one queue."""
    return Worker([queue(client)], connection=client, serializer=JSONSerializer, maintenance_interval=15)


def main() -> None:
    """Work until SIGTERM; the job under way is finished first."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s worker %(levelname)s %(message)s")
    play()  # connect and read the games before the first job waits for it
    worker(connection()).work(logging_level="WARNING")


if __name__ == "__main__":
    main()
