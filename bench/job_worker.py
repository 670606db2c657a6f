"""`python -m bench.job_worker simple|fork`: a worker for bare jobs, set up as ours is; `simple` is ours."""

import sys

import rq
from rq.serializers import JSONSerializer

from bench.queueing import queue
from workers.queue import connection
from workers.worker import Worker

KINDS: dict[str, type[rq.worker.BaseWorker]] = {"simple": Worker, "fork": rq.Worker}


def main(kind: str) -> None:
    """Work until SIGTERM."""
    client = connection()
    worker = KINDS[kind](
        [queue(client, kind)], connection=client, serializer=JSONSerializer, maintenance_interval=15
    )
    worker.work(logging_level="WARNING")


if __name__ == "__main__":
    main(sys.argv[1])
