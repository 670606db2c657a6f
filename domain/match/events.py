"""What can happen to any match, kept for ever."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from domain.fields import PERSONAL
from domain.game import SeatScore
from domain.match.commands import Seat
from domain.stored import stored


@stored("match_created")
@dataclass(frozen=True, slots=True)
class MatchCreated:
    """The first event of every log; it commits to SHA-256(sealing key) and to SHA-256(sealing key ‖ seed)."""

    game: str
    rules_version: int
    edition: str
    edition_hash: str
    options: Mapping[str, bool | int | str]
    seats: tuple[Seat, ...]
    private: bool
    seed_by: Literal["server", "creator"]
    seed_commitment: str
    sealing_commitment: str


@stored("seat_taken")
@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody sat down on an open seat."""

    seat: int
    name: str = field(metadata=PERSONAL)
    entropy: str | None


@stored("seat_left")
@dataclass(frozen=True, slots=True)
class SeatLeft:
    """Somebody got up: the seat is open again, or, after the start, empty."""

    seat: int


@stored("bot_seated")
@dataclass(frozen=True, slots=True)
class BotSeated:
    """A bot plays the seat from now on."""

    seat: int
    bot: str


@stored("token_rotated")
@dataclass(frozen=True, slots=True)
class TokenRotated:
    """Whoever did this has a new token; the old one is good for nothing any more."""


@stored("invite_issued")
@dataclass(frozen=True, slots=True)
class InviteIssued:
    """An invite, numbered from 1; `digest` is SHA-256 of its code, which the log does not know."""

    invite: int
    digest: str
    to: Literal["seat", "spectator"]
    seat: int | None


@stored("invite_used")
@dataclass(frozen=True, slots=True)
class InviteUsed:
    """Somebody came with this invite; nobody else can."""

    invite: int


@stored("invite_revoked")
@dataclass(frozen=True, slots=True)
class InviteRevoked:
    """Nobody comes with this invite any more, and whoever looks on with it has to go."""

    invite: int


@stored("seat_reinvited")
@dataclass(frozen=True, slots=True)
class SeatReinvited:
    """The host handed a seat back: its token ends, and its player returns with this invite.

    The seat stays that player's. An earlier invite to return to it ends too.
    """

    seat: int
    invite: int
    digest: str


@stored("seat_resumed")
@dataclass(frozen=True, slots=True)
class SeatResumed:
    """The player of a seat is back, with a new token."""

    seat: int


@stored("spectator_admitted")
@dataclass(frozen=True, slots=True)
class SpectatorAdmitted:
    """Whoever came with this invite looks on."""

    invite: int


@stored("match_started")
@dataclass(frozen=True, slots=True)
class MatchStarted:
    """All seats are taken; the game's own set-up follows in the same commit."""


@stored("match_scored")
@dataclass(frozen=True, slots=True)
class MatchScored:
    """The final score sheet; `seed` and `sealing_key` are null while a creator's seed is not released."""

    seats: tuple[SeatScore, ...]
    ranking: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...]
    result: str | None
    seed: str | None
    sealing_key: str | None


@stored("match_closed")
@dataclass(frozen=True, slots=True)
class MatchClosed:
    """The match ends without a score; the secrets are null while a creator's seed is not released."""

    seed: str | None
    sealing_key: str | None


@stored("seed_released")
@dataclass(frozen=True, slots=True)
class SeedReleased:
    """The creator's seed and the sealing key: from here on everything sealed is open to everyone."""

    seed: str
    sealing_key: str


MatchEvent: TypeAlias = (
    SeatTaken
    | SeatLeft
    | BotSeated
    | TokenRotated
    | InviteIssued
    | InviteUsed
    | InviteRevoked
    | SeatReinvited
    | SeatResumed
    | SpectatorAdmitted
    | MatchStarted
    | MatchScored
    | MatchClosed
    | SeedReleased
)
MATCH_EVENTS = (MatchCreated, *get_args(MatchEvent))
