"""The commands of players."""

from dataclasses import dataclass
from typing import TypeAlias, get_args

from domain.fields import bounded
from domain.stored import stored


@stored("move")
@dataclass(frozen=True, slots=True)
class Move:
    """Take one step to a shop, `market` or `club`. To stay, move to where you are (N3)."""

    to: str


@stored("take_card")
@dataclass(frozen=True, slots=True)
class TakeCard:
    """At a shop: take one of its cards (N6)."""

    card: int = bounded(1, 999)


@stored("pass")
@dataclass(frozen=True, slots=True)
class Pass:
    """At a shop: take nothing (N6)."""


@stored("trade_card")
@dataclass(frozen=True, slots=True)
class TradeCard:
    """At the market: discard a card from your hand and draw another (N7)."""

    card: int = bounded(1, 999)


@stored("tell_adventure")
@dataclass(frozen=True, slots=True)
class TellAdventure:
    """At the club: tell an adventure with cards from your hand, in any order, for a destination (N9)."""

    destination: str
    cards: tuple[int, ...] = bounded(1, 999, most=6)


@stored("pay_penalty")
@dataclass(frozen=True, slots=True)
class PayPenalty:
    """Pay the Professor: discard `card`, or lose a point for each card in hand with `points: true` (N4)."""

    card: int | None = bounded(1, 999, optional=True)
    points: bool | None = None


Command: TypeAlias = Move | TakeCard | Pass | TradeCard | TellAdventure | PayPenalty
PLAYER_COMMANDS: tuple[type[Command], ...] = get_args(Command)
