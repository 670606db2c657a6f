"""The events of Stuff and Nonsense; cards by their id in the edition.

One table of events, hence its length.
"""

from dataclasses import dataclass
from typing import TypeAlias, get_args

from domain.fields import secret
from domain.stored import stored


@stored("shops_arranged")
@dataclass(frozen=True, slots=True)
class ShopsArranged:
    """The shops lie in a ring, in this clockwise order (N1)."""

    ring: tuple[str, ...]


@stored("professor_placed")
@dataclass(frozen=True, slots=True)
class ProfessorPlaced:
    """The Professor starts at this shop (N2)."""

    shop: str


@stored("first_player_chosen")
@dataclass(frozen=True, slots=True)
class FirstPlayerChosen:
    """The first turn is this seat's."""

    seat: int


@stored("card_dealt")
@dataclass(frozen=True, slots=True)
class CardDealt:
    """A seat was dealt its first card, face down; only that seat sees which (N13)."""

    seat: int
    card: int = secret()


@stored("card_added")
@dataclass(frozen=True, slots=True)
class CardAdded:
    """A card from the deck lies face up at its shop (N11)."""

    shop: str
    card: int


@stored("deck_reshuffled")
@dataclass(frozen=True, slots=True)
class DeckReshuffled:
    """A card was needed and the deck was empty: the discards are the new deck (N12)."""


@stored("pawn_moved")
@dataclass(frozen=True, slots=True)
class PawnMoved:
    """A turn began: the seat's pawn went to this place, or stayed there."""

    seat: int
    to: str


@stored("professor_moved")
@dataclass(frozen=True, slots=True)
class ProfessorMoved:
    """The Professor walked one step clockwise, to this shop (N5)."""

    shop: str


@stored("penalties_owed")
@dataclass(frozen=True, slots=True)
class PenaltiesOwed:
    """These seats met the Professor with cards in hand; nothing else happens until all have paid (N4)."""

    seats: tuple[int, ...]


@stored("card_forfeited")
@dataclass(frozen=True, slots=True)
class CardForfeited:
    """A penalty was paid with a card, which was discarded (N4)."""

    seat: int
    card: int


@stored("points_lost")
@dataclass(frozen=True, slots=True)
class PointsLost:
    """A penalty was paid with a point for each card in hand (N4)."""

    seat: int
    points: int


@stored("shop_found_empty")
@dataclass(frozen=True, slots=True)
class ShopFoundEmpty:
    """The shop was empty, so the turn continued by itself (N6)."""

    seat: int


@stored("card_taken")
@dataclass(frozen=True, slots=True)
class CardTaken:
    """A card went from the shop where the pawn stands into the seat's hand (N6)."""

    seat: int
    card: int


@stored("shop_passed")
@dataclass(frozen=True, slots=True)
class ShopPassed:
    """The seat took nothing from a shop (N6)."""

    seat: int


@stored("card_traded")
@dataclass(frozen=True, slots=True)
class CardTraded:
    """A card was discarded at the market; the card drawn follows (N7)."""

    seat: int
    card: int


@stored("card_drawn")
@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A seat drew a card, at the market or for an empty hand; only that seat sees which (N7, N10)."""

    seat: int
    card: int = secret()


@stored("adventure_told")
@dataclass(frozen=True, slots=True)
class AdventureTold:
    """An adventure was told: its cards, the value of each, and the bonus at that moment (N9)."""

    seat: int
    destination: str
    cards: tuple[int, ...]
    values: tuple[int, ...]
    bonus: int


@stored("target_reached")
@dataclass(frozen=True, slots=True)
class TargetReached:
    """With this adventure the seat reached the target score: the match is over (N10)."""

    seat: int


@stored("dial_turned")
@dataclass(frozen=True, slots=True)
class DialTurned:
    """A dial moved one stop, to this bonus: down after an adventure, up by the die (N10)."""

    destination: str
    bonus: int


@stored("die_rolled")
@dataclass(frozen=True, slots=True)
class DieRolled:
    """The die after an adventure showed this face, 1 to 6 (N10)."""

    face: int


@stored("turn_ended")
@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A seat's turn is over, and the turn passes to `next_seat`.

    Before that, the board was refilled and every penalty paid, unless the match ends now for want of
    adventures (N14). `quiet` counts the turns in a row without one.
    """

    seat: int
    next_seat: int
    quiet: int


@stored("match_stalled")
@dataclass(frozen=True, slots=True)
class MatchStalled:
    """The match is over after so many turns in a row without an adventure (N14)."""

    turns: int


Event: TypeAlias = (
    ShopsArranged
    | ProfessorPlaced
    | FirstPlayerChosen
    | CardDealt
    | CardAdded
    | DeckReshuffled
    | PawnMoved
    | ProfessorMoved
    | PenaltiesOwed
    | CardForfeited
    | PointsLost
    | ShopFoundEmpty
    | CardTaken
    | ShopPassed
    | CardTraded
    | CardDrawn
    | AdventureTold
    | TargetReached
    | DialTurned
    | DieRolled
    | TurnEnded
    | MatchStalled
)
EVENTS: tuple[type[Event], ...] = get_args(Event)
ENDINGS: tuple[type[Event], ...] = (TargetReached, MatchStalled)
