"""What the contract suite needs to know of Stuff and Nonsense."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from domain.game import Table
from domain.games.nonsense import GAME
from domain.games.nonsense.commands import TellAdventure
from domain.games.nonsense.state import State
from tests.games.nonsense.scenarios import SCENARIOS, Chooser
from tests.playing import commands_of

TABLES = (
    Table(2, {"stall_limit": 200}),
    Table(3, {"stall_limit": 30}),
    Table(4, {"stall_limit": 30}),
    Table(5, {"stall_limit": 60}),
    Table(8, {"stall_limit": 30}),
)
PERFT: tuple[tuple[Table, str, tuple[int, ...]], ...] = (
    (TABLES[0], "00" * 32, (7, 20, 96, 304, 1005, 3172)),
    (TABLES[3], "03" * 32, (7, 22, 127, 457, 2362, 8098)),
    (TABLES[4], "0d" * 32, (7, 20, 103, 377, 1592, 6513)),
)
SHORT: dict[str, Any] = {"stall_limit": 4}  # options of a match that is soon over
VARIANTS: tuple[dict[str, Any], ...] = ({"seats": 2}, {"seats": 5}, {"seats": 8})


@dataclass(frozen=True, slots=True)
class Recipe:
    """A golden match: a table, its seed in hex, and who chooses among the commands of all who are to act."""

    table: Table
    seed: str
    chooser: Chooser
    rules_version: int = 1

    def choose(self, state: State, dice: random.Random) -> tuple[int, Any]:
        """The next seat and what it does."""
        return self.chooser(commands_of(GAME, state), dice)


GOLDEN = {scenario.shows: Recipe(scenario.table, scenario.seed, scenario.chooser) for scenario in SCENARIOS}


def is_legal(state: State, command: Any, seat: int) -> bool:
    """Whether the rules allow a command; an adventure is judged by itself, the list may be long (N9)."""
    if not isinstance(command, TellAdventure):
        telling = state.stage == "action" and state.players[seat].place == "club"
        return not telling and command in set(GAME.legal(state, seat))
    return _in_the_club(state, seat) and _is_an_adventure(state, command, seat)


def pieces(state: State) -> Iterator[str]:
    """Every adventure card, wherever it is."""
    hands = (card for player in state.players for card in player.hand)
    yield from (f"card {card:02}" for card in (*state.deck, *state.discards, *state.face_up, *hands))


def piece_count(state: State, table: Table) -> int:
    """84 adventure cards."""
    return 84


def _in_the_club(state: State, seat: int) -> bool:
    acting = state.stage == "action" and not state.owing and state.turn == seat
    return acting and state.players[seat].place == "club"


def _is_an_adventure(state: State, command: TellAdventure, seat: int) -> bool:
    least = {"africa": 2, "everest": 3, "china": 4, "antarctica": 5, "amazon": 6}.get(command.destination)
    if least is None or not set(command.cards) <= state.players[seat].hand:
        return False
    cards = [state.box.cards[card] for card in command.cards]
    types = Counter(card.type for card in cards)
    worthy = all(card.values[command.destination] >= 1 for card in cards)
    return len(cards) >= least and max(types.values()) == 1 and worthy
