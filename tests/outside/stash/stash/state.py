"""Where every card is, and whose turn it is."""

from dataclasses import dataclass

from stash.components import Box


@dataclass(frozen=True, slots=True)
class Played:
    """A card in the trick, and who played it."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class Player:
    """A player's hand, and the cards of the tricks that the player took."""

    hand: frozenset[int] = frozenset()
    taken: tuple[int, ...] = ()
    tricks: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """A match; `deck` holds the cards that are not dealt, `turn` is the seat that plays next."""

    box: Box
    hand: int
    with_trumps: bool
    players: tuple[Player, ...]
    deck: frozenset[int]
    trumps: str | None = None
    turn: int | None = None
    trick: tuple[Played, ...] = ()
    over: bool = False
