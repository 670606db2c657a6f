"""A worker for the webhooks, apart from the one for matches."""

import logging
from typing import Any

from rq.serializers import JSONSerializer

from service.heartbeat import HOOK_WORKER
from workers.hook_queue import SECONDS, hook_queue
from workers.hooks import steps
from workers.queue import connection
from workers.starting import begin
from workers.worker import DEQUEUE_TIMEOUT_S, MARGIN_S, Worker


def hook_worker(client: Any) -> Worker:
    """A worker on the queue of the webhooks."""
    return Worker([hook_queue(client)], connection=client, serializer=JSONSerializer, maintenance_interval=15)


def main() -> None:
    """Work until SIGTERM; the job under way is finished first."""
    pulse = begin(HOOK_WORKER, SECONDS + DEQUEUE_TIMEOUT_S + MARGIN_S)
    logging.getLogger("requests_hardened").setLevel(logging.ERROR)  # the owner of a hook is told
    steps()  # connect and read the games before the first job waits for it
    working = hook_worker(connection())
    working.pulse = pulse
    working.work(logging_level="WARNING")


if __name__ == "__main__":
    main()
