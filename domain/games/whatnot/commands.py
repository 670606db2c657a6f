"""The commands of players, and the one of the rival."""

from dataclasses import dataclass
from typing import TypeAlias

from domain.fields import bounded
from domain.stored import stored


@stored("choose_column")
@dataclass(frozen=True, slots=True)
class ChooseColumn:
    """Move the acting pawn from the landscape to a vacant action column, 1 to 5."""

    column: int = bounded(1, 5)


@stored("take_tile")
@dataclass(frozen=True, slots=True)
class TakeTile:
    """Take a tile: an object to an empty space, row 0 to 3, column 0 to 2; a special tile without either."""

    tile: int = bounded(1, 999)
    row: int | None = bounded(0, 3, optional=True)
    column: int | None = bounded(0, 2, optional=True)


@stored("retire_curiosities")
@dataclass(frozen=True, slots=True)
class RetireCuriosities:
    """Turn two curiosity cards face down between the rounds of a solo match (W16)."""

    cards: tuple[str, ...]


@stored("take_rival_turn")
@dataclass(frozen=True, slots=True)
class TakeRivalTurn:
    """The rival's turn: draw a card, move, discard tiles, add one (W15)."""


Command: TypeAlias = ChooseColumn | TakeTile | RetireCuriosities | TakeRivalTurn
PLAYER_COMMANDS = (ChooseColumn, TakeTile, RetireCuriosities)
AUTOMATON_COMMANDS = (TakeRivalTurn,)
