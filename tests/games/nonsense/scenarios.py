"""Matches worth keeping: recipes for golden logs, each a table, a seed and somebody who chooses the commands.

`eager` players go to the Club as soon as they can and tell one of the best adventures they have; at a shop
they take what lies there. So a match takes some hundred commands instead of a thousand at random.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeAlias

from domain.chance import Chance
from domain.game import Table
from domain.games.nonsense import GAME
from domain.games.nonsense.commands import Move, PayPenalty, TakeCard, TellAdventure
from domain.games.nonsense.components import CLUB, MARKET
from tests.playing import Step, commands_of, laid_out

Choice: TypeAlias = tuple[int, Any]
Chooser: TypeAlias = Callable[[Sequence[Choice], random.Random], Choice]


def at_random(choices: Sequence[Choice], player: random.Random) -> Choice:
    """Any legal command."""
    return player.choice(choices)


def eager(choices: Sequence[Choice], player: random.Random) -> Choice:
    """The Club if it is open, else mostly a shop; one of the first adventures; a card rather than none."""
    club = [choice for choice in choices if choice[1] == Move(CLUB)]
    tales = [choice for choice in choices if isinstance(choice[1], TellAdventure)]
    if player.random() < 0.9:
        return player.choice(club or tales[:5] or _useful(choices))
    return player.choice(choices)


def _useful(choices: Sequence[Choice]) -> Sequence[Choice]:
    wasteful = (Move(MARKET), PayPenalty(points=True))
    taking = [choice for choice in choices if isinstance(choice[1], TakeCard)]
    return taking or [choice for choice in choices if choice[1] not in wasteful] or choices


@dataclass(frozen=True, slots=True)
class Scenario:
    """A recipe, and in a word what it shows: seats to the end, a thing that happens on the way."""

    shows: str
    table: Table
    seed: str
    chooser: Chooser


def _table(seats: int, stall_limit: int = 200) -> Table:
    return Table(seats, {"stall_limit": stall_limit})


SCENARIOS = (
    Scenario("two_seats", _table(2), "0a" * 32, eager),
    Scenario("five_seats", _table(5), "00" * 32, eager),
    Scenario("eight_seats", _table(8), "0c" * 32, eager),
    Scenario("three_owe_at_once", _table(4), "0a" * 32, eager),
    Scenario("deck_reshuffled", _table(3), "0e" * 32, eager),
    Scenario("no_stall_limit", _table(3, 0), "02" * 32, eager),
    Scenario("stalled", _table(4, 12), "05" * 32, at_random),
)


def play(scenario: Scenario) -> Iterator[Step]:
    """The match of a recipe, step by step; the same every time."""
    chance, player = Chance(bytes.fromhex(scenario.seed)), random.Random(scenario.seed)
    state = laid_out(GAME, scenario.table, chance)
    while choices := commands_of(GAME, state):
        seat, command = scenario.chooser(choices, player)
        events = GAME.decide(state, command, seat, chance)
        after = reduce(GAME.evolve, events, state)
        yield Step(state, seat, command, events, after)
        state = after
