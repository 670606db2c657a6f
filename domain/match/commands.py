"""What may be asked of any match; moves are the game's own commands."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from domain.fields import PERSONAL, bounded
from domain.stored import stored

MOST_SEATS = 16  # more than at any table

BOTS = ("random",)  # who may be asked for; a log may name others, for it is older or newer than this list


def _bot(**default: Any) -> Any:
    return field(metadata={"choices": BOTS}, **default)


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table, open while nameless; `entropy` is what its player added to the seed, in hex.

    A bot's name says which bot plays, a player's is personal.
    """

    kind: Literal["human", "bot", "automaton"]
    name: str | None = field(default=None, metadata=PERSONAL)
    entropy: str | None = None

    @property
    def player(self) -> bool:
        """Whether a person sits here."""
        return self.kind == "human" and self.name is not None


@stored("create_match")
@dataclass(frozen=True, slots=True)
class CreateMatch:
    """Lay a table: a game, its edition and options, and the players' seats.

    `rules_version` is asked for by who wants other rules than the newest.
    """

    game: str
    edition: str
    options: Mapping[str, bool | int | str]
    seats: tuple[Seat, ...]
    private: bool = False
    rules_version: int | None = None


@stored("take_seat")
@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Sit down on an open seat, or on one that was left; `invite` is the digest of a code."""

    seat: int
    name: str = field(metadata=PERSONAL)
    entropy: str | None = None
    invite: str | None = None


@stored("leave_seat")
@dataclass(frozen=True, slots=True)
class LeaveSeat:
    """Get up from one's own seat; its token is good for nothing any more."""

    seat: int


@stored("seat_bot")
@dataclass(frozen=True, slots=True)
class SeatBot:
    """Let a bot play a seat from now on; whoever sits there is out, and so is his token."""

    seat: int = bounded(0, MOST_SEATS - 1)
    bot: str = _bot()


@stored("start_match")
@dataclass(frozen=True, slots=True)
class StartMatch:
    """Start now: a bot plays every seat that is open."""

    bot: str = _bot(default=BOTS[0])


@stored("close_match")
@dataclass(frozen=True, slots=True)
class CloseMatch:
    """End the match here and now, without a score."""


@stored("close_idle_match")
@dataclass(frozen=True, slots=True)
class CloseIdleMatch:
    """End a match without a score because nothing has happened in it for so many days."""

    idle_days: int


@stored("rotate_token")
@dataclass(frozen=True, slots=True)
class RotateToken:
    """Have a new token in place of the one that asks for it."""


@stored("issue_invite")
@dataclass(frozen=True, slots=True)
class IssueInvite:
    """Invite somebody to a private match: to this seat, or any, or to look on; `digest` is the code's."""

    digest: str
    to: Literal["seat", "spectator"]
    seat: int | None = None


@stored("revoke_invite")
@dataclass(frozen=True, slots=True)
class RevokeInvite:
    """Take back an invite; whoever looks on with it is shown out."""

    invite: int


@stored("reinvite_seat")
@dataclass(frozen=True, slots=True)
class ReinviteSeat:
    """Hand a seat back to its player, who has lost the token; `digest` is that of the code to return with."""

    seat: int
    digest: str


@stored("resume_seat")
@dataclass(frozen=True, slots=True)
class ResumeSeat:
    """Return to a seat that the host handed back; `invite` is the digest of the code."""

    seat: int
    invite: str


@stored("admit_spectator")
@dataclass(frozen=True, slots=True)
class AdmitSpectator:
    """Come to look on at a private match; `invite` is the digest of the code."""

    invite: str


@stored("score_match")
@dataclass(frozen=True, slots=True)
class ScoreMatch:
    """Write the final score sheet of a match that has run out of moves."""


@stored("release_seed")
@dataclass(frozen=True, slots=True)
class ReleaseSeed:
    """Reveal a seed that the creator chose, once no other table plays it any more."""


MatchCommand: TypeAlias = (
    TakeSeat
    | LeaveSeat
    | SeatBot
    | StartMatch
    | CloseMatch
    | CloseIdleMatch
    | RotateToken
    | IssueInvite
    | RevokeInvite
    | ReinviteSeat
    | ResumeSeat
    | AdmitSpectator
    | ScoreMatch
    | ReleaseSeed
)
MATCH_COMMANDS = (CreateMatch, *get_args(MatchCommand))
HOST_COMMANDS = (SeatBot, StartMatch, CloseMatch, ReleaseSeed)  # what a host may send as a command
