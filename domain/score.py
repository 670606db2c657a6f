"""Score sheets, and how a match ended."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Part:
    """One line of a score sheet; `detail` says what it is made of, where there is more to say."""

    name: str
    points: int
    detail: Any = None  # Json; codecs do not know recursive types


@dataclass(frozen=True, slots=True)
class SeatScore:
    """The score sheet of one seat."""

    seat: int
    parts: tuple[Part, ...]
    total: int

    @classmethod
    def of(cls, seat: int, parts: Iterable[Part]) -> Self:
        """The sheet of a seat with these parts, added up."""
        listed = tuple(parts)
        return cls(seat, listed, sum(part.points for part in listed))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: seats best first (tied ones together), winners, and a word for it (solo level)."""

    ranking: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...]
    result: str | None = None


def ranked(worth: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """The seats best first, those of equal worth together; `worth` has what decides, by seat."""
    order = sorted(range(len(worth)), key=worth.__getitem__, reverse=True)
    return tuple(tuple(tied) for _, tied in groupby(order, key=worth.__getitem__))
