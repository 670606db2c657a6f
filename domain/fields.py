"""What a field of a command or event is besides its type: bounded, or secret."""

from dataclasses import field, fields
from functools import cache
from typing import Any

from domain.errors import RuleBroken
from domain.refusals import MatchRefusal

PERSONAL = {"personal": True}  # metadata of a player's name: sealed under a key of its own, to be forgotten


def secret(seen_by: str = "seat", **bounds: Any) -> Any:
    """A dataclass field that only some seats may see; `seen_by` names the field with their number or numbers.

    On a command the field is seen by who gave it. Sealed in the log until the match's secrets are revealed.
    Such a field may have `bounds` like another.
    """
    return field(metadata={"seen_by": seen_by, **bounds})


def bounds(minimum: int, maximum: int, most: int | None = None) -> dict[str, Any]:
    """The least and greatest number of a field; of a list, of each of its numbers, and how many at most."""
    return {"minimum": minimum, "maximum": maximum, "most": most}


def bounded(minimum: int, maximum: int, *, optional: bool = False, most: int | None = None) -> Any:
    """A command's field of an integer, or a list of them, with bounds; an optional one may be absent."""
    within = bounds(minimum, maximum, most)
    return field(default=None, metadata=within) if optional else field(metadata=within)


def check_bounds(command: Any) -> None:
    """RuleBroken where a number lies outside the bounds of its field."""
    kind: Any = type(command)
    for name, low, high in _bounded_fields(kind):
        value = getattr(command, name)
        for number in value if isinstance(value, tuple) else () if value is None else (value,):
            if not low <= number <= high:
                raise RuleBroken(
                    MatchRefusal.OUT_OF_BOUNDS, f"{name} must be from {low} to {high}, not {number}."
                )


def secret_fields(thing: Any) -> tuple[tuple[str, str], ...]:
    """Names of the secret fields of an event or command, each with the field that says who may see it."""
    kind: Any = type(thing)
    return _secret_fields(kind)


def personal_fields(kind: Any) -> tuple[str, ...]:
    """Names of the fields of a class that name a player."""
    return tuple(item.name for item in fields(kind) if "personal" in item.metadata)


def secrets_of(kind: type) -> tuple[str, ...]:
    """Names of the secret fields of a class of events or commands."""
    return tuple(name for name, _ in _secret_fields(kind))


@cache
def _bounded_fields(kind: Any) -> tuple[tuple[str, int, int], ...]:
    bounded_ones = (item for item in fields(kind) if "minimum" in item.metadata)
    return tuple((item.name, item.metadata["minimum"], item.metadata["maximum"]) for item in bounded_ones)


@cache
def _secret_fields(kind: Any) -> tuple[tuple[str, str], ...]:
    return tuple((item.name, item.metadata["seen_by"]) for item in fields(kind) if "seen_by" in item.metadata)
