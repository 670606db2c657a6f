"""The settings of a process: one frozen object, read once from the environment."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from environs import Env
from marshmallow.validate import Range


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting; the name in the environment is the field's in capitals."""

    redis_url: str
    rq_redis_url: str
    data: Path
    host: str
    port: int
    partitions: int
    http_workers: int
    job_workers: int
    relay_name: str
    hook_workers: int
    webhook_hosts: frozenset[str]


@cache
def settings() -> Settings:
    """What the environment says; EnvError names what is wrong with it."""
    env = Env()
    redis_url = env.str("REDIS_URL", "")
    return Settings(
        redis_url=redis_url,
        rq_redis_url=env.str("RQ_REDIS_URL", redis_url),
        data=env.path("DATA", Path("var")),
        host=env.str("HOST", "127.0.0.1"),
        port=env.int("PORT", 8000, validate=Range(1, 65535)),
        partitions=env.int("PARTITIONS", 64, validate=Range(1, 1024)),
        http_workers=env.int("HTTP_WORKERS", 2, validate=Range(1, 64)),
        job_workers=env.int("JOB_WORKERS", 1, validate=Range(1, 64)),
        relay_name=env.str("RELAY_NAME", "relay"),
        hook_workers=env.int("HOOK_WORKERS", 1, validate=Range(1, 64)),
        webhook_hosts=frozenset(_hosts(env.str("WEBHOOK_HOSTS", ""))),
    )


def _hosts(listed: str) -> Iterator[str]:
    """Host names from a list with commas."""
    for host in listed.lower().split(","):
        if host.strip():
            yield host.strip()
