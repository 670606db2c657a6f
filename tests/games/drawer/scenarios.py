"""Recipes for whole matches that show what Junk Drawer can come to; golden logs are made of them."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

from domain.chance import Chance
from domain.game import Table
from domain.games.drawer import GAME
from domain.games.drawer.commands import PlaceItem
from domain.games.drawer.spaces import ALL, beside, groups, mask_of
from domain.games.drawer.state import State, covered
from tests.games.drawer.twin import first_table, table
from tests.playing import Step, laid_out

Player: TypeAlias = Callable[[State, int, random.Random], PlaceItem]


def any_placement(state: State, seat: int, dice: random.Random) -> PlaceItem:
    """Places wherever it may."""
    return dice.choice(list(GAME.legal(state, seat)))


def first_placement(state: State, seat: int, dice: random.Random) -> PlaceItem:
    """Fills the first open compartment from its upper left, and is soon in its own way."""
    return next(GAME.legal(state, seat))


def snug_placement(state: State, seat: int, dice: random.Random) -> PlaceItem:
    """Packs tightly: few gaps, few uncovered spaces beside the item."""

    def looseness(command: PlaceItem) -> int:
        item = mask_of(command.cells)
        free = ALL & ~covered(state, seat, command.compartment) & ~item
        return (beside(item) & free).bit_count() + 3 * len(groups(free))

    return min(GAME.legal(state, seat), key=looseness)


@dataclass(frozen=True, slots=True)
class Recipe:
    """A table, its seed in hex, how each seat plays, and by which rules; dice say who comes next."""

    table: Table
    seed: str
    players: tuple[Player, ...]
    rules_version: int = 2

    def choose(self, state: State, dice: random.Random) -> tuple[int, PlaceItem]:
        """The next seat and what it does."""
        seat = dice.choice(GAME.to_act(state))
        return seat, self.players[seat](state, seat, dice)


def play(recipe: Recipe) -> Iterator[Step]:
    """The match of a recipe, step by step, always the same."""
    chance, dice = Chance(bytes.fromhex(recipe.seed)), random.Random(recipe.seed)
    state = laid_out(GAME.versions[recipe.rules_version], recipe.table, chance)
    while GAME.to_act(state):
        seat, command = recipe.choose(state, dice)
        events = GAME.decide(state, command, seat, chance)
        after = reduce(GAME.evolve, events, state)
        yield Step(state, seat, command, events, after)
        state = after


FIRST_RULES: Mapping[str, Recipe] = {  # in which the option `cards` is one string (D13)
    "solo_won": Recipe(first_table(1, goals="more_more_more"), "00" * 32, (snug_placement,), 1),
    "solo_lost": Recipe(first_table(1, goals="slim_pickings"), "00" * 32, (any_placement,), 1),
    "four_seats_standard": Recipe(first_table(4), "00" * 32, (any_placement,) * 4, 1),
    "four_seats_individual": Recipe(
        first_table(4, variant="individual", goals="medium", two_large_gaps="largest"),
        "00" * 32,
        (any_placement, snug_placement, first_placement, any_placement),
        1,
    ),
    "three_of_four_cannot_place_the_last_item": Recipe(
        first_table(4, goals="bring_a_wheelbarrow"), "00" * 32, (first_placement,) * 3 + (snug_placement,), 1
    ),
    "the_single_card_of_round_six": Recipe(
        first_table(2, goals="chosen", cards="M3,E5,E1,M4"), "01" * 32, (snug_placement, snug_placement), 1
    ),
    "first_rules_easy": Recipe(first_table(2, goals="easy"), "02" * 32, (any_placement,) * 2, 1),
    "first_rules_hard": Recipe(first_table(2, goals="hard"), "03" * 32, (any_placement,) * 2, 1),
    "first_rules_a_sprint_not_a_marathon": Recipe(
        first_table(2, goals="a_sprint_not_a_marathon"), "04" * 32, (any_placement,) * 2, 1
    ),
}
RECIPES: Mapping[str, Recipe] = {
    **FIRST_RULES,
    "solo_won_by_chosen_cards": Recipe(
        table(1, goals="chosen", cards=("E5", "M2", "M3", "M4")), "00" * 32, (snug_placement,)
    ),
    "solo_lost_at_slim_pickings": Recipe(table(1, goals="slim_pickings"), "00" * 32, (any_placement,)),
    "two_seats_easy": Recipe(table(2, goals="easy"), "02" * 32, (any_placement, snug_placement)),
    "two_seats_hard": Recipe(table(2, goals="hard"), "03" * 32, (any_placement, snug_placement)),
    "three_seats_more_more_more": Recipe(table(3, goals="more_more_more"), "04" * 32, (any_placement,) * 3),
    "two_seats_a_sprint_not_a_marathon": Recipe(
        table(2, goals="a_sprint_not_a_marathon"), "05" * 32, (first_placement, any_placement)
    ),
    "two_seats_bring_a_wheelbarrow": Recipe(
        table(2, goals="bring_a_wheelbarrow"), "06" * 32, (first_placement, any_placement)
    ),
    "four_seats_random": Recipe(table(4), "00" * 32, (any_placement,) * 4),
    "four_seats_medium_individual": Recipe(
        table(4, variant="individual", goals="medium", two_large_gaps="largest"),
        "00" * 32,
        (any_placement, snug_placement, first_placement, any_placement),
    ),
}
