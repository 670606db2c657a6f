"""The events of Junk Drawer; items and cards by their id in the edition."""

from dataclasses import dataclass
from typing import TypeAlias, get_args

from domain.fields import secret
from domain.games.drawer.state import Name, Placement
from domain.stored import stored


@stored("goals_shown")
@dataclass(frozen=True, slots=True)
class GoalsShown:
    """Four organization cards lie on the compartments A to D."""

    cards: tuple[str, ...]


@stored("item_turned")
@dataclass(frozen=True, slots=True)
class ItemTurned:
    """The next item card of the row was turned over."""

    item: str


@stored("seat_passed")
@dataclass(frozen=True, slots=True)
class SeatPassed:
    """A player cannot place the item in any compartment that is open this round (D3)."""

    seat: int
    item: str


@stored("seat_finished")
@dataclass(frozen=True, slots=True)
class SeatFinished:
    """A player could not place an item and has finished (individual variant, D5)."""

    seat: int


@stored("item_placed")
@dataclass(frozen=True, slots=True)
class ItemPlaced:
    """A player placed the item; only that player sees where until all have placed (D2)."""

    seat: int
    item: str
    compartment: Name = secret()
    cells: tuple[int, ...] = secret()


@stored("items_revealed")
@dataclass(frozen=True, slots=True)
class ItemsRevealed:
    """Everyone who can has placed the item; this shows where, by seat (D2)."""

    item: str
    placements: tuple[Placement, ...]


@stored("round_ended")
@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The four items of the round went to the discard pile."""

    round: int


@stored("drawers_filled")
@dataclass(frozen=True, slots=True)
class DrawersFilled:
    """No more items will be placed; the final scoring follows."""


Event: TypeAlias = (
    GoalsShown
    | ItemTurned
    | SeatPassed
    | SeatFinished
    | ItemPlaced
    | ItemsRevealed
    | RoundEnded
    | DrawersFilled
)
EVENTS: tuple[type[Event], ...] = get_args(Event)
ENDINGS: tuple[type[Event], ...] = (DrawersFilled,)
