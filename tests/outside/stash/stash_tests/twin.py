"""What the contract suite needs to know of Stash."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stash import GAME
from stash.state import State

from domain.game import Table


def table(seats: int, hand: int = 5, trumps: str = "drawn") -> Table:
    """A table with every option."""
    return Table(seats, {"hand": hand, "trumps": trumps})


TABLES = (table(2), table(2, 7, "none"), table(3), table(4, 7))
PERFT: tuple[tuple[Table, str, tuple[int, ...]], ...] = (
    (table(2), "00" * 32, (5, 6, 24, 34, 102)),
    (table(4, 7), "01" * 32, (7, 12, 18, 76, 456)),
)
SHORT: dict[str, Any] = {"hand": 2}  # options of a match that is soon over
VARIANTS: tuple[dict[str, Any], ...] = ({"seats": 2, "trumps": "none"}, {"seats": 4, "trumps": "drawn"})


@dataclass(frozen=True, slots=True)
class Recipe:
    """A golden match of random cards: a table and a seed in hex."""

    table: Table
    seed: str
    rules_version: int = 1

    def choose(self, state: State, dice: random.Random) -> tuple[int, Any]:
        """The next seat and what it does."""
        (seat,) = GAME.to_act(state)
        return seat, dice.choice(list(GAME.legal(state, seat)))


GOLDEN = {
    "two_seats_without_trumps": Recipe(table(2, 7, "none"), "00" * 32),
    "three_seats": Recipe(table(3), "01" * 32),
    "four_seats": Recipe(table(4, 7), "02" * 32),
    "swept": Recipe(table(2, 2), "03" * 32),
}


def is_legal(state: State, command: Any, seat: int) -> bool:
    """Whether the rules allow a card, read from the hand and the trick."""
    suit = {card.id: card.suit for card in state.box.cards.values()}
    hand = state.players[seat].hand
    if command.card not in hand or state.turn != seat:
        return False
    led = [suit[played.card] for played in state.trick][:1]
    return not led or suit[command.card] == led[0] or led[0] not in {suit[card] for card in hand}


def pieces(state: State) -> Iterator[str]:
    """Every card, wherever it is."""
    hands = (card for player in state.players for card in (*player.hand, *player.taken))
    yield from (f"card {card:02}" for card in (*state.deck, *hands, *(played.card for played in state.trick)))


def piece_count(state: State, table: Table) -> int:
    """32 cards."""
    return 32
