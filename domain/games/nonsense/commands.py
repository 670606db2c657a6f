"""What a player may ask."""

from dataclasses import dataclass
from typing import TypeAlias, get_args

from domain.fields import bounded
from domain.stored import stored


@stored("move")
@dataclass(frozen=True, slots=True)
class Move:
    """Take one step to a shop, to `market` or to `club`; staying is a move to where one stands (N3)."""

    to: str


@stored("take_card")
@dataclass(frozen=True, slots=True)
class TakeCard:
    """At a shop: take a card that lies there (N6)."""

    card: int = bounded(1, 999)


@stored("pass")
@dataclass(frozen=True, slots=True)
class Pass:
    """At a shop: take nothing (N6)."""


@stored("trade_card")
@dataclass(frozen=True, slots=True)
class TradeCard:
    """At the Market: discard a card of one's hand and draw another (N7)."""

    card: int = bounded(1, 999)


@stored("tell_adventure")
@dataclass(frozen=True, slots=True)
class TellAdventure:
    """At the Club: turn in cards of one's hand, in any order, for a destination (N9)."""

    destination: str
    cards: tuple[int, ...] = bounded(1, 999, most=6)


@stored("pay_penalty")
@dataclass(frozen=True, slots=True)
class PayPenalty:
    """Pay the Professor: discard `card`, or with `points: true` lose a point a card; one of the two (N4)."""

    card: int | None = bounded(1, 999, optional=True)
    points: bool | None = None


Command: TypeAlias = Move | TakeCard | Pass | TradeCard | TellAdventure | PayPenalty
PLAYER_COMMANDS: tuple[type[Command], ...] = get_args(Command)
