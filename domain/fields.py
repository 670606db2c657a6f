"""What a field of a command or event is besides its type: bounded, or secret."""

from collections.abc import Iterator
from dataclasses import field, fields
from typing import Any

from domain.errors import RuleBroken


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
    for item in fields(command):
        value = getattr(command, item.name)
        if "minimum" in item.metadata and value is not None:
            low, high = item.metadata["minimum"], item.metadata["maximum"]
            for number in value if isinstance(value, tuple) else (value,):
                if not low <= number <= high:
                    sentence = f"{item.name} lies from {low} to {high}, {number} does not."
                    raise RuleBroken("out_of_bounds", sentence)


def secret_fields(thing: Any) -> Iterator[tuple[str, str]]:
    """Names of the secret fields of an event or command, each with the field that says who may see it."""
    for item in fields(thing):
        if "seen_by" in item.metadata:
            yield item.name, item.metadata["seen_by"]
