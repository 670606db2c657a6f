"""The settings of a process: one frozen object, read once from the environment."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from environs import Env, EnvValidationError, ValidationError, validate

from service.memory_size import size_of
from service.rate_limits.policy import policy_of

SPARE_CONNECTIONS = 256


def _read(how: Callable[[Env, str], Any], *, shown: bool = True) -> Any:
    """A setting by how it is read, from an environment and by its name there; a secret is not shown."""
    return field(metadata={"read": how}, repr=shown)


def _text(default: str) -> Any:
    return _read(lambda env, name: env.str(name, default))


def _flag(default: bool) -> Any:
    return _read(lambda env, name: env.bool(name, default))


def _whole(default: int, low: int, high: int) -> Any:
    return _read(lambda env, name: env.int(name, default, validate=validate.Range(low, high)))


def _seconds(default: float) -> Any:
    return _read(lambda env, name: env.float(name, default, validate=validate.Range(0.1, 600)))


def _rate(default: str) -> Any:
    return _read(lambda env, name: env.str(name, default, validate=_limit))


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting; the name in the environment is the field's in capitals."""

    redis_url: str = _text("")
    rq_redis_url: str = _read(lambda env, name: env.str(name, env.str("REDIS_URL", "")))
    data: Path = _read(lambda env, name: env.path(name, Path("var")))  # noqa: RUF009  a field
    host: str = _text("127.0.0.1")
    port: int = _whole(8000, 1, 65535)
    partitions: int = _whole(64, 1, 512)
    http_workers: int = _whole(2, 1, 64)
    job_workers: int = _whole(1, 1, 64)
    bot_workers: int = _whole(1, 1, 64)
    relay_name: str = _text("relay")
    open_creation: bool = _flag(True)
    open_bot_matches: bool = _flag(False)
    proxies: int = _whole(0, 0, 8)
    limit_writes: str = _rate("6000/minute")
    limit_reads: str = _rate("30000/minute")
    limit_creations: str = _rate("3000/minute")
    limit_bot_matches: str = _rate("60/minute")
    limit_failures: str = _rate("300/minute")
    cors_origins: tuple[str, ...] = _read(
        lambda env, name: tuple(origin.strip() for origin in env.list(name, ["*"]))
    )
    access_log: bool = _flag(True)
    streams_per_caller: int = _whole(32, 1, 100_000)
    streams_per_process: int = _whole(3000, 1, 100_000)
    stream_seconds: int = _whole(600, 1, 86_400)
    hook_workers: int = _whole(1, 1, 64)
    requests_per_process: int = _whole(1024, 1, 100_000)
    head_seconds: float = _seconds(10.0)
    body_seconds: float = _seconds(30.0)
    unfinished_per_address: int = _whole(1024, 1, 100_000)
    webhook_hosts: frozenset[str] = _read(lambda env, name: frozenset(_hosts(env.str(name, ""))))
    store_memory: int = _read(lambda env, name: _store_memory(env.str(name, "50%")))
    idle_days: int = _whole(30, 0, 36_500)
    signing_key: bytes | None = _read(lambda env, name: _signing_key(env.str(name, "")), shown=False)

    @property
    def unfinished_per_process(self) -> int:
        """Connections that owe a request, of all addresses: where it is full, the oldest gives way."""
        return 2 * self.unfinished_per_address


@cache
def settings() -> Settings:
    """What the environment says; EnvError names what is wrong with it."""
    env = Env()
    return Settings(**{item.name: item.metadata["read"](env, item.name.upper()) for item in fields(Settings)})


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


def _signing_key(given: str) -> bytes | None:
    if not given:
        return None
    from service.log.private_key import read_private_key

    try:
        return read_private_key(given)
    except ValueError as wrong:
        raise EnvValidationError(f"SIGNING_KEY: {wrong}", [str(wrong)]) from wrong


def _hosts(listed: str) -> Iterator[str]:
    """Host names from a list with commas."""
    for host in listed.lower().split(","):
        if host.strip():
            yield host.strip()


def connections(set_up: Settings) -> int:
    """Connections that one HTTP process takes: room for everything that it admits."""
    admitted = set_up.streams_per_process + set_up.requests_per_process + set_up.unfinished_per_process
    return admitted + SPARE_CONNECTIONS
