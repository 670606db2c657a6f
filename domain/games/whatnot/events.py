"""The events of The Whatnot Cabinet; tiles and cards by their id in the edition.

One table of events, hence its length.
"""

from dataclasses import dataclass
from typing import TypeAlias, get_args

from domain.fields import secret
from domain.games.whatnot.state import Source
from domain.stored import stored


@stored("pawns_placed")
@dataclass(frozen=True, slots=True)
class PawnsPlaced:
    """The pawns stand on the landscape: the seat on each of the five spaces, or null."""

    landscape: tuple[int | None, ...]


@stored("curiosities_shown")
@dataclass(frozen=True, slots=True)
class CuriositiesShown:
    """Five curiosity cards lie face up, in this row."""

    cards: tuple[str, ...]


@stored("wonder_shown")
@dataclass(frozen=True, slots=True)
class WonderShown:
    """The wonder card names an object type."""

    object_type: str


@stored("special_returned")
@dataclass(frozen=True, slots=True)
class SpecialReturned:
    """A special tile drawn for the first Outdoors went back into the bag, and the bag was reshuffled (W2)."""

    tile: int


@stored("tiles_added")
@dataclass(frozen=True, slots=True)
class TilesAdded:
    """Tiles from the bag were added to the Outdoors, face up."""

    tiles: tuple[int, ...]


@stored("bag_refilled")
@dataclass(frozen=True, slots=True)
class BagRefilled:
    """The bag was empty: all discards went back into it, and it was reshuffled (W8)."""


@stored("column_chosen")
@dataclass(frozen=True, slots=True)
class ColumnChosen:
    """A turn began: the acting pawn went from the landscape to an action column.

    `column` is 1 to 5, as in the rules. `space` counts from 0: 0 to 4 stand for the landscape spaces 1 to 5.
    `takes` says where each tile of the turn is taken from.
    """

    seat: int
    column: int
    space: int
    takes: tuple[Source, ...]


@stored("tiles_drawn")
@dataclass(frozen=True, slots=True)
class TilesDrawn:
    """A player drew tiles from the bag; only that player sees which (W5)."""

    seat: int
    count: int
    tiles: tuple[int, ...] = secret()


@stored("drawn_tile_shown")
@dataclass(frozen=True, slots=True)
class DrawnTileShown:
    """The tile that was drawn and not taken went to the Outdoors (column 2)."""

    seat: int
    tile: int


@stored("drawn_tile_discarded")
@dataclass(frozen=True, slots=True)
class DrawnTileDiscarded:
    """The tile that was drawn and not taken was discarded face down (column 1, W5)."""

    seat: int
    tile: int = secret()


@stored("outdoors_discarded")
@dataclass(frozen=True, slots=True)
class OutdoorsDiscarded:
    """All tiles of the Outdoors were discarded."""


@stored("tile_taken")
@dataclass(frozen=True, slots=True)
class TileTaken:
    """An object was put in a cabinet: row 0 to 3 from the top, column 0 to 2 from the left.

    `met` are the curiosity cards whose condition is met for the first time in this turn (W9).
    """

    seat: int
    tile: int
    row: int
    column: int
    met: tuple[str, ...]


@stored("special_taken")
@dataclass(frozen=True, slots=True)
class SpecialTaken:
    """A special tile was taken, and works at once (W7)."""

    seat: int
    tile: int


@stored("sweep_discarded")
@dataclass(frozen=True, slots=True)
class SweepDiscarded:
    """A used sweep tile was discarded; next the player takes a tile from the Outdoors (W7)."""

    tile: int


@stored("special_kept")
@dataclass(frozen=True, slots=True)
class SpecialKept:
    """A draw tile was kept, for a point at the end (W7)."""

    seat: int
    tile: int


@stored("tile_found")
@dataclass(frozen=True, slots=True)
class TileFound:
    """A draw tile found this tile: an object is placed next, a special tile works by itself (W7)."""

    seat: int
    tile: int


@stored("token_earned")
@dataclass(frozen=True, slots=True)
class TokenEarned:
    """A line was completed: `row:0` to `row:3`, `column:0` to `column:2`; 0 points is a blank token (W10)."""

    seat: int
    line: str
    points: int


@stored("curiosity_earned")
@dataclass(frozen=True, slots=True)
class CuriosityEarned:
    """A curiosity card was earned (W9)."""

    seat: int
    card: str


@stored("column_bonus_earned")
@dataclass(frozen=True, slots=True)
class ColumnBonusEarned:
    """The solo player's bonus for having chosen column 1, 2 or 3 (W17)."""

    seat: int
    points: int


@stored("turn_ended")
@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A player's turn is over: the cabinet has exactly two more objects."""

    seat: int


@stored("rival_moved")
@dataclass(frozen=True, slots=True)
class RivalMoved:
    """The rival drew a card, and its pawn went from the landscape to an action column.

    `column` is 1 to 5, as in the rules. `space` counts from 0: 0 to 4 stand for the landscape spaces 1 to 5.
    """

    card: int
    column: int
    space: int


@stored("tiles_removed")
@dataclass(frozen=True, slots=True)
class TilesRemoved:
    """The rival discarded the tiles in the Outdoors that its card matches (W15)."""

    tiles: tuple[int, ...]


@stored("retirement_owed")
@dataclass(frozen=True, slots=True)
class RetirementOwed:
    """The solo player must choose two curiosity cards to turn face down (W16)."""

    seat: int


@stored("curiosities_retired")
@dataclass(frozen=True, slots=True)
class CuriositiesRetired:
    """These curiosity cards were turned face down and can no longer be earned."""

    cards: tuple[str, ...]


@stored("round_ended")
@dataclass(frozen=True, slots=True)
class RoundEnded:
    """Every pawn moved from its action column to the landscape space of the same number."""

    round: int


@stored("cabinets_filled")
@dataclass(frozen=True, slots=True)
class CabinetsFilled:
    """The last round is over; the pawns stay in their action columns (W13)."""


Event: TypeAlias = (
    PawnsPlaced
    | CuriositiesShown
    | WonderShown
    | SpecialReturned
    | TilesAdded
    | BagRefilled
    | ColumnChosen
    | TilesDrawn
    | DrawnTileShown
    | DrawnTileDiscarded
    | OutdoorsDiscarded
    | TileTaken
    | SpecialTaken
    | SweepDiscarded
    | SpecialKept
    | TileFound
    | TokenEarned
    | CuriosityEarned
    | ColumnBonusEarned
    | TurnEnded
    | RivalMoved
    | TilesRemoved
    | RetirementOwed
    | CuriositiesRetired
    | RoundEnded
    | CabinetsFilled
)
EVENTS: tuple[type[Event], ...] = get_args(Event)
ENDINGS: tuple[type[Event], ...] = (CabinetsFilled,)
