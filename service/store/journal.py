"""What a journal does: append commits, all or none, once, on top of what the writer has seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from service.log.record import GENESIS, Entry

KEPT_ANSWER_SECONDS = 24 * 60 * 60  # how long a command id is remembered


@dataclass(frozen=True, slots=True)
class Head:
    """Where a match's log stands, and what is kept beside it: status, game, the seed, token digests."""

    version: int = 0
    hash: str = GENESIS
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Append:
    """Commits to be added, all or none, if the log still ends at `expected`.

    `fields` are set in the head; an empty value removes one. With a `place` among them the match is in the
    public list, by its `game` and `status`. `calls` names the job the last commit calls for, `alone` says
    that nobody waits for it. With a `key` the append happens once: `answer` is kept with it, and given to
    whoever comes with the same key again.
    """

    match: str
    expected: Head
    entries: Sequence[Entry]
    hash: str
    now: int
    fields: Mapping[str, str]
    calls: str = ""
    alone: bool = False
    key: str | None = None
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Accepted:
    """All commits are stored, durably."""


@dataclass(frozen=True, slots=True)
class Done:
    """The key was used before: the answer kept with it; nothing was added."""

    answer: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """The log ends elsewhere than the writer thought: where it ends, and the (first) commits he lacks.

    `fields` are those of the head as it is now.
    """

    version: int
    hash: str
    missing: Sequence[Entry]
    fields: Mapping[str, str] = field(default_factory=dict, compare=False)


Appended: TypeAlias = Accepted | Done | Conflict


@dataclass(frozen=True, slots=True)
class Listed:
    """A match in the public list: its place in it, its game and its status."""

    place: str
    match: str
    game: str
    status: str


def place_of(match: str, created: int) -> str:
    """The place of a match in the public list, which is sorted by it."""
    return f"{created:015d}-{match}"


class StoreUnavailableError(Exception):
    """The store does not answer: nothing was read."""


class OutcomeUnknownError(Exception):
    """The connection was lost after an append was sent: it is stored, or it is not."""


class Journal(Protocol):
    """The port; times are milliseconds since 1970."""

    def append(self, append: Append) -> Appended:
        """Add commits; OutcomeUnknownError if the connection is lost."""

    def head(self, match: str) -> Head:
        """Where the log stands; version 0 if there is no such match."""

    def open(self, match: str) -> tuple[Head, bytes | None]:
        """Head and snapshot, in one trip."""

    def catch_up(self, match: str, after: int, count: int = 500) -> tuple[Head, list[Entry]]:
        """The head, and the first commits after a version, in one trip; the log is never behind the head."""

    def read(self, match: str, after: int, upto: int | None = None, count: int = 500) -> list[Entry]:
        """At most `count` commits with `after` < version <= `upto`, in order."""

    def answer(self, match: str, key: str) -> str | None:
        """The answer kept with a key, while it is remembered."""

    def save_snapshot(self, match: str, snapshot: bytes) -> None:
        """Keep a snapshot for a while; it may vanish at any time."""

    def checks(self) -> dict[str, str]:
        """What has to be true for an acknowledged commit to be safe, each `ok` or what is wrong instead."""

    def listing(self, before: str | None, count: int, game: str = "", status: str = "") -> list[Listed]:
        """Public matches, newest first, that come after a place in the list: all, or of a game, of a status.

        The list moves with the commit that changes the status, and costs the same however many there are.
        """

    def idle(self, since_ms: int, count: int) -> list[str]:
        """Open and playing matches without a commit for so long, the longest first."""

    def idle_ms(self, match: str) -> int | None:
        """How long an open or playing match has been without a commit; None for any other match."""

    def leave_idle(self, match: str, since_ms: int) -> None:
        """List an idle match as if its last commit had come so long ago; a later commit still counts."""
