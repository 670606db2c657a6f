"""The only jobs that a worker runs: those of this table, in the form in which we write them.

RQ runs whatever function a job names, and whatever callbacks it carries, and a queue may live on a server
that others can write to. So a job is judged when it is read, before anything of it is used: a job that is not
ours is put aside with its reason, and for RQ it does not exist.
"""

import re
from collections.abc import Mapping
from typing import Any

import redis
from redis.client import Pipeline
from rq.exceptions import NoSuchJobError
from rq.executions import Execution, ExecutionRegistry
from rq.job import Job
from rq.results import Result
from rq.serializers import JSONSerializer

from domain.match.state import TASKS
from service.bootstrap import dead_letters
from service.redis_store.feed import MATCH

FUNCTIONS = {f"workers.jobs.{task}": task for task in TASKS}
JOB_TIMEOUT_S = 4  # the most a job may take, whatever it says
NAME = re.compile(rb"[A-Za-z0-9_-]{1,200}")
FIELDS = frozenset(  # the rest (callbacks, webhooks, repeats, groups, dependencies, rates) we never set
    b"created_at data started_at ended_at last_heartbeat worker_name origin description enqueued_at timeout "
    b"result_ttl failure_ttl status number_of_retries retries_left retry_intervals result exc_info "
    b"success_callback_timeout failure_callback_timeout stopped_callback_timeout".split()
)


class ForeignJobError(NoSuchJobError):
    """A job that we did not write; RQ passes on as if it were gone."""


def job_id(match: str, version: int, task: str) -> str:
    """`<match>-<version>-<task>`."""
    return f"{match}-{version}-{task}"


class NamedJob(Job):
    """A job of ours: one of the named functions, for a match and a version, and nothing beside it."""

    def refresh(self) -> None:
        """Read it from the queue's server; ForeignJobError, with the job put aside, if it is not ours."""
        try:
            kept: Any = self.connection.hgetall(self.key)
        except redis.ResponseError as refused:  # another kind of key in its place
            raise self._put_aside({}, str(refused)) from refused
        if not kept:
            raise NoSuchJobError(f"There is no job {self.key}.")
        self.restore(kept)

    def restore(self, raw_data: Mapping[bytes, bytes]) -> None:
        """Take over what is kept of a job, if it is one of ours; ForeignJobError."""
        try:
            self._judge_fields(raw_data)
            super().restore(raw_data)
            self._judge()
        except redis.RedisError:
            raise
        except Exception as flaw:
            raise self._put_aside(raw_data, f"{type(flaw).__name__}: {flaw}") from flaw

    def _judge_fields(self, kept: Mapping[bytes, bytes]) -> None:
        for name, value in kept.items():
            if value and name not in FIELDS:
                raise ValueError(f"it carries {name!r}")

    def _judge(self) -> None:
        """ValueError says what is not as we write it."""
        if self.func_name not in FUNCTIONS:
            raise ValueError(f"no worker runs {self.func_name!r}")
        match, version = self.args
        if self.instance is not None or self.kwargs or type(version) is not int or version < 1:
            raise ValueError("its arguments are not a match and a version")
        if not MATCH.fullmatch(match) or self.id != job_id(match, version, FUNCTIONS[self.func_name]):
            raise ValueError("its name is not made of its arguments")
        self.timeout = JOB_TIMEOUT_S

    def _put_aside(self, kept: Mapping[bytes, bytes], why: str) -> ForeignJobError:
        dead_letters().put("queue", self.id, dict(kept), why)
        self.connection.delete(self.key)
        return ForeignJobError(why)


def discard(job: Job, pipe: Pipeline) -> None:
    """Remove a job and every trace of it, also of a run whose worker died.

    Job.delete of RQ reads each run first, and fails from the moment a dead run's record has expired until
    its entry in the list has, a minute later.
    """
    started, runs = job.started_job_registry, ExecutionRegistry(job.id, job.connection)
    listed: Any = job.connection.zrange(runs.key, 0, -1)
    ids = [id_.decode() for id_ in listed]
    for registry in (started, job.failed_job_registry, job.finished_job_registry):
        pipe.zrem(registry.key, job.id, *(f"{job.id}:{id_}" for id_ in ids))
    executions = [Execution(id_, job.id, job.connection).key for id_ in ids]
    results: str = Result.get_key(job.id)  # type: ignore[no-untyped-call]  # RQ's
    pipe.delete(job.key, runs.key, results, *executions)


SERIALIZER = JSONSerializer
