"""II B 5, special action tiles: W7, and a bag that runs empty over one (W8)."""

import pytest

from domain.games.whatnot import GAME
from domain.games.whatnot import events as e
from domain.games.whatnot.commands import ChooseColumn, TakeTile
from domain.games.whatnot.state import State
from tests.games.whatnot.table import (
    TILE,
    after,
    cabinet,
    drawing,
    given,
    ids,
    kinds,
    named,
    refusal,
    shown,
    take,
    takeable,
    then,
    when,
)


def outdoors(tiles: str, bag: str) -> State:
    """A turn that takes two of the Outdoors: these tiles, and the first of the bag."""
    state = given("", "", outdoors=tiles, bag=bag, landscape="01...")
    return after(state, ChooseColumn(3), chance=drawing(bag[: bag.index(" ")], state.bag))


def private(tiles: str, column: int, lying: str = "rl rc", rest: str = "") -> State:
    """A turn that takes of these tiles, drawn in private."""
    state = given("", "", outdoors=lying, bag=f"{tiles} {rest}", landscape="01...")
    return after(state, ChooseColumn(column), chance=drawing(tiles, state.bag))


def test_a_special_tile_can_be_taken_like_any_other_and_takes_no_space_w7() -> None:
    state = outdoors("sweep1 rl", "draw1 yl yc yb ys")
    assert takeable(state) == {"sweep1", "rl", "draw1"}
    specials = [c for c in GAME.legal(state, 0) if isinstance(c, TakeTile) and c.row is None]
    assert specials == [take("sweep1"), take("draw1")]
    for row, column in ((0, 0), (0, None), (None, 0)):
        assert refusal(state, take("draw1", row, column)) == "special_takes_no_space"


def test_a_sweep_discards_the_outdoors_adds_four_and_is_then_discarded_itself_w7() -> None:
    state = outdoors("sweep1 rl rc", "rb yl yc yb ys")
    events = when(state, take("sweep1"))
    assert events == (
        e.SpecialTaken(0, TILE["sweep1"]),
        e.OutdoorsDiscarded(),
        e.TilesAdded(events[2].tiles),
        e.SweepDiscarded(TILE["sweep1"]),
    )
    swept = then(state, events)
    assert {*swept.outdoors} == {*ids("yl yc yb ys")}
    assert swept.discards >= {*ids("rl rc rb sweep1")}


def test_the_take_of_a_sweep_is_still_owed_from_the_four_new_tiles_w7() -> None:
    state = after(outdoors("sweep1 rl rc", "rb yl yc yb ys"), take("sweep1"))
    assert takeable(state) == {"yl", "yc", "yb", "ys"}
    state = after(state, take("yc", 0, 0))
    assert (shown(state)[0], takeable(state)) == ("yc . .", {"yl", "yb", "ys"})
    assert kinds(when(state, take("ys", 0, 1))) == ["TileTaken", "TurnEnded"]


def test_a_draw_is_kept_and_the_next_tile_of_the_bag_must_be_added_w7() -> None:
    state = outdoors("draw1 rl", "rb yl yc")
    events = when(state, take("draw1"), chance=drawing("yc", state.bag))
    kept, found = e.SpecialKept(0, TILE["draw1"]), e.TileFound(0, TILE["yc"])
    assert events == (e.SpecialTaken(0, TILE["draw1"]), kept, found)
    state = then(state, events)
    assert (state.cabinets[0].kept, takeable(state)) == (ids("draw1"), {"yc"})
    assert refusal(state, take("rl", 0, 0)) == "tile_not_there"
    assert "TurnEnded" not in kinds(when(state, take("yc", 2, 2)))


def test_a_draw_that_was_kept_is_worth_a_point_w7() -> None:
    state = given(cabinet(kept="draw1 draw3"), "")
    points = [{part.name: part.points for part in sheet.parts} for sheet in GAME.score(state, None)]
    assert [parts["special_tiles"] for parts in points] == [2, 0]


def test_a_draw_that_finds_a_draw_keeps_both_and_draws_again_w7() -> None:
    state = outdoors("draw1 rl", "rb draw2 draw3 yc")
    events = when(state, take("draw1"), chance=drawing("draw2 draw3 yc", state.bag))
    assert kinds(events) == ["SpecialTaken", "SpecialKept", "TileFound"] * 3
    state = then(state, events)
    assert (named(state.cabinets[0].kept), takeable(state)) == ("draw1 draw2 draw3", {"yc"})


