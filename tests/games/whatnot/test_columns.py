"""II A and B: whose pawn acts and where it goes, the five columns, adding to the cabinet (W3 to W6)."""

import pytest

from domain.games.whatnot import GAME
from domain.games.whatnot import events as e
from domain.games.whatnot.commands import ChooseColumn, RetireCuriosities, TakeTile
from tests.games.whatnot.table import (
    TILE,
    after,
    drawing,
    drawn,
    given,
    ids,
    kinds,
    named,
    pawns,
    refusal,
    shown,
    take,
    takeable,
    then,
    when,
)

FULL_BUT_TWO = """
    rl yl gl
    rc yc gc
    rb yb gb
    rs .  .  """


@pytest.mark.parametrize(
    ("landscape", "columns", "acting"),
    [("120..", ".....", 1), (".20..", "1....", 2), ("..0..", "12...", 0), ("....2", ".01..", 2)],
)
def test_the_pawn_on_the_lowest_occupied_space_acts_w4(landscape: str, columns: str, acting: int) -> None:
    state = given("", "", "", landscape=landscape, columns=columns, outdoors="rl rc rb rs")
    assert GAME.to_act(state) == (acting,)
    for other in {0, 1, 2} - {acting}:
        assert list(GAME.legal(state, other)) == []
        assert refusal(state, ChooseColumn(5), other) == "not_your_turn"


def test_of_two_players_who_just_took_a_turn_may_be_the_next_w3() -> None:
    state = given("", "", landscape="0110.", outdoors="rl rc rb rs", bag="yl")
    turns = []
    for column in (3, 4, 5, 1):
        turns += GAME.to_act(state)
        state = then(
            state, [e.ColumnChosen(turns[-1], column, state.acting_space, ()), e.TurnEnded(turns[-1])]
        )
    assert turns == [0, 1, 1, 0]
    assert state.columns == pawns("0.011")


def test_the_two_pawns_of_a_player_are_alike_w3() -> None:
    state = after(given("", "", landscape="0110.", outdoors="rl rc rb rs"), ChooseColumn(4))
    assert (state.landscape, state.columns) == (pawns(".110."), pawns("...0."))


@pytest.mark.parametrize(
    ("columns", "vacant"), [(".....", [1, 2, 3, 4, 5]), ("1.2..", [2, 4, 5]), ("12.1.", [3, 5])]
)
def test_a_pawn_goes_to_any_vacant_column_and_never_passes_w4(columns: str, vacant: list[int]) -> None:
    state = given("", "", "", landscape="....0", columns=columns, outdoors="rl rc rb rs")
    assert list(GAME.legal(state, 0)) == [ChooseColumn(column) for column in vacant]
    for column in {1, 2, 3, 4, 5} - {*vacant}:
        assert refusal(state, ChooseColumn(column)) == "column_occupied"


@pytest.mark.parametrize("column", [0, 6, -1])
def test_there_are_five_columns(column: int) -> None:
    assert refusal(given("", "", outdoors="rl rc rb rs"), ChooseColumn(column)) == "out_of_bounds"


def test_column_one_draws_three_takes_two_and_discards_the_other() -> None:
    state = given("", "", outdoors="rl rc rb rs", bag="yl yc yb ys", landscape="01...")
    chance = drawing("yl yc yb", state.bag)
    events = when(state, ChooseColumn(1), chance=chance)
    assert events == (e.ColumnChosen(0, 1, 0, ("drawn", "drawn")), e.TilesDrawn(0, 3, ids("yl yc yb")))
    state = then(state, events)
    assert takeable(state) == {"yl", "yc", "yb"}
    state = after(state, take("yc", 0, 0))
    assert takeable(state) == {"yl", "yb"}
    events = when(state, take("yb", 0, 1))
    assert events == (
        e.TileTaken(0, TILE["yb"], 0, 1, ()),
        e.DrawnTileDiscarded(0, TILE["yl"]),
        e.TurnEnded(0),
    )
    ended = then(state, events)
    assert TILE["yl"] in ended.discards
    assert named(ended.outdoors) == "rl rc rb rs"


def test_column_two_draws_two_takes_one_puts_the_other_outdoors_and_takes_one_from_there() -> None:
    state = given("", "", outdoors="rl rc", bag="yl yc", landscape="01...")
    state = after(state, ChooseColumn(2))
    assert takeable(state) == {"yl", "yc"}
    events = when(state, take("yc", 3, 2))
    assert events == (e.TileTaken(0, TILE["yc"], 3, 2, ()), e.DrawnTileShown(0, TILE["yl"]))
    state = then(state, events)
    assert takeable(state) == {"rl", "rc", "yl"}
    for other, left in (("rc", "rl yl"), ("yl", "rl rc")):
        events = when(state, take(other, 0, 0))
        assert kinds(events) == ["TileTaken", "TurnEnded"]
        assert named(then(state, events).outdoors) == left


