"""What may be asked of any match; moves are the game's own commands."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table, open while nameless; `entropy` is what its player added to the seed, in hex."""

    kind: Literal["human", "automaton"]
    name: str | None = None
    entropy: str | None = None


@dataclass(frozen=True, slots=True)
class CreateMatch:
    """Lay a table: a game, its edition and options, and the players' seats."""

    game: str
    edition: str
    options: Mapping[str, bool | int | str]
    seats: tuple[Seat, ...]
    private: bool = False


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Sit down on an open seat."""

    seat: int
    name: str
    entropy: str | None = None


@dataclass(frozen=True, slots=True)
class ScoreMatch:
    """Write the final score sheet of a match that has run out of moves."""


@dataclass(frozen=True, slots=True)
class ReleaseSeed:
    """Reveal a seed that the creator chose, once no other table plays it any more."""


MatchCommand: TypeAlias = TakeSeat | ScoreMatch | ReleaseSeed
MATCH_COMMANDS = (CreateMatch, TakeSeat, ScoreMatch, ReleaseSeed)
