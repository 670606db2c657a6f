"""Where the server's secrets come from: the operating system, or, to repeat a match, a seed."""

from collections.abc import Callable
from hashlib import shake_256
from itertools import count
from secrets import token_bytes
from typing import TypeAlias

RandomBytes: TypeAlias = Callable[[int], bytes]  # so many random bytes, others at each call
random_bytes: RandomBytes = token_bytes


def repeatable(seed: bytes) -> RandomBytes:
    """The same bytes again for the same seed: for simulations and golden logs, never for people's matches."""
    calls = count()
    return lambda size: shake_256(b"%s/%d" % (seed, next(calls))).digest(size)
