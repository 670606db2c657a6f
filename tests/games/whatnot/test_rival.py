"""Early Morning Outing, II A: the rival's turn (W15)."""

from typing import Any

import pytest

from domain.games.whatnot import GAME
from domain.games.whatnot import events as e
from domain.games.whatnot.commands import ChooseColumn, TakeRivalTurn
from domain.games.whatnot.state import RIVAL, State
from domain.score import Outcome
from tests.games.whatnot.table import (
    BOX,
    CHANCE,
    after,
    given,
    ids,
    kinds,
    named,
    pawns,
    refusal,
    then,
    when,
)

RIVALS = {card.removes: card for card in BOX.rivals.values()}


def rivals_turn(removes: str = "red", *, outdoors: str = "pa", bag: str = "yl gl", **setting: Any) -> State:
    """The rival is to act, and the only card left of its deck removes this."""
    drawn = tuple(sorted(BOX.rivals.keys() - {RIVALS[removes].id}))
    return given("", outdoors=outdoors, bag=bag, rival_cards=drawn, **{"landscape": "R...0", **setting})


def test_the_rival_begins_and_later_turns_go_by_the_landscape_w15() -> None:
    assert GAME.to_act(given("", outdoors="rl")) == (RIVAL,)
    assert GAME.to_act(given("", outdoors="rl", landscape="0R.R0")) == (0,)
    assert GAME.to_act(given("", outdoors="rl", landscape=".R.R0", columns="0....")) == (RIVAL,)


def test_the_rivals_turn_is_its_own_and_its_only_command() -> None:
    rivals, mine = rivals_turn(), given("", outdoors="rl", landscape=".0R..")
    assert list(GAME.legal(rivals, RIVAL)) == [TakeRivalTurn()]
    assert refusal(rivals, ChooseColumn(1), RIVAL) == refusal(mine, TakeRivalTurn(), 0) == "rivals_own"
    assert refusal(rivals, ChooseColumn(1), 0) == refusal(mine, TakeRivalTurn(), RIVAL) == "not_your_turn"


def test_in_a_match_of_two_nobody_takes_the_rivals_turn() -> None:
    assert refusal(given("", "", landscape="1001.", outdoors="rl"), TakeRivalTurn(), 1) == "rivals_own"


def test_the_rival_draws_the_top_card_of_its_deck_and_none_twice_w15() -> None:
    state, told = given("", landscape="R...0"), []
    for _ in BOX.rivals:
        told += [event.card for event in when(state, TakeRivalTurn()) if isinstance(event, e.RivalMoved)]
        state = given("", landscape="R...0", rival_cards=tuple(told))
    assert told == [*CHANCE.shuffle("rival/0", BOX.rivals)]


@pytest.mark.parametrize(
    ("removes", "columns", "to"),
    [
        ("red", ".....", 1),
        ("red", "0....", 2),
        ("red", "00R..", 4),
        ("purple", "....0", 1),
        ("purple", "R...0", 2),
        ("yellow", ".....", 2),
        ("yellow", ".0...", 1),
        ("yellow", "00...", 5),
        ("yellow", "R0..0", 4),
        ("leaf", "0....", 5),
    ],
)
def test_the_rivals_pawn_slides_along_the_arrow_past_occupied_columns_and_around_the_ends_w15(
    removes: str, columns: str, to: int
) -> None:
    state = rivals_turn(removes, columns=columns)
    space = state.landscape.index(RIVAL)
    events = when(state, TakeRivalTurn())
    assert events[0] == e.RivalMoved(RIVALS[removes].id, to, space)
    state = then(rivals_turn(removes, columns=columns), events)
    assert state.columns == pawns(columns[: to - 1] + "R" + columns[to:])


@pytest.mark.parametrize(
    ("removes", "gone"),
    [
        ("red", "rl* rc"),
        ("yellow", "yl"),
        ("green", "gs*"),
        ("blue", "bb"),
        ("purple", "pa"),
        ("leaf", "rl* yl"),
        ("crystal", "rc"),
        ("bottle", "bb"),
        ("shell", "gs*"),
        ("animal", "pa"),
        ("crown", "rl* gs*"),
        ("special", "sweep1 draw1"),
    ],
)
def test_each_rival_card_removes_every_tile_of_the_outdoors_that_it_names_w15(
    removes: str, gone: str
) -> None:
    lying = "rl* rc yl sweep1 gs* bb draw1 pa"
    state = rivals_turn(removes, outdoors=lying, bag="gl gc")
    events = when(state, TakeRivalTurn())
    assert events[1] == e.TilesRemoved(ids(gone))
    ended = then(state, events)
    assert ended.discards >= {*ids(gone)}
    assert named(ended.outdoors[:-1]) == " ".join(name for name in lying.split() if name not in gone.split())


def test_the_rivals_turn_ends_with_one_tile_more_outdoors_w15() -> None:
    state = rivals_turn(outdoors="rl pa", bag="yl")
    assert kinds(when(state, TakeRivalTurn())) == ["RivalMoved", "TilesRemoved", "TilesAdded"]
    assert named(after(state, TakeRivalTurn()).outdoors) == "pa yl"


def test_a_card_that_names_nothing_there_removes_nothing_and_one_tile_is_added_all_the_same_w15() -> None:
    state = rivals_turn("shell", outdoors="rl pa", bag="yl")
    assert kinds(when(state, TakeRivalTurn())) == ["RivalMoved", "TilesAdded"]
    assert named(after(state, TakeRivalTurn()).outdoors) == "rl pa yl"


def test_a_removal_that_empties_the_outdoors_is_topped_up_before_the_tile_that_ends_the_turn_w15() -> None:
    events = when(rivals_turn(outdoors="rl rc"), TakeRivalTurn())
    assert kinds(events) == ["RivalMoved", "TilesRemoved", "TilesAdded", "TilesAdded"]
    assert len(then(rivals_turn(outdoors="rl rc"), events).outdoors) == 2


def test_the_rival_has_no_cabinet_no_wonder_card_and_no_score_w19() -> None:
    state = after(rivals_turn(columns="..R..", curiosities=("corners",)), TakeRivalTurn())
    assert len(state.cabinets) == len(GAME.score(state, None)) == 1
    assert state.curiosities == ("corners",)
    assert "ColumnBonusEarned" not in kinds(when(rivals_turn(), TakeRivalTurn()))
    over = given("", landscape=".....", columns="RR0.0", over=True)
    assert [sheet.total for sheet in GAME.score(over, None)] == [1]
    assert GAME.outcome(over) == Outcome(((0,),), (0,), "clumsy_collector")
