"""`python -m bench.job_worker simple|fork`: a worker for bare jobs, set up as ours is; `simple` is ours."""

import sys

import rq
from rq.job import Job
from rq.serializers import JSONSerializer

from bench.queueing import queue
from workers.queues import connection
from workers.worker import Worker


class BareWorker(Worker):
    """Our worker, which runs what the bench names."""

    job_class: type[Job] = Job
    queue_class: type[rq.Queue] = rq.Queue


KINDS: dict[str, type[rq.worker.BaseWorker]] = {"simple": BareWorker, "fork": rq.Worker}


def main(kind: str) -> None:
    """Work until SIGTERM."""
    client = connection()
    worker = KINDS[kind](
        [queue(client, kind)], connection=client, serializer=JSONSerializer, maintenance_interval=15
    )
    worker.work(logging_level="WARNING")


if __name__ == "__main__":
    main(sys.argv[1])
