"""The recipes for golden matches show what they say, and do so every time."""

import pytest

from domain.games.nonsense import GAME
from domain.games.nonsense import events as e
from tests.games.nonsense.scenarios import SCENARIOS, Scenario, play
from tests.playing import Step

RECIPES = {scenario.shows: scenario for scenario in SCENARIOS}


def events(steps: list[Step]) -> list[e.Event]:
    return [event for step in steps for event in step.events]


def result(steps: list[Step]) -> str | None:
    outcome = GAME.outcome(steps[-1].after)
    assert outcome is not None
    return outcome.result


@pytest.mark.parametrize(("shows", "seats"), [("two_seats", 2), ("five_seats", 5), ("eight_seats", 8)])
def test_a_match_of_so_many_seats_is_played_to_the_target(shows: str, seats: int) -> None:
    steps = list(play(RECIPES[shows]))
    assert len(steps[-1].after.players) == seats
    assert result(steps) == "target_reached"


def test_three_seats_owe_a_penalty_at_once_and_each_pays() -> None:
    steps = list(play(RECIPES["three_owe_at_once"]))
    at = next(n for n, step in enumerate(steps) if len(step.after.owing) == 3)
    assert {step.seat for step in steps[at + 1 : at + 4]} == {*steps[at].after.owing}
    assert (steps[at + 3].after.owing, result(steps)) == ((), "target_reached")


def test_the_deck_is_reshuffled_and_drawn_from_again() -> None:
    steps = list(play(RECIPES["deck_reshuffled"]))
    told = events(steps)
    shuffled = told.index(e.DeckReshuffled())
    assert any(isinstance(event, e.CardAdded) for event in told[shuffled:])
    assert result(steps) == "target_reached"


def test_a_match_with_too_few_adventures_stalls() -> None:
    assert result(list(play(RECIPES["stalled"]))) == "stalled"


def test_every_command_of_the_game_is_given_and_every_event_happens_in_some_recipe() -> None:
    steps = [step for scenario in SCENARIOS for step in play(scenario)]
    assert {type(step.command) for step in steps} == {*GAME.commands}
    set_up = {e.ShopsArranged, e.ProfessorPlaced, e.FirstPlayerChosen, e.CardDealt}
    assert {type(event) for event in events(steps)} == {*GAME.events} - set_up


@pytest.mark.parametrize("scenario", SCENARIOS, ids=RECIPES)
def test_a_recipe_gives_the_same_match_every_time(scenario: Scenario) -> None:
    assert list(play(scenario)) == list(play(scenario))