def test_a_draw_that_finds_a_sweep_sweeps_and_takes_of_the_four_w7() -> None:
    state = outdoors("draw1 rl", "rb sweep1 yl yc yb ys")
    events = when(state, take("draw1"), chance=drawing("sweep1", state.bag))
    assert kinds(events)[3:] == ["SpecialTaken", "OutdoorsDiscarded", "TilesAdded", "SweepDiscarded"]
    state = then(state, events)
    assert takeable(state) == {"yl", "yc", "yb", "ys"}
    assert state.cabinets[0].kept == ids("draw1")


def test_a_sweep_may_bring_specials_that_are_taken_for_the_same_take_w7() -> None:
    state = outdoors("sweep1 rl", "rb sweep2 draw1 yb ys gl gc gb gs")
    state = after(state, take("sweep1"), chance=drawing("sweep2 draw1 yb ys", state.bag))
    state = after(state, take("sweep2"), chance=drawing("gl gc gb gs", state.bag))
    assert takeable(state) == {"gl", "gc", "gb", "gs"}
    state = after(state, take("gl", 0, 0), take("gs", 0, 1))
    assert (shown(state)[0], GAME.to_act(state)) == ("gl gs .", (1,))


@pytest.mark.parametrize("second", [False, True])
def test_a_turn_with_specials_still_ends_with_exactly_two_objects_more_w7(second: bool) -> None:
    state = outdoors("draw1 rl draw2", "rb yl yc yb ys gl")
    if second:
        state = after(state, take("rl", 0, 0))
    state = after(state, take("draw1"), chance=drawing("yl", state.bag))
    state = after(state, take("yl", 1, 1))
    if not second:
        state = after(state, take("rb", 0, 0))
    assert sum(tile is not None for tile in state.cabinets[0].spaces) == 2
    assert GAME.to_act(state) == (1,)


def test_a_draw_taken_from_a_private_draw_leaves_the_other_tiles_to_take_w7() -> None:
    state = private("draw1 yl yc", 1, rest="yb ys")
    state = after(state, take("draw1"), chance=drawing("ys", state.bag))
    assert takeable(state) == {"ys"}
    state = after(state, take("ys", 0, 0))
    assert takeable(state) == {"yl", "yc"}
    assert e.DrawnTileDiscarded(0, TILE["yl"]) in when(state, take("yc", 0, 1))


def test_a_sweep_taken_from_a_private_draw_takes_of_the_outdoors_and_then_of_the_draw_again_w7() -> None:
    state = after(private("sweep1 yl yc", 1, rest="gl gc gb gs"), take("sweep1"))
    assert takeable(state) == {"gl", "gc", "gb", "gs"}
    state = after(state, take("gb", 0, 0))
    assert takeable(state) == {"yl", "yc"}
    ended = after(state, take("yl", 0, 1))
    assert ended.discards >= {*ids("rl rc sweep1 yc")}
    assert {*ended.outdoors} == {*ids("gl gc gs")}


def test_after_a_sweep_in_column_two_the_other_drawn_tile_joins_the_new_outdoors_w7() -> None:
    state = after(private("sweep1 yl", 2, rest="gl gc gb gs"), take("sweep1"))
    events = when(state, take("gl", 0, 0))
    assert events == (e.TileTaken(0, TILE["gl"], 0, 0, ()), e.DrawnTileShown(0, TILE["yl"]))
    assert takeable(then(state, events)) == {"gc", "gb", "gs", "yl"}


def test_a_special_tile_that_is_not_taken_does_nothing_w7() -> None:
    state = after(private("sweep1 yl", 2), take("yl", 0, 0))
    assert named(state.outdoors) == "rl rc sweep1"
    state = after(private("draw1 yl yc", 1), take("yl", 0, 0))
    events = when(state, take("yc", 0, 1))
    assert kinds(events) == ["TileTaken", "DrawnTileDiscarded", "TurnEnded"]
    assert then(state, events).cabinets[0].kept == ()


def test_the_swept_tiles_may_come_back_if_the_bag_runs_out_but_not_the_sweep_in_use_w8() -> None:
    state = given("", "", outdoors="sweep1 rl rc", bag="rb yl", discards="", landscape="01...")
    state = after(state, ChooseColumn(3), chance=drawing("rb", state.bag))
    events = when(state, take("sweep1"))
    assert kinds(events)[2:5] == ["TilesAdded", "BagRefilled", "TilesAdded"]
    swept = then(state, events)
    assert {*swept.outdoors} == {*ids("yl rl rc rb")}
    assert swept.discards == {*ids("sweep1")}


def test_a_draw_from_an_empty_bag_refills_it_first_w8() -> None:
    state = given("", "", outdoors="draw1 rl", bag="rb", discards="yl", landscape="01...")
    events = when(state := after(state, ChooseColumn(3)), take("draw1"))
    assert kinds(events) == ["SpecialTaken", "SpecialKept", "BagRefilled", "TileFound"]
    assert takeable(then(state, events)) == {"yl"}
