"""I and III: preparing and cleaning up a round, the bag that runs empty (W8), the last round."""

import pytest

from domain.errors import MatchOver
from domain.games.whatnot import GAME
from domain.games.whatnot import events as e
from domain.games.whatnot.commands import ChooseColumn
from domain.games.whatnot.state import State
from tests.games.whatnot.table import (
    BOX,
    CHANCE,
    after,
    drawing,
    given,
    ids,
    kinds,
    pawns,
    take,
    takeable,
    then,
    when,
)

LAST = {"landscape": "....0", "columns": "2.1.."}  # the last pawn of the round is to move


def last_turn(*cabinets: str, **setting: object) -> State:
    """The last turn of a round of three: a red leaf is taken, `rb yl yc` are left in the Outdoors."""
    state = given(
        *(cabinets or ("", "", "")), outdoors="rl rb", bag="yl yc gl gc gb gs", **{**LAST, **setting}
    )
    return after(state, ChooseColumn(4), take("rl", 0, 0), chance=drawing("yl yc", state.bag))


def test_the_round_ends_when_no_pawn_is_left_on_the_landscape() -> None:
    state = given("", "", "", outdoors="rl rb", landscape="...10", columns="2....")
    ended = after(state, ChooseColumn(3), take("rl", 0, 0), take("rb", 0, 1))
    assert (ended.round, ended.landscape, GAME.to_act(ended)) == (1, pawns("....0"), (0,))


def test_what_is_left_outdoors_is_discarded_and_four_tiles_prepare_the_next_round() -> None:
    events = when(last_turn(), take("rb", 0, 1))
    assert kinds(events) == ["TileTaken", "TurnEnded", "OutdoorsDiscarded", "RoundEnded", "TilesAdded"]
    state = then(last_turn(), events)
    assert state.discards >= {*ids("yl yc")}
    assert {*state.outdoors} == {*ids("gl gc gb gs")}
    assert state.round == 2


def test_the_pawns_move_to_the_landscape_spaces_of_their_columns_and_the_leftmost_begins() -> None:
    state = then(last_turn(), when(last_turn(), take("rb", 0, 1)))
    assert (state.landscape, state.columns) == (pawns("2.10."), pawns("....."))
    assert GAME.to_act(state) == (2,)


def test_special_tiles_stay_in_the_outdoors_of_a_later_round_w2() -> None:
    state = given("", "", "", outdoors="rl rb", bag="yl yc draw1 sweep1 draw2 sweep2", **LAST)
    state = after(state, ChooseColumn(4), take("rl", 0, 0), chance=drawing("yl yc", state.bag))
    prepared = then(state, when(state, take("rb", 0, 1)))
    assert {*prepared.outdoors} == {*ids("draw1 sweep1 draw2 sweep2")}


@pytest.mark.parametrize(("players", "rounds"), [(2, 3), (3, 6), (4, 6)])
def test_after_the_last_round_nothing_is_discarded_or_prepared_and_no_pawn_moves_back_w13(
    players: int, rounds: int
) -> None:
    columns = {2: "1.1.0", 3: "2.1..", 4: "231.."}[players]
    state = given(*[""] * players, outdoors="rl rb", landscape="....0", columns=columns, round=rounds)
    state = after(state, ChooseColumn(4), take("rl", 0, 0))
    events = when(state, take("rb", 0, 1))
    assert kinds(events) == ["TileTaken", "TurnEnded", "CabinetsFilled"]
    over = then(state, events)
    assert over.columns == pawns(columns[:3] + "0" + columns[4])
    assert (over.outdoors, GAME.to_act(over)) == (then(state, events[:1]).outdoors, ())


def test_one_round_before_the_last_the_match_goes_on() -> None:
    ended = then(state := last_turn(round=5), when(state, take("rb", 0, 1)))
    assert (ended.round, GAME.outcome(ended)) == (6, None)


def test_no_command_is_accepted_after_the_last_round() -> None:
    over = then(state := last_turn(round=6), when(state, take("rb", 0, 1)))
    for seat in range(3):
        assert list(GAME.legal(over, seat)) == []
        with pytest.raises(MatchOver):
            GAME.decide(over, ChooseColumn(1), seat, CHANCE)


def test_the_bag_is_refilled_with_all_discards_when_a_tile_is_needed_and_it_is_empty_w8() -> None:
    state = given("", "", outdoors="rl rc", bag="", discards="ys gs", landscape="01...")
    events = when(state, ChooseColumn(3))
    assert kinds(events) == ["ColumnChosen", "BagRefilled", "TilesAdded"]
    refilled = then(state, events)
    assert (len(refilled.bag), refilled.discards, refilled.shakes) == (1, frozenset(), 1)


def test_the_bag_is_refilled_in_mid_draw_and_not_before_w8() -> None:
    state = given("", "", outdoors="rl rc", bag="yl", discards="ys gs gb", landscape="01...")
    chance = drawing("gs ys", state.discards, shakes=1)
    events = when(state, ChooseColumn(1), chance=chance)
    assert events == (
        e.ColumnChosen(0, 1, 0, ("drawn", "drawn")),
        e.TilesDrawn(0, 1, ids("yl")),
        e.BagRefilled(),
        e.TilesDrawn(0, 2, ids("gs ys")),
    )
    assert takeable(then(state, events)) == {"yl", "gs", "ys"}
    assert "BagRefilled" not in kinds(when(state, ChooseColumn(3))), "the last tile empties it, no more"


def test_the_tiles_that_column_five_discards_are_refilled_too_if_the_bag_runs_out_w8() -> None:
    state = given("", "", outdoors="rl rc", bag="yl yc yb", discards="", landscape="01...")
    events = when(state, ChooseColumn(5))
    assert kinds(events) == [
        "ColumnChosen",
        "OutdoorsDiscarded",
        "TilesAdded",
        "BagRefilled",
        "TilesAdded",
    ]
    assert len({*then(state, events).outdoors} & {*ids("rl rc")}) == 1


@pytest.mark.parametrize(("players", "advanced"), [(1, True), (2, True), (4, False)])
def test_bag_and_discards_cannot_both_be_empty_w8(players: int, advanced: bool) -> None:
    with pytest.raises(AssertionError, match="W8"):
        when(given("", "", outdoors="rl rc", bag="", discards=""), ChooseColumn(3))
    tiles = BOX.in_play(advanced)
    specials, outdoors = sum(tile.special for tile in tiles), 16  # more than a solo match can pile up
    assert 12 * players + specials + outdoors < len(tiles)
