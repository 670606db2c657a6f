"""Each recipe's match shows what its name promises."""

from typing import Any

import pytest

from domain.games.drawer import GAME
from domain.games.drawer import events as e
from domain.games.drawer.state import State
from domain.score import Outcome
from tests.games.drawer.scenarios import RECIPES, play


def told(name: str) -> tuple[list[Any], State]:
    """All events of a recipe's match after the set-up, and its last state."""
    steps = list(play(RECIPES[name]))
    return [event for step in steps for event in step.events], steps[-1].after


def passes(events: list[Any]) -> list[e.SeatPassed]:
    return [event for event in events if isinstance(event, e.SeatPassed)]


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_is_played_to_its_end_and_always_the_same(name: str) -> None:
    events, state = told(name)
    assert events[-1] == e.DrawersFilled()
    assert GAME.outcome(state) is not None
    assert told(name) == (events, state)


@pytest.mark.parametrize("result", ["won", "lost"])
def test_a_solo_match_can_be_won_and_lost(result: str) -> None:
    _, state = told(f"solo_{result}")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.result == result


def test_four_seats_place_in_every_order_and_one_pass_ends_the_standard_game() -> None:
    events, state = told("four_seats_standard")
    orders = {
        tuple(event.seat for event in events[n - 4 : n] if isinstance(event, e.ItemPlaced))
        for n, event in enumerate(events)
        if isinstance(event, e.ItemsRevealed)
    }
    assert len(orders) > 6
    assert {passed.item for passed in passes(events)} == {state.item}


def test_four_seats_finish_one_after_the_other_in_the_individual_variant() -> None:
    events, _ = told("four_seats_individual")
    finished = [event.seat for event in events if isinstance(event, e.SeatFinished)]
    assert sorted(finished) == [0, 1, 2, 3]
    assert len({passed.item for passed in passes(events)}) >= 3


def test_three_of_four_players_cannot_place_the_last_item_and_the_fourth_does() -> None:
    events, _ = told("three_of_four_cannot_place_the_last_item")
    assert len(passes(events)) == 3
    (placed, revealed, filled) = events[-3:]
    assert isinstance(placed, e.ItemPlaced)
    assert len(revealed.placements) == 1
    assert filled == e.DrawersFilled()


def test_round_six_has_its_single_card_and_both_place_it_and_share_the_win() -> None:
    events, state = told("the_single_card_of_round_six")
    assert (state.round, len(state.row), len(state.discards), state.deck) == (6, 1, 20, frozenset())
    assert passes(events) == []
    assert len(events[-2].placements) == 2
    assert GAME.outcome(state) == Outcome(((0, 1),), (0, 1))
