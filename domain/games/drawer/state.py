"""Where every item tile, item card and organization card is.

Which compartments a player has used in a round is not kept: they are those where an item of the row lies.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from domain.games.drawer.components import Box
from domain.games.drawer.spaces import Cells

Name: TypeAlias = Literal["A", "B", "C", "D"]  # of a compartment
COMPARTMENTS: tuple[Name, ...] = get_args(Name)
CARDS_IN_ROW = 4


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """An item tile in a compartment; `spaces` is the mask of what it covers."""

    item: str
    spaces: int


Compartment: TypeAlias = tuple[Tile, ...]  # by the items' ids


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a seat puts an item: compartment A to D, spaces 0 to 24 rising."""

    seat: int
    compartment: Name
    cells: Cells


@dataclass(frozen=True, slots=True)
class Drawer:
    """A player's drawer and tiles; `pending` is placed and not yet revealed, `aside` could not be placed."""

    supply: frozenset[str]
    compartments: tuple[Compartment, ...] = ((),) * len(COMPARTMENTS)
    pending: Placement | None = None
    aside: str | None = None
    finished: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """A match: a drawer a player; `row` are the item cards turned up in this round, the last to be placed.

    Cards face down, in the row and in the deck, are all in `deck`: their order is chance's alone. `pool`
    holds the organization cards from which the goals are still to be drawn.
    """

    box: Box
    individual: bool
    two_large_gaps: str
    pool: frozenset[str]
    deck: frozenset[str]
    drawers: tuple[Drawer, ...]
    goals: tuple[str, ...] = ()
    round: int = 1
    row: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    over: bool = False

    @property
    def solo(self) -> bool:
        """Is this Solo Mode?"""
        return len(self.drawers) == 1

    @property
    def item(self) -> str | None:
        """The item to be placed."""
        return self.row[-1] if self.row else None

    @property
    def last(self) -> bool:
        """Is this the last item? Somebody could not place it (D4), or there is no other (D6)."""
        passed = any(drawer.aside is not None for drawer in self.drawers)
        return (passed and not self.individual) or not self.deck


def open_compartments(state: State, seat: int) -> tuple[Name, ...]:
    """The compartments of a seat in which no item of this round lies."""
    compartments = zip(COMPARTMENTS, state.drawers[seat].compartments, strict=True)
    return tuple(name for name, tiles in compartments if not any(tile.item in state.row for tile in tiles))


def covered(state: State, seat: int, compartment: Name) -> int:
    """The mask of the covered spaces of a seat's compartment, as far as they are revealed."""
    return sum(tile.spaces for tile in state.drawers[seat].compartments[COMPARTMENTS.index(compartment)])
