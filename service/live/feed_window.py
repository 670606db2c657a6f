"""The latest commits of all matches, shared by all feed subscriptions of this process.

The one reader of the process fills it; a follower who is up to date costs the store nothing. Commits are
numbered here. When the reader starts over, a number is left out, so that no follower skips a gap unnoticed.
"""

from collections import deque
from collections.abc import Iterable
from itertools import islice
from threading import Lock
from typing import NamedTuple, TypeAlias

from service.errors import ServiceError

KEPT = 2000  # commits; a follower who is further behind reads the store

Positions: TypeAlias = tuple[bytes, ...]  # a place in the feed of each partition


class PositionGoneError(ServiceError, status=410, code="cursor_expired"):
    """Commits that followed a place in the feed are not kept any more."""

    def __init__(self) -> None:
        super().__init__("What followed this cursor is gone from the feed.")


class Pointer(NamedTuple):
    """A commit in the feed: of which partition, at which place there, and who may see it.

    `seen_by` is `*` for everybody, the id of the one API key whose match it is, or empty. `match` is empty
    where something else stands in the feed: it has a place, and that is all.
    """

    partition: int
    id: bytes
    match: str
    version: int
    seen_by: str

    def comes_after(self, positions: Positions) -> bool:
        """Whether it lies after a place."""
        return is_after(self.id, positions[self.partition])


def is_after(place: bytes, other: bytes) -> bool:
    """Whether a place in a partition lies after another one."""
    return _order(place) > _order(other)


def moved(positions: Positions, pointers: Iterable[Pointer]) -> Positions:
    """The place after these."""
    places = list(positions)
    for pointer in pointers:
        places[pointer.partition] = pointer.id
    return tuple(places)


def in_time(pointers: Iterable[Pointer]) -> list[Pointer]:
    """Pointers by the time of their commits; those of a partition stay in order."""
    return sorted(pointers, key=lambda pointer: _order(pointer.id))


class FeedWindow:
    """A window on the feed that moves on with it."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept, self._lock = kept, Lock()
        self._pointers: deque[Pointer] = deque()
        self._start: Positions | None = None  # the place before the oldest; None without a reader
        self._first = 0  # the number of the oldest

    @property
    def end(self) -> int:
        """The number that comes next."""
        return self._first + len(self._pointers)

    def begin(self, positions: Positions) -> None:
        """The reader starts over, at this place."""
        with self._lock:
            self._first = self.end + 1  # whatever came in the meantime is not here
            self._pointers.clear()
            self._start = positions

    def lose(self) -> None:
        """The reader has stopped, or lost the store."""
        self._start = None

    def add(self, pointers: Iterable[Pointer]) -> None:
        """The reader has read these."""
        with self._lock:
            assert self._start is not None  # it has begun
            self._pointers.extend(in_time(pointers))
            beyond = max(0, len(self._pointers) - self._kept)
            self._start = moved(self._start, [self._pointers.popleft() for _ in range(beyond)])
            self._first += beyond

    def join(self, positions: Positions) -> int | None:
        """The number from which to go on after a place; None if the window does not reach back that far."""
        with self._lock:
            start = self._start
            if start is None or any(map(_before, positions, start)):
                return None
            return self._first

    def since(self, number: int) -> list[Pointer] | None:
        """What has come from a number on; None if some of it is gone."""
        with self._lock:
            if self._start is None or number < self._first:
                return None
            return list(islice(self._pointers, number - self._first, None))


def _before(one: bytes, other: bytes) -> bool:
    return one != other and _order(one) < _order(other)


def _order(id_: bytes) -> tuple[int, int]:
    ms, _, number = id_.partition(b"-")
    return int(ms), int(number)
