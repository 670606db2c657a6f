"""Early Morning Outing, II B to III: Outdoors never empty, column bonus, retiring, levels (W15 to W18)."""

from typing import Any

import pytest

from domain.chance import Chance
from domain.games.whatnot import GAME
from domain.games.whatnot import events as e
from domain.games.whatnot.commands import ChooseColumn, RetireCuriosities
from domain.games.whatnot.scoring import level
from domain.games.whatnot.state import State
from domain.score import Outcome
from tests.games.whatnot.table import (
    TILE,
    after,
    cabinet,
    drawing,
    given,
    ids,
    kinds,
    named,
    pawns,
    refusal,
    take,
    then,
    when,
)

CARDS = ("corners", "four_crowns", "five_colors", "row_and_column")


def my_turn(board: Any = "", **setting: Any) -> State:
    """The player is to act; the rival and the player's other pawn are still to come."""
    return given(board, **{"landscape": ".0R.0", **setting})


def last_take(board: Any = "", **setting: Any) -> State:
    """The player's last turn of a round is done but for its second take, of a red bottle."""
    state = given(board, outdoors="rl rb", **{"landscape": "....0", "columns": "0R..R", **setting})
    return after(state, ChooseColumn(4), take("rl", 1, 1))


def test_a_take_that_empties_the_outdoors_is_topped_up_at_once_w15() -> None:
    chance = chance_of("yl gl")
    state = after(my_turn(outdoors="rl", bag="yl gl"), ChooseColumn(3), chance=chance)
    state = after(state, take("rl", 0, 0), chance=chance)
    assert named(state.outdoors) == "yl"
    events = when(state, take("yl", 0, 1), chance=chance)
    assert events[:2] == (e.TileTaken(0, TILE["yl"], 0, 1, ()), e.TilesAdded(ids("gl")))


def test_a_special_take_is_topped_up_only_when_it_is_resolved_w15() -> None:
    state = my_turn(outdoors="draw1", bag="yl gl bl")
    chance = chance_of("yl gl bl")
    state = after(state, ChooseColumn(3), take("yl", 0, 0), chance=chance)
    events = when(state, take("draw1"), chance=chance)
    assert kinds(events) == ["SpecialTaken", "SpecialKept", "TileFound"]
    events = when(then(state, events), take("gl", 0, 1), chance=chance)
    assert events[:2] == (e.TileTaken(0, TILE["gl"], 0, 1, ()), e.TilesAdded(ids("bl")))


def test_column_five_and_a_sweep_bring_exactly_their_four_w15() -> None:
    state = my_turn(outdoors="rl", bag="yl yc yb ys gl gc gb gs sweep1")
    events = when(state, ChooseColumn(5), chance=drawing("yl yc yb sweep1", state.bag))
    assert [len(event.tiles) for event in events if isinstance(event, e.TilesAdded)] == [4]
    events = when(then(state, events), take("sweep1"))
    assert [len(event.tiles) for event in events if isinstance(event, e.TilesAdded)] == [4]


def test_the_outdoors_stay_as_they_are_between_the_rounds_w15() -> None:
    state = given("", outdoors="rl rc", bag="yl yc", landscape="....0", columns="0R.R.", curiosities=())
    state = after(state, ChooseColumn(3), take("rl", 0, 0), chance=chance_of("yl yc"))
    events = when(state, take("rc", 0, 1))
    assert kinds(events)[-2:] == ["TurnEnded", "RoundEnded"]
    ended = then(state, events)
    assert (ended.round, named(ended.outdoors), ended.discards & {*ids("yl")}) == (2, "yl", frozenset())
    assert (ended.landscape, GAME.to_act(ended)) == (pawns("0R0R."), (0,))


def chance_of(tiles: str) -> Chance:
    """Dice that draw just these tiles in this order."""
    return drawing(tiles, ids(tiles))


@pytest.mark.parametrize(("column", "points"), [(1, 3), (2, 2), (3, 1), (4, 0), (5, 0)])
def test_columns_one_two_and_three_earn_three_two_and_one_at_the_end_of_the_turn_w17(
    column: int, points: int
) -> None:
    state = my_turn(cabinet(column_bonus=4), outdoors="rl rc", bag="yl yc yb ys ya")
    state = after(state, ChooseColumn(column))
    state = after(state, next(GAME.legal(state, 0)))
    assert state.cabinets[0].column_bonus == 4
    events = when(state, next(GAME.legal(state, 0)))
    bonus = ["ColumnBonusEarned"] if points else []
    assert kinds(events)[-1 - len(bonus) :] == [*bonus, "TurnEnded"]
    assert then(state, events).cabinets[0].column_bonus == 4 + points


