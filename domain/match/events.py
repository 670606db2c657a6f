"""What can happen to any match, kept for ever."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from domain.game import SeatScore
from domain.match.commands import Seat


@dataclass(frozen=True, slots=True)
class MatchCreated:
    """The first event of every log: all that is needed to read the rest; `commitment` is SHA-256(seed)."""

    game: str
    rules_version: int
    edition: str
    edition_hash: str
    options: Mapping[str, bool | int | str]
    seats: tuple[Seat, ...]
    private: bool
    seed_by: Literal["server", "creator"]
    commitment: str


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody sat down on an open seat."""

    seat: int
    name: str
    entropy: str | None


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """All seats are taken; the game's own set-up follows in the same commit."""


@dataclass(frozen=True, slots=True)
class MatchScored:
    """The final score sheet; `seed` is null while a creator's seed is not released."""

    seats: tuple[SeatScore, ...]
    ranking: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...]
    result: str | None
    seed: str | None


@dataclass(frozen=True, slots=True)
class SeedReleased:
    """The creator's seed, in hex: from here on everything sealed is open to everyone."""

    seed: str


MatchEvent: TypeAlias = SeatTaken | MatchStarted | MatchScored | SeedReleased
MATCH_EVENTS = (MatchCreated, SeatTaken, MatchStarted, MatchScored, SeedReleased)
