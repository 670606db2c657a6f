"""Where every tile, card and pawn is; spaces of a cabinet are numbered row by row from 0 to 11."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from domain.games.whatnot.components import Box, Tile

ROWS, COLUMNS = 4, 3
ACTION_COLUMNS = range(1, 6)
RIVAL = 1  # the seat of the rival in a solo match
Source: TypeAlias = Literal["drawn", "outdoors", "found"]

LINES: dict[str, tuple[int, ...]] = {
    **{f"row:{row}": tuple(range(row * COLUMNS, (row + 1) * COLUMNS)) for row in range(ROWS)},
    **{f"column:{column}": tuple(range(column, ROWS * COLUMNS, COLUMNS)) for column in range(COLUMNS)},
}


@dataclass(frozen=True, slots=True)
class Token:
    """A point token beside a line; 0 points is a blank one."""

    line: str
    points: int


@dataclass(frozen=True, slots=True)
class Cabinet:
    """A player's cabinet and what has been earned with it."""

    spaces: tuple[int | None, ...] = (None,) * (ROWS * COLUMNS)
    tokens: tuple[Token, ...] = ()
    curiosities: tuple[str, ...] = ()
    kept: tuple[int, ...] = ()
    column_bonus: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn under way: private draws, where each take still owed is from, what has been met (W9)."""

    seat: int
    column: int
    takes: tuple[Source, ...]
    drawn: tuple[int, ...] = ()
    found: int | None = None
    used: tuple[int, ...] = ()
    met: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FaceDown:
    """A discard that only one seat has seen (W5)."""

    tile: int
    seat: int


@dataclass(frozen=True, slots=True)
class State:
    """A match: a cabinet a player; landscape spaces and action columns with the seat of their pawn."""

    box: Box
    advanced: bool
    players: int
    bag: frozenset[int]
    cabinets: tuple[Cabinet, ...]
    round: int = 1
    shakes: int = 0
    landscape: tuple[int | None, ...] = (None,) * 5
    columns: tuple[int | None, ...] = (None,) * 5
    discards: frozenset[int] = frozenset()
    face_down: tuple[FaceDown, ...] = ()
    outdoors: tuple[int, ...] = ()
    curiosities: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    wonder: str | None = None
    rival_cards: tuple[int, ...] = ()
    turn: Turn | None = None
    retiring: bool = False
    over: bool = False

    @property
    def solo(self) -> bool:
        """Is this Early Morning Outing?"""
        return self.players == 1

    @property
    def rounds(self) -> int:
        """How many rounds are played (Gameplay)."""
        return 3 if self.players <= 2 else 6

    @property
    def acting(self) -> int | None:
        """The seat of the pawn on the lowest occupied landscape space (W4)."""
        return next((seat for seat in self.landscape if seat is not None), None)

    @property
    def acting_space(self) -> int:
        """The lowest occupied landscape space (W4), while there is one."""
        return next(space for space, seat in enumerate(self.landscape) if seat is not None)


def tiles_in(state: State, cabinet: Cabinet) -> tuple[Tile | None, ...]:
    """The twelve spaces of a cabinet with their tiles."""
    return tuple(None if tile is None else state.box.tiles[tile] for tile in cabinet.spaces)
