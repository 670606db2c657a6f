"""Where every card, pawn and dial is, and what the match waits for."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from domain.games.nonsense.components import CLUB, Box

TARGETS = {2: 80, 3: 60, 4: 50}  # Winning the Game (N1)
TARGET_OF_MANY = 40

Stage: TypeAlias = Literal["setup", "move", "action", "aftermath", "refill", "over"]
"""What comes next as soon as nobody owes the Professor: the move of a turn, the action of the place, the rest
of After the Adventure, the board's next card; each follows from the last event, none is ever a callback."""


@dataclass(frozen=True, slots=True)
class Adventure:
    """A tale that was told: its cards with the value of each, and the bonus that came on top."""

    destination: str
    cards: tuple[int, ...]
    values: tuple[int, ...]
    bonus: int

    @property
    def points(self) -> int:
        """What the tale scored (N9)."""
        return sum(self.values) + self.bonus


@dataclass(frozen=True, slots=True)
class Player:
    """A player: where the pawn stands, the hand, the tales told, the points lost to the Professor."""

    place: str = CLUB
    hand: frozenset[int] = frozenset()
    adventures: tuple[Adventure, ...] = ()
    lost: int = 0

    @property
    def points(self) -> int:
        """The score as it stands; it may be below zero (N4)."""
        return sum(adventure.points for adventure in self.adventures) - self.lost


@dataclass(frozen=True, slots=True)
class State:
    """A match; `face_up` lie at their types' shops, `dials` show the bonus of each destination in turn."""

    box: Box
    stall_limit: int
    players: tuple[Player, ...]
    deck: frozenset[int]
    dials: tuple[int, ...]
    ring: tuple[str, ...] = ()
    professor: str | None = None
    face_up: frozenset[int] = frozenset()
    discards: frozenset[int] = frozenset()
    reshuffles: int = 0
    rolls: int = 0
    turn: int = 0
    stage: Stage = "setup"
    owing: tuple[int, ...] = ()
    quiet: int = 0

    @property
    def target(self) -> int:
        """The score that wins (N1)."""
        return TARGETS.get(len(self.players), TARGET_OF_MANY)

    @property
    def acting(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn]

    def bonus(self, destination: str) -> int:
        """What the dial of a destination shows."""
        return self.dials[list(self.box.destinations).index(destination)]

    def at_shop(self, shop: str) -> tuple[int, ...]:
        """The cards that lie at a shop, rising."""
        return tuple(sorted(card for card in self.face_up if self.box.shop_of(card) == shop))
