"""A worker: one queue, JSON arguments, jobs in its own process.

RQ's simple worker, for a job here is a few milliseconds of our own code: forking for each costs three times
its start.
"""

from collections.abc import Callable
from typing import Any

from rq import SimpleWorker
from rq.serializers import JSONSerializer

from service.heartbeat import WORKER
from workers.jobs import play
from workers.queue import SECONDS, connection, queue
from workers.starting import begin

DEQUEUE_TIMEOUT_S = 5  # of one blocking read
MARGIN_S = 8  # for a job to end, and for the machine to be slow, before a worker is missed


class Worker(SimpleWorker):
    """A worker that comes back soon after an outage of Redis, however often there is one.

    It waits for a job for seconds, not for RQ's seven minutes, so that a connection that died silently is
    noticed; `pulse` is called at every turn of its loop. It takes no commands: nobody sends any.
    """

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

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """RQ's own, which its loop calls at every turn, and ours."""
        super().heartbeat(timeout, pipeline)
        if self.pulse is not None:
            self.pulse()

    def subscribe(self) -> None:
        """Not to the channel of commands."""


def worker(client: Any) -> Worker:
    """A worker on the one queue."""
    return Worker([queue(client)], connection=client, serializer=JSONSerializer, maintenance_interval=15)


def main() -> None:
    """Work until SIGTERM; the job under way is finished first."""
    pulse = begin(WORKER, SECONDS + DEQUEUE_TIMEOUT_S + MARGIN_S)
    play()  # connect and read the games before the first job waits for it
    working = worker(connection())
    working.pulse = pulse
    working.work(logging_level="WARNING")


if __name__ == "__main__":
    main()
