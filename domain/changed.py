"""A frozen thing with some fields changed: what `dataclasses.replace` does, in less than half the time.

Measured where it pays: a command folds some twenty of them, on states of eighteen fields.
"""

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

Thing = TypeVar("Thing")


def replace(old: Thing, **changes: Any) -> Thing:
    """A copy with these fields changed; for dataclasses with slots."""
    kind: Any = type(old)
    new: Thing = object.__new__(kind)
    for name, put in _slots(kind):
        put(new, changes[name] if name in changes else getattr(old, name))
    return new


@cache
def _slots(kind: Any) -> tuple[tuple[str, Callable[[Any, Any], None]], ...]:
    return tuple((item.name, getattr(kind, item.name).__set__) for item in fields(kind))