def test_the_column_bonus_comes_on_top_of_the_landscape_points_of_the_end_w17() -> None:
    over = given(cabinet(column_bonus=3), landscape=".....", columns="0.0RR", over=True)
    points = {part.name: part.points for part in GAME.score(over, None)[0].parts}
    assert (points["column_bonus"], points["landscape"]) == (3, 3 + 1)


@pytest.mark.parametrize("number", [1, 2])
def test_after_rounds_one_and_two_the_player_chooses_two_face_up_cards_to_retire_w16(number: int) -> None:
    state = last_take(round=number, curiosities=CARDS)
    events = when(state, take("rb", 2, 1))
    assert kinds(events)[-2:] == ["TurnEnded", "RetirementOwed"]
    state = then(state, events)
    assert (GAME.to_act(state), len(list(GAME.legal(state, 0)))) == ((0,), 6)
    events = when(state, RetireCuriosities(("five_colors", "corners")))
    assert events == (e.CuriositiesRetired(("five_colors", "corners")), e.RoundEnded(number))
    ended = then(state, events)
    assert ended.curiosities == ("four_crowns", "row_and_column")
    assert (ended.landscape, ended.columns) == (pawns("0R.0R"), pawns("....."))


@pytest.mark.parametrize(
    "cards",
    [
        (),
        CARDS[:1],
        CARDS[:3],
        (CARDS[0], CARDS[0]),
        (CARDS[0], "four_of_a_type"),
        (CARDS[0], "no_such_card"),
    ],
)
def test_two_different_cards_that_lie_face_up_are_retired_w16(cards: tuple[str, ...]) -> None:
    state = after(last_take(curiosities=CARDS), take("rb", 2, 1))
    assert refusal(state, RetireCuriosities(cards)) == "not_two_face_up"
    assert refusal(state, ChooseColumn(1)) == "not_now"


@pytest.mark.parametrize("left", [1, 2])
def test_with_two_face_up_cards_or_one_they_are_retired_without_a_command_w16(left: int) -> None:
    state = last_take(curiosities=CARDS[:left])
    events = when(state, take("rb", 2, 1))
    assert events[-2:] == (e.CuriositiesRetired(CARDS[:left]), e.RoundEnded(1))
    assert then(state, events).curiosities == ()


def test_with_no_face_up_card_none_is_retired_w16() -> None:
    assert kinds(when(last_take(), take("rb", 2, 1)))[-2:] == ["TurnEnded", "RoundEnded"]


def test_after_round_three_the_match_is_over_and_no_card_is_retired_w16() -> None:
    events = when(last_take(round=3, curiosities=CARDS), take("rb", 2, 1))
    assert kinds(events)[-2:] == ["TurnEnded", "CabinetsFilled"]


def test_a_card_earned_in_the_last_turn_of_a_round_is_not_up_for_retiring_w16() -> None:
    state = last_take("rl* . rc . . . rs . . . . rs*", curiosities=CARDS[:3])
    events = when(state, take("rb", 3, 0))
    assert e.CuriosityEarned(0, "corners") in events
    assert events[-2:] == (e.CuriositiesRetired(CARDS[1:3]), e.RoundEnded(1))


def test_a_retired_card_is_earned_no_more_w16() -> None:
    three_corners = "rl* . rc . . . . . . . . rs*"
    state = given(three_corners, outdoors="rl rb", landscape="....0", retired=("corners",), columns="0R..R")
    state = after(state, ChooseColumn(4), take("rl", 1, 1))
    assert "CuriosityEarned" not in kinds(when(state, take("rb", 3, 0)))


def test_alone_lines_and_curiosities_earn_what_they_always_earn() -> None:
    state = my_turn("rl . rc . . . . . . rs . ra", outdoors="rb yl", bag="gl", curiosities=CARDS[:1])
    state = after(state, ChooseColumn(3), take("yl", 1, 1))
    assert when(state, take("rb", 0, 1))[1:4] == (
        e.TokenEarned(0, "row:0", 1),
        e.CuriosityEarned(0, "corners"),
        e.ColumnBonusEarned(0, 1),
    )


CHART = [
    ("clumsy_collector", 0, 20),
    ("bauble_hoarder", 21, 25),
    ("trinket_taker", 26, 30),
    ("collectible_connoisseur", 31, 35),
    ("knickknack_antiquary", 36, 40),
    ("curiosity_claimant", 41, 45),
    ("relic_fanatic", 46, 99),
]


@pytest.mark.parametrize(("word", "least", "most"), CHART)
def test_the_result_is_the_level_that_the_chart_has_for_the_total_w18(
    word: str, least: int, most: int
) -> None:
    assert level(least) == level(most) == word
    over = given(cabinet(column_bonus=least), landscape=".....", columns="RR.00", over=True)
    assert GAME.outcome(over) == Outcome(((0,),), (0,), word)
