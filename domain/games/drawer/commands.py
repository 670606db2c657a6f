"""The commands of players."""

from dataclasses import dataclass
from typing import TypeAlias

from domain.fields import bounds, secret
from domain.games.drawer.state import Name
from domain.stored import stored


@stored("place_item")
@dataclass(frozen=True, slots=True)
class PlaceItem:
    """Place the item in a compartment, A to D, on these spaces in ascending order: row * 5 + column."""

    compartment: Name = secret()
    cells: tuple[int, ...] = secret(**bounds(0, 24, most=5))


Command: TypeAlias = PlaceItem
PLAYER_COMMANDS = (PlaceItem,)
