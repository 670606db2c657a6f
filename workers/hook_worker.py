"""A worker for the webhooks, apart from the one for matches."""

import logging
from typing import Any

from rq.serializers import JSONSerializer

from workers.hook_queue import hook_queue
from workers.hooks import steps
from workers.queue import connection
from workers.worker import Worker


def hook_worker(client: Any) -> Worker:
    """A worker on the queue of the webhooks."""
    return Worker([hook_queue(client)], connection=client, serializer=JSONSerializer, maintenance_interval=15)


def main() -> None:
    """Work until SIGTERM; the job under way is finished first."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s webhook worker %(levelname)s %(message)s")
    logging.getLogger("requests_hardened").setLevel(logging.ERROR)  # the owner of a hook is told
    steps()  # connect and read the games before the first job waits for it
    hook_worker(connection()).work(logging_level="WARNING")


if __name__ == "__main__":
    main()
