"""The commands of any match; moves are the game's own commands."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from domain.fields import PERSONAL, bounded
from domain.options import OptionValue
from domain.stored import stored

MOST_SEATS = 16  # more than at any table

BOTS = ("random",)  # those that can be chosen; a log may be older or newer and name others


def _bot(**default: Any) -> Any:
    return field(metadata={"choices": BOTS}, **default)


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table, open if it has no name; `entropy` is what its player added to the seed, in hex.

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
    """Create a match: a game, its edition and options, and the players' seats.

    `rules_version` asks for older rules than the newest.
    """

    game: str
    edition: str
    options: Mapping[str, OptionValue]
    seats: tuple[Seat, ...]
    private: bool = False
    rules_version: int | None = None


@stored("take_seat")
@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Take an open seat, or one that was left; `invite` is the digest of an invite code."""

    seat: int
    name: str = field(metadata=PERSONAL)
    entropy: str | None = None
    invite: str | None = None


@stored("leave_seat")
@dataclass(frozen=True, slots=True)
class LeaveSeat:
    """Leave your seat; its token is revoked."""

    seat: int


@stored("seat_bot")
@dataclass(frozen=True, slots=True)
class SeatBot:
    """Let a bot play a seat from now on. A player who sits there loses the seat and its token."""

    seat: int = bounded(0, MOST_SEATS - 1)
    bot: str = _bot()


@stored("start_match")
@dataclass(frozen=True, slots=True)
class StartMatch:
    """Start now; bots take all open seats."""

    bot: str = _bot(default=BOTS[0])


@stored("close_match")
@dataclass(frozen=True, slots=True)
class CloseMatch:
    """End the match now, without a score."""


@stored("close_idle_match")
@dataclass(frozen=True, slots=True)
class CloseIdleMatch:
    """End a match without a score because nothing happened in it for so many days."""

    idle_days: int


@stored("rotate_token")
@dataclass(frozen=True, slots=True)
class RotateToken:
    """Replace the token that is used to ask for it."""


@stored("issue_invite")
@dataclass(frozen=True, slots=True)
class IssueInvite:
    """Invite someone to a private match: to one seat, to any, or as a spectator; `digest` is of the code."""

    digest: str
    to: Literal["seat", "spectator"]
    seat: int | None = None


@stored("revoke_invite")
@dataclass(frozen=True, slots=True)
class RevokeInvite:
    """Revoke an invite; a spectator who came with it loses access."""

    invite: int


@stored("reinvite_seat")
@dataclass(frozen=True, slots=True)
class ReinviteSeat:
    """Hand a seat back to a player who lost the token; `digest` is that of the code to return with."""

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
    """Watch a private match; `invite` is the digest of the invite code."""

    invite: str


@stored("score_match")
@dataclass(frozen=True, slots=True)
class ScoreMatch:
    """Write the final score sheet of a match that has run out of moves."""


@stored("release_seed")
@dataclass(frozen=True, slots=True)
class ReleaseSeed:
    """Reveal a seed that the creator chose, when no other match uses it any more."""


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
HOST_COMMANDS = (SeatBot, StartMatch, CloseMatch, ReleaseSeed)  # those that a host can send
