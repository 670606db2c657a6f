"""What a journal does: append commits, all or none, once, on top of what the writer has seen."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from service.errors import ServiceError
from service.log.names import FIELD as NAME_FIELD
from service.log.record import GENESIS, Entry

LISTED_FIELDS = ("game", "status")
ROW_FIELDS = {*LISTED_FIELDS, "version", "created", "lobby", "to_act"}  # and the names of players
KEPT_ANSWER_S = 24 * 60 * 60  # how long a command id is remembered


@dataclass(frozen=True, slots=True)
class Head:
    """Where a match's log stands, and what is kept beside it: status, game, secrets, names, token digests."""

    version: int = 0
    hash: str = GENESIS
    fields: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Append:
    """Commits to be added, all or none, if the log still ends at `expected`.

    `fields` are set in the head; an empty value removes one. With a `place` among them the match is in the
    public list, by its `game` and `status`; with `owner` and `created`, in the list of its owner's matches. A
    `token:<actor>` leads to the match. `due_task` names the job the last commit calls for, `alone` says
    that nobody waits for it. With a `key` the append happens once: `answer` is kept with it, and given to
    whoever comes with the same key again.
    """

    match: str
    expected: Head
    entries: Sequence[Entry]
    hash: str
    fields: Mapping[str, str] = field(repr=False)
    due_task: str = ""
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
    """The log ends elsewhere than the writer thought: where, and the first commits it lacks.

    `fields` are those of the head as it is now.
    """

    version: int
    hash: str
    missing: Sequence[Entry]
    fields: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)


Appended: TypeAlias = Accepted | Done | Conflict


@dataclass(frozen=True, slots=True)
class Listed:
    """A match in a list: its place in it, its game and its status there, and what its head says of it.

    It is not sound if its head is gone or malformed: the list goes on without the match.
    """

    place: str
    match: str
    game: str
    status: str
    sound: bool = True
    fields: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)


def place_of(match: str, created: int) -> str:
    """The place of a match in a list, which is sorted by it."""
    return f"{created:015d}-{match}"


def row_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """What a list says of a match, of all that stands in its head: no secrets, no tokens."""
    return {
        name: value for name, value in fields.items() if name in ROW_FIELDS or name.startswith(NAME_FIELD)
    }


class StoreUnavailableError(ServiceError, status=503, code="store_unavailable", retry_after_s=1):
    """The store does not answer, or refuses: nothing was read or changed."""

    @property
    def detail(self) -> str:
        """The reason is for the operator: it may name hosts."""
        return "The store does not answer, or refuses; nothing was read or changed."


class StoreNotDurableError(StoreUnavailableError, status=503, code="store_unavailable", retry_after_s=1):
    """The store would not keep what it acknowledges: nothing was changed; reads go on."""

    @property
    def detail(self) -> str:
        """Names the setting, which is no secret: `/readyz` does, too."""
        return f"The store is not durable ({self}); nothing was changed."


class OverloadedError(StoreUnavailableError, status=503, code="overloaded", retry_after_s=1):
    """The process has no connection to the store to spare: nothing was sent."""

    @property
    def detail(self) -> str:
        """Nothing is hidden here."""
        return "All connections to the store are in use; nothing was done."


class StoreFullError(StoreUnavailableError, status=503, code="store_full", retry_after_s=30):
    """The store has no memory or no disk left: nothing was changed; reads go on."""

    @property
    def detail(self) -> str:
        """The reason is for the operator."""
        return "The store is full: nothing was changed. You can still read."


class OutcomeUnknownError(ServiceError, status=503, code="outcome_unknown", retry_after_s=1):
    """The connection was lost after an append was sent: it is stored, or it is not."""

    @property
    def detail(self) -> str:
        """The reason is for the operator: it may name hosts."""
        return "The connection to the store was lost after sending: it may be stored or not."


class Journal(Protocol):
    """The port; times are milliseconds since 1970.

    Whatever reads one match raises MatchUnreadableError where head and log contradict each other, or are not
    what an append writes.
    """

    def append(self, append: Append) -> Appended:
        """Add commits; StoreUnavailableError if they are refused, OutcomeUnknownError if nobody knows."""

    def head(self, match: str) -> Head:
        """Where the log stands; version 0 if there is no such match."""

    def open(self, match: str) -> tuple[Head, bytes | None]:
        """Head and snapshot, in one trip; MatchUnreadableError if there is a log without a head."""

    def catch_up(self, match: str, after: int, count: int = 500) -> tuple[Head, list[Entry]]:
        """The head, and the first commits after a version, in one trip.

        The log is never behind the head: MatchUnreadableError if it is, whatever the caller has seen of it.
        """

    def read(self, match: str, after: int, upto: int | None = None, count: int = 500) -> list[Entry]:
        """At most `count` commits with `after` < version <= `upto`, in order."""

    def answer(self, match: str, key: str) -> str | None:
        """The answer kept with a key, while it is remembered."""

    def save_snapshot(self, match: str, snapshot: bytes) -> None:
        """Keep a snapshot for a while; it may vanish at any time."""

    def checks(self) -> dict[str, str]:
        """What has to be true for an acknowledged commit to be safe, each `ok` or what is wrong instead."""

    def matches(self) -> Iterator[str]:
        """Every match of which there is a head, a log, or a place in the public list; some may come twice."""

    def listing(
        self, before: str | None, count: int, game: str = "", status: str = "", owner: str = ""
    ) -> list[Listed]:
        """Public matches, newest first, that come after a place in the list: all, or of a game, of a status.

        With an `owner` (the id of an API key): the matches created with it, private ones too.

        A list moves with the commit that changes the status, and costs the same however many there are.
        """

    def held(self, token: str) -> Listed | None:
        """The match that a token (its digest) is good for; None if it is unknown or was removed."""

    def idle(self, since_ms: int, count: int) -> list[str]:
        """Open and playing matches without a commit for so long, the longest first."""

    def idle_ms(self, match: str) -> int | None:
        """How long an open or playing match has been without a commit; None for any other match."""

    def leave_idle(self, match: str, since_ms: int) -> None:
        """List an idle match as if its last commit had come so long ago; a later commit still counts."""
