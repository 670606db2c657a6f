"""Time, as an argument: milliseconds since 1970, and how a record writes them."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import TypeAlias

Clock: TypeAlias = Callable[[], int]


def now() -> int:
    """The time of this machine, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def iso(milliseconds: int) -> str:
    """RFC 3339 in UTC, to the millisecond: `2026-11-30T02:03:04.123Z`."""
    return f"{_second(milliseconds // 1000)}.{milliseconds % 1000:03d}Z"


def milliseconds(text: str) -> int:
    """What `iso` has written, in milliseconds since 1970; ValueError for what is no time."""
    moment = datetime.fromisoformat(text)
    return int(moment.timestamp()) * 1000 + moment.microsecond // 1000


@lru_cache(maxsize=8)
def _second(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"
