"""Recipes for whole matches of The Whatnot Cabinet; golden logs and the agreement test are made of them.

Random players seldom complete a column of one colour; collectors do, so that every curiosity card is earned
by somebody.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

from domain.chance import Chance
from domain.game import Table
from domain.games.whatnot import GAME
from domain.games.whatnot.commands import ChooseColumn, Command, TakeTile
from domain.games.whatnot.components import Tile
from domain.games.whatnot.state import State, tiles_in
from tests.playing import Step, laid_out

Player: TypeAlias = Callable[[State, int, random.Random], Command]


def anything(state: State, seat: int, dice: random.Random) -> Command:
    """Any legal command."""
    return dice.choice(list(GAME.legal(state, seat)))


def collector(state: State, seat: int, dice: random.Random) -> Command:
    """Mostly lays colours into columns, the first above all, and types into rows."""
    choices = list(GAME.legal(state, seat))
    if isinstance(choices[0], TakeTile) and dice.random() < 0.9:
        return max(choices, key=lambda command: _fit(state, seat, command) + dice.random())
    return dice.choice(choices)


def ambitious(state: State, seat: int, dice: random.Random) -> Command:
    """A collector who always takes the lowest column, for its bonus."""
    choices = list(GAME.legal(state, seat))
    return choices[0] if isinstance(choices[0], ChooseColumn) else collector(state, seat, dice)


def _fit(state: State, seat: int, command: Command) -> float:
    """How well an object goes with what lies in its row and column; a special tile goes with anything."""
    if not isinstance(command, TakeTile) or command.row is None or command.column is None:
        return 1
    tile, lying = state.box.tiles[command.tile], tiles_in(state, state.cabinets[seat])
    column = [other for other in lying[command.column :: 3] if other]
    row = [other for other in lying[3 * command.row :][:3] if other]
    weight = 2 if command.column == 0 else 1
    return weight * _likeness(tile.color, column, "color") + 0.4 * _likeness(tile.type, row, "type")


def _likeness(wanted: str | None, line: list[Tile], what: str) -> int:
    alike = all(getattr(tile, what) == wanted for tile in line)
    return len(line) if alike else -len(line)


@dataclass(frozen=True, slots=True)
class Recipe:
    """A table, its seed in hex, and how everybody at it plays; dice say which of their choices they make."""

    table: Table
    seed: str
    player: Player
    rules_version: int = 1

    def choose(self, state: State, dice: random.Random) -> tuple[int, Command]:
        """The next seat and what it does."""
        (seat,) = GAME.to_act(state)
        return seat, self.player(state, seat, dice)


def play(recipe: Recipe) -> Iterator[Step]:
    """The match of a recipe, step by step, always the same."""
    chance, dice = Chance(bytes.fromhex(recipe.seed)), random.Random(recipe.seed)
    state = laid_out(GAME, recipe.table, chance)
    while GAME.to_act(state):
        seat, command = recipe.choose(state, dice)
        events = GAME.decide(state, command, seat, chance)
        after = reduce(GAME.evolve, events, state)
        yield Step(state, seat, command, events, after)
        state = after


def _table(seats: int, *, advanced: bool = False) -> Table:
    return Table(seats, {"advanced": advanced})


RECIPES: Mapping[str, Recipe] = {
    "solo": Recipe(_table(1), "0a" * 32, anything),
    "solo_advanced": Recipe(_table(1, advanced=True), "04" * 32, anything),
    "two_seats": Recipe(_table(2), "08" * 32, anything),
    "two_seats_advanced": Recipe(_table(2, advanced=True), "09" * 32, anything),
    "three_seats": Recipe(_table(3), "09" * 32, anything),
    "four_seats": Recipe(_table(4), "06" * 32, anything),
    "solo_bauble_hoarder": Recipe(_table(1), "00" * 32, anything),
    "solo_collectible_connoisseur": Recipe(_table(1), "00" * 32, ambitious),
    "solo_knickknack_antiquary": Recipe(_table(1), "05" * 32, ambitious),
    "solo_curiosity_claimant": Recipe(_table(1), "01" * 32, ambitious),
    "solo_relic_fanatic": Recipe(_table(1), "14" * 32, ambitious),
}
