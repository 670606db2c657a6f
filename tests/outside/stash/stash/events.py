"""The events of Stash; cards by their id in the edition."""

from dataclasses import dataclass
from typing import TypeAlias, get_args

from domain.fields import secret
from domain.stored import stored


@stored("trumps_drawn")
@dataclass(frozen=True, slots=True)
class TrumpsDrawn:
    """This suit is trumps (S3)."""

    suit: str


@stored("hand_dealt")
@dataclass(frozen=True, slots=True)
class HandDealt:
    """A player was dealt a hand; only that player sees the cards (S2)."""

    seat: int
    count: int
    cards: tuple[int, ...] = secret()


@stored("leader_drawn")
@dataclass(frozen=True, slots=True)
class LeaderDrawn:
    """This seat leads the first trick."""

    seat: int


@stored("card_played")
@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played to the trick; `next_seat` plays next, or nobody if the trick is complete."""

    seat: int
    card: int
    next_seat: int | None


@stored("trick_taken")
@dataclass(frozen=True, slots=True)
class TrickTaken:
    """The best card took the trick, and its player leads the next one (S4)."""

    seat: int


@stored("hands_played")
@dataclass(frozen=True, slots=True)
class HandsPlayed:
    """No cards are left in anybody's hand."""


Event: TypeAlias = TrumpsDrawn | HandDealt | LeaderDrawn | CardPlayed | TrickTaken | HandsPlayed
EVENTS: tuple[type[Event], ...] = get_args(Event)
ENDINGS: tuple[type[Event], ...] = (HandsPlayed,)
