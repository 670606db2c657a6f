"""The settings of a process: one frozen object, read once from the environment."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from environs import Env, EnvValidationError, ValidationError, validate

from service.memory_size import size_of
from service.rate_limits.policy import policy_of

SPARE_CONNECTIONS = 256


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
    bot_workers: int
    relay_name: str
    open_creation: bool
    open_bot_matches: bool
    proxies: int
    limit_writes: str
    limit_reads: str
    limit_creations: str
    limit_bot_matches: str
    limit_failures: str
    cors_origins: tuple[str, ...]
    access_log: bool
    streams_per_caller: int
    streams_per_process: int
    stream_seconds: int
    hook_workers: int
    requests_per_process: int
    head_seconds: float
    body_seconds: float
    unfinished_per_address: int
    webhook_hosts: frozenset[str]
    store_memory: int
    idle_days: int

    @property
    def unfinished_per_process(self) -> int:
        """Connections that owe a request, of all addresses: where it is full, the oldest gives way."""
        return 2 * self.unfinished_per_address


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
        port=env.int("PORT", 8000, validate=validate.Range(1, 65535)),
        partitions=env.int("PARTITIONS", 64, validate=validate.Range(1, 512)),
        http_workers=env.int("HTTP_WORKERS", 2, validate=validate.Range(1, 64)),
        job_workers=env.int("JOB_WORKERS", 1, validate=validate.Range(1, 64)),
        bot_workers=env.int("BOT_WORKERS", 1, validate=validate.Range(1, 64)),
        relay_name=env.str("RELAY_NAME", "relay"),
        open_creation=env.bool("OPEN_CREATION", True),
        open_bot_matches=env.bool("OPEN_BOT_MATCHES", False),
        proxies=env.int("PROXIES", 0, validate=validate.Range(0, 8)),
        limit_writes=env.str("LIMIT_WRITES", "6000/minute", validate=_limit),
        limit_reads=env.str("LIMIT_READS", "30000/minute", validate=_limit),
        limit_creations=env.str("LIMIT_CREATIONS", "3000/minute", validate=_limit),
        limit_bot_matches=env.str("LIMIT_BOT_MATCHES", "60/minute", validate=_limit),
        limit_failures=env.str("LIMIT_FAILURES", "300/minute", validate=_limit),
        cors_origins=tuple(origin.strip() for origin in env.list("CORS_ORIGINS", ["*"])),
        access_log=env.bool("ACCESS_LOG", default=True),
        streams_per_caller=env.int("STREAMS_PER_CALLER", 32, validate=validate.Range(1, 100_000)),
        streams_per_process=env.int("STREAMS_PER_PROCESS", 3000, validate=validate.Range(1, 100_000)),
        stream_seconds=env.int("STREAM_SECONDS", 600, validate=validate.Range(1, 86_400)),
        requests_per_process=env.int("REQUESTS_PER_PROCESS", 1024, validate=validate.Range(1, 100_000)),
        head_seconds=env.float("HEAD_SECONDS", 10.0, validate=validate.Range(0.1, 600)),
        body_seconds=env.float("BODY_SECONDS", 30.0, validate=validate.Range(0.1, 600)),
        unfinished_per_address=env.int("UNFINISHED_PER_ADDRESS", 1024, validate=validate.Range(1, 100_000)),
        hook_workers=env.int("HOOK_WORKERS", 1, validate=validate.Range(1, 64)),
        webhook_hosts=frozenset(_hosts(env.str("WEBHOOK_HOSTS", ""))),
        store_memory=_store_memory(env.str("STORE_MEMORY", "50%")),
        idle_days=env.int("IDLE_DAYS", 30, validate=validate.Range(0, 36_500)),
    )


def _limit(notation: str) -> None:
    if notation:
        try:
            policy_of("", notation)
        except ValueError as wrong:
            raise ValidationError(str(wrong)) from wrong


def _store_memory(notation: str) -> int:
    try:
        return size_of(notation)
    except ValueError as wrong:
        raise EnvValidationError(f"STORE_MEMORY: {wrong}", [str(wrong)]) from wrong


def _hosts(listed: str) -> Iterator[str]:
    """Host names from a list with commas."""
    for host in listed.lower().split(","):
        if host.strip():
            yield host.strip()


def connections(set_up: Settings) -> int:
    """Connections that one HTTP process takes: room for everything that it admits."""
    admitted = set_up.streams_per_process + set_up.requests_per_process + set_up.unfinished_per_process
    return admitted + SPARE_CONNECTIONS