@pytest.mark.parametrize(("column", "added"), [(3, "yl"), (4, "yl yc")])
def test_columns_three_and_four_add_one_and_two_tiles_and_take_two_of_the_outdoors(
    column: int, added: str
) -> None:
    state = given("", "", outdoors="rl rc", bag=added, landscape="01...")
    events = when(state, ChooseColumn(column))
    assert kinds(events) == ["ColumnChosen", "TilesAdded"]
    state = then(state, events)
    assert takeable(state) == {"rl", "rc", *added.split()}
    state = after(state, take("rc", 0, 0))
    assert takeable(state) == {"rl", *added.split()}
    assert kinds(when(state, take("yl", 1, 1))) == ["TileTaken", "TurnEnded"]


def test_column_five_discards_the_outdoors_adds_four_and_takes_two_of_them() -> None:
    state = given("", "", outdoors="rl rc rb", bag="yl yc yb ys", landscape="01...")
    events = when(state, ChooseColumn(5))
    assert kinds(events) == ["ColumnChosen", "OutdoorsDiscarded", "TilesAdded"]
    state = then(state, events)
    assert state.discards >= {*ids("rl rc rb")}
    assert takeable(state) == {"yl", "yc", "yb", "ys"}
    state = after(state, take("yl", 0, 0), take("ys", 0, 1))
    assert {*state.outdoors} == {*ids("yc yb")}


@pytest.mark.parametrize("column", [1, 2, 3, 4, 5])
def test_a_turn_adds_exactly_two_objects_whatever_the_column_w7(column: int) -> None:
    objects = "yl yc yb ys ya gl gc gb"
    state = after(given("", "", outdoors="rl rc rb rs", bag=objects, landscape="01..."), ChooseColumn(column))
    for _ in range(2):
        state = after(state, next(GAME.legal(state, 0)))
    assert sum(tile is not None for tile in state.cabinets[0].spaces) == 2
    assert (state.turn, GAME.to_act(state)) == (None, (1,))


def test_a_tile_goes_to_any_empty_space_of_ones_own_cabinet_and_the_takes_order_is_the_players_w6() -> None:
    state = given(FULL_BUT_TWO, "", outdoors="bl bc", bag="yl' yc'", landscape="01...", columns="..1..")
    state = after(state, ChooseColumn(4))
    spaces = {(c.row, c.column) for c in GAME.legal(state, 0) if isinstance(c, TakeTile)}
    assert spaces == {(3, 1), (3, 2)}
    first = after(state, take("bc", 3, 2), take("bl", 3, 1))
    other = after(state, take("bl", 3, 1), take("bc", 3, 2))
    assert shown(first) == shown(other) == [*drawn(FULL_BUT_TWO)[:3], "rs bl bc"]
    assert shown(first, 1) == drawn("")


def test_a_taken_tile_lies_in_the_cabinet_before_the_columns_next_step_w6() -> None:
    state = after(given("", "", outdoors="rl rc", bag="yl yc", landscape="01..."), ChooseColumn(2))
    assert kinds(when(state, take("yc", 0, 0))) == ["TileTaken", "DrawnTileShown"]


def test_an_object_needs_an_empty_space_and_a_tile_that_can_be_taken() -> None:
    state = after(given(FULL_BUT_TWO, "", outdoors="bl bc", bag="yl' yc'"), ChooseColumn(4))
    assert refusal(state, take("bl", 0, 0)) == "space_taken"
    assert refusal(state, take("bl")) == refusal(state, take("bl", 3)) == "space_missing"
    assert refusal(state, take("rl", 3, 1)) == refusal(state, take("gs", 3, 1)) == "tile_not_there"
    assert refusal(state, take("bl", 4, 0)) == refusal(state, take("bl", 0, 3)) == "out_of_bounds"


def test_a_column_is_chosen_once_and_its_takes_are_owed_before_anything_else() -> None:
    state = given("", "", outdoors="rl rc rb rs")
    assert refusal(state, take("rl", 0, 0)) == "not_now"
    chosen = after(state, ChooseColumn(4))
    assert refusal(chosen, ChooseColumn(5)) == refusal(chosen, RetireCuriosities(("corners",))) == "not_now"
