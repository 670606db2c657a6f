"""The shapes of what is shown of a match, as JSON; the description of the API is made of them.

Beside a type stands what a caller needs to know of the field.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from orjson import Fragment

from domain.match.state import Status

NextPage: TypeAlias = Annotated[str | None, "The cursor of the next page; null on the last page."]
StatusAt: TypeAlias = Annotated[Status, "The match's status at `version`."]
ToActAt: TypeAlias = Annotated[Sequence[int], "The seats that must act at `version`."]


class SeatDocument(TypedDict):
    """A seat of a match."""

    seat: int
    kind: Literal["human", "bot", "automaton"]
    name: Annotated[
        str | None,
        "The player, or the kind of bot. `(forgotten)` if the player's name was forgotten; null if the seat"
        " is open or empty, so you can take it.",
    ]
    entropy: str | None


class EditionName(TypedDict):
    """An edition by name and content."""

    name: str
    hash: Annotated[str, "SHA-256 over the RFC 8785 form of the edition."]


class SeedDocument(TypedDict):
    """What is public about the seed, which decides all draws."""

    by: Annotated[
        Literal["server", "creator"],
        "Who chose it. `creator`: the creator of the match can know every draw in advance.",
    ]
    commitment: Annotated[str, "SHA-256(sealing key ‖ seed)."]
    revealed: Annotated[str | None, "The seed, once it is revealed."]


class SealingDocument(TypedDict):
    """What is public about the key that seals hidden things; it is always random."""

    commitment: Annotated[str, "SHA-256(sealing key)."]
    revealed: Annotated[str | None, "The sealing key, once it is revealed, with the seed."]


class MatchDocument(TypedDict):
    """A match, as you may see it."""

    id: str
    version: int
    hash: Annotated[str, "The hash of the commit with this version."]
    viewer: Annotated[int | None, "Your seat; null for a spectator."]
    game: str
    rules_version: int
    edition: EditionName
    options: Mapping[str, Any]
    private: bool
    seed: SeedDocument
    sealing: SealingDocument
    status: Annotated[
        Status,
        "`open` while seats are free, `playing`, `scoring` from the last move until the score is stored"
        " (usually milliseconds: wait for `finished`), `finished`, or `closed` without a score.",
    ]
    seats: Sequence[SeatDocument]
    to_act: Annotated[Sequence[int], "The seats whose turn it is."]
    position: Annotated[
        Mapping[str, Any] | None,
        "The position as you see it; null before the start. Its fields depend on the game: the section"
        " `Position` of its rules explains each (`/v1/games/{game}/rules#position`). It shows what the rules"
        " show; the log has what is opened after the end.",
    ]
    links: Mapping[str, str]


class Turn(TypedDict):
    """How a match stands at a version, and which seats owe a decision."""

    version: int
    status: StatusAt
    to_act: ToActAt


class Commit(TypedDict):
    """One accepted command and its events. [Verifying](/docs/verifying) explains hashing and sealing."""

    format: int
    match: str
    version: int
    at: str
    by: str
    command: Mapping[str, Any]
    command_id: str
    events: Sequence[Mapping[str, Any]]
    sealed: Mapping[str, str]
    opened: NotRequired[
        Annotated[
            Mapping[str, Any],
            "The sealed values that you may see: salt and value by pointer. Players' names are open to"
            " everyone, unless they were forgotten.",
        ]
    ]
    previous: str
    hash: str


Commits: TypeAlias = Sequence[Annotated[Fragment, Commit]]
PreferredMatch: TypeAlias = Annotated[
    MatchDocument, "The match at `version`, with `Prefer: return=representation`."
]


class LogPage(TypedDict):
    """A page of the log."""

    items: Commits
    version: Annotated[int, "The newest version of the match."]
    status: StatusAt
    to_act: ToActAt
    next: Annotated[str | None, "The next page; null on the last page."]


class CommandAnswer(TypedDict):
    """What your commands caused."""

    version: int
    commits: Commits
    status: StatusAt
    to_act: ToActAt
    legal: Annotated[str, "For a seat: links to the commands you can send."]
    match: NotRequired[PreferredMatch]


class LegalPage(Turn):
    """Your legal commands, each a body ready to send."""

    seat: int
    commands: Sequence[Annotated[Mapping[str, Any], {"x-is": "Command"}]]
    more: Annotated[
        bool,
        "true: there are more legal commands than listed. They are accepted too; ask again with a higher"
        " `limit` to list them.",
    ]
    match: NotRequired[PreferredMatch]


class PartDocument(TypedDict):
    """A line of a score sheet."""

    name: str
    points: int
    detail: Any


class SheetDocument(TypedDict):
    """A score sheet."""

    seat: int
    parts: Sequence[PartDocument]
    total: int


class ScoreDocument(TypedDict):
    """The score, part by part. Before the end, it leaves out what depends on hidden things."""

    version: int
    final: bool
    seats: Sequence[SheetDocument]
    ranking: Sequence[Sequence[int]] | None
    winners: Sequence[int] | None
    result: str | None


class RehearsalDocument(TypedDict):
    """What commands would cause, in all of 8 simulated matches consistent with what you can see."""

    dry_run: Annotated[bool, "Always true: nothing happened."]
    version: Annotated[int, "The version of the match, which does not change."]
    accepted: Annotated[int, "How many of the commands are certain to be accepted."]
    events: Annotated[Sequence[Mapping[str, Any]], "What is certain to happen, as you would see it."]
    certain: Annotated[bool, "false: what follows depends on chance or on something hidden."]
    status: Annotated[Status | None, "Afterwards; null if uncertain."]
    to_act: Annotated[Sequence[int] | None, "Afterwards; null if uncertain."]
