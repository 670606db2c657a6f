"""The recipes for golden matches show what they say, and do so every time."""

from typing import Any

import pytest

from domain.chance import Chance
from domain.games.whatnot import GAME
from domain.games.whatnot.state import State
from tests.games.whatnot.scenarios import RECIPES, play


def told(name: str) -> tuple[list[Any], State]:
    """All events of a recipe's match, the set-up first, and its last state."""
    start = GAME.initial(GAME.box(GAME.editions["core"]), RECIPES[name].table)
    events = list(GAME.setup(start, Chance(bytes.fromhex(RECIPES[name].seed))))
    for step in play(RECIPES[name]):
        events += step.events
    return events, step.after


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_is_played_to_its_end_and_always_the_same(name: str) -> None:
    events, state = told(name)
    assert GAME.outcome(state) is not None
    assert told(name) == (events, state)


@pytest.mark.parametrize(
    ("name", "cabinets", "advanced"),
    [
        ("solo", 1, False),
        ("solo_advanced", 1, True),
        ("two_seats", 2, False),
        ("two_seats_advanced", 2, True),
        ("three_seats", 3, False),
        ("four_seats", 4, False),
    ],
)
def test_every_set_up_has_a_recipe_and_all_cabinets_are_full(
    name: str, cabinets: int, advanced: bool
) -> None:
    _, state = told(name)
    assert (len(state.cabinets), state.advanced) == (cabinets, advanced)
    assert all(None not in cabinet.spaces and len(cabinet.tokens) == 7 for cabinet in state.cabinets)


def test_every_command_of_the_game_is_given_and_every_event_happens_in_some_recipe() -> None:
    events = {type(event) for name in RECIPES for event in told(name)[0]}
    commands = {type(step.command) for name in RECIPES for step in play(RECIPES[name])}
    assert events == {*GAME.events}
    assert commands == {*GAME.commands, *GAME.automaton_commands}
