"""A frozen thing with some fields changed: what `dataclasses.replace` does, in less than half the time.

Measured where it pays: a command folds some twenty of them, on states of eighteen fields. Type checkers see
`dataclasses.replace`, and so check every field.
"""

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from dataclasses import replace as replace  # noqa: PLC0414  to be imported from here
else:
    Thing = TypeVar("Thing")

    def replace(old: Thing, /, **changes: Any) -> Thing:
        """A copy with these fields changed, for dataclasses with slots; TypeError names an unknown field."""
        kind = type(old)
        new = object.__new__(kind)
        for name, put in _slots(kind):
            put(new, changes.pop(name) if name in changes else getattr(old, name))
        if changes:
            raise TypeError(f"{kind.__name__} has no field {', '.join(changes)}")
        return new


@cache
def _slots(kind: Any) -> tuple[tuple[str, Callable[[Any, Any], None]], ...]:
    return tuple((item.name, getattr(kind, item.name).__set__) for item in fields(kind))
