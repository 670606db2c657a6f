"""The events of any match."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from domain.fields import PERSONAL
from domain.match.commands import Seat
from domain.options import OptionValue
from domain.score import SeatScore
from domain.stored import stored


@stored("match_created")
@dataclass(frozen=True, slots=True)
class MatchCreated:
    """The first event of every log; it commits to SHA-256(sealing key) and to SHA-256(sealing key ‖ seed)."""

    game: str
    rules_version: int
    edition: str
    edition_hash: str
    options: Mapping[str, OptionValue]
    seats: tuple[Seat, ...]
    private: bool
    seed_by: Literal["server", "creator"]
    seed_commitment: str
    sealing_commitment: str


@stored("seat_taken")
@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Someone took an open seat."""

    seat: int
    name: str = field(metadata=PERSONAL)
    entropy: str | None


@stored("seat_left")
@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player left: the seat is open again or, after the start, empty."""

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
    """The sender has a new token; the old one is revoked."""


@stored("invite_issued")
@dataclass(frozen=True, slots=True)
class InviteIssued:
    """An invite was issued, numbered from 1; `digest` is SHA-256 of its code, which is not in the log."""

    invite: int
    digest: str
    to: Literal["seat", "spectator"]
    seat: int | None


@stored("invite_used")
@dataclass(frozen=True, slots=True)
class InviteUsed:
    """The invite was used, and cannot be used again."""

    invite: int


@stored("invite_revoked")
@dataclass(frozen=True, slots=True)
class InviteRevoked:
    """The invite cannot be used any more; a spectator who came with it loses access."""

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
    """A spectator came with this invite."""

    invite: int


@stored("match_started")
@dataclass(frozen=True, slots=True)
class MatchStarted:
    """All seats are taken; the game's setup follows in the same commit."""


@stored("match_scored")
@dataclass(frozen=True, slots=True)
class MatchScored:
    """The final score; `seed` and `sealing_key` are null while a creator's seed is not released."""

    seats: tuple[SeatScore, ...]
    ranking: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...]
    result: str | None
    seed: str | None
    sealing_key: str | None


@stored("match_closed")
@dataclass(frozen=True, slots=True)
class MatchClosed:
    """The match ended without a score; the secrets are null while a creator's seed is not released."""

    seed: str | None
    sealing_key: str | None


@stored("seed_released")
@dataclass(frozen=True, slots=True)
class SeedReleased:
    """The creator's seed and the sealing key are revealed: everything sealed is now open to everyone."""

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
