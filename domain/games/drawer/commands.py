"""What a player may ask."""

from dataclasses import dataclass
from typing import TypeAlias

from domain.game import secret
from domain.games.drawer.state import Name


@dataclass(frozen=True, slots=True)
class PlaceItem:
    """Put the item turned up into a compartment, A to D, over these spaces: row * 5 + column, rising."""

    compartment: Name = secret()  # noqa: RUF009  Name is but a few words
    cells: tuple[int, ...] = secret()


Command: TypeAlias = PlaceItem
PLAYER_COMMANDS = (PlaceItem,)
