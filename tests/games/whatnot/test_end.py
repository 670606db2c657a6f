"""Game End and Scoring: the parts of a score sheet and the tie-breaks (W12 to W14)."""

from typing import Any

import pytest

from domain.games.whatnot import GAME
from domain.games.whatnot.scoring import SCORE_PARTS
from domain.games.whatnot.state import Cabinet, State
from domain.score import Outcome
from tests.games.whatnot.table import cabinet, given

NOWHERE = "....."


def over(*cabinets: Cabinet | str, columns: str = NOWHERE, **setting: Any) -> State:
    """The end of a match; nobody's pawn stands where it is worth a point, unless the test says so."""
    return given(*cabinets, landscape=NOWHERE, columns=columns, over=True, **setting)


def parts(state: State, seat: int = 0) -> dict[str, int]:
    """The score sheet of a seat without the parts that are worth nothing."""
    return {part.name: part.points for part in GAME.score(state, None)[seat].parts if part.points}


def totals(state: State) -> list[int]:
    return [sheet.total for sheet in GAME.score(state, None)]


def blank(count: int, points: int = 0) -> Cabinet:
    """A cabinet with so many blank tokens, and a token of so many points."""
    lines = [f"row:{row}" for row in range(4)]
    return cabinet(tokens={**dict.fromkeys(lines[:count], 0), **({"column:0": points} if points else {})})


def test_the_points_of_all_tokens_are_summed() -> None:
    assert parts(over(cabinet(tokens={"row:0": 3, "row:1": 0, "column:0": 4}), "")) == {"tokens": 7}


def test_a_curiosity_card_is_worth_what_stands_on_it() -> None:
    assert parts(over(cabinet(curiosities=("corners", "four_of_a_type")), "")) == {"curiosities": 1 + 2}


def test_a_special_tile_that_was_kept_is_worth_a_point() -> None:
    assert parts(over(cabinet(kept="draw1 draw4"), "")) == {"special_tiles": 2}


@pytest.mark.parametrize(
    ("wonder", "points"), [("leaf", 3), ("crystal", 1), ("bottle", 0), ("shell", 2), ("animal", 0)]
)
def test_the_wonder_card_counts_every_object_of_its_type_whatever_its_colour(
    wonder: str, points: int
) -> None:
    state = over("rl yl pl rs gs yc", "", wonder=wonder)
    assert parts(state).get("wonder", 0) == points


def test_every_crown_on_a_tile_in_the_cabinet_is_worth_a_point_w12() -> None:
    state = over("rl* yc* gb bs*", "rc*", outdoors="pa*", wonder="animal")
    assert (parts(state), parts(state, 1)) == ({"crowns": 3}, {"crowns": 1})


@pytest.mark.parametrize(
    ("columns", "points"), [("0....", 3), (".0...", 2), ("..0..", 1), ("...0.", 0), ("....0", 0)]
)
def test_a_pawn_in_column_one_two_or_three_ends_on_a_space_worth_three_two_or_one_w13(
    columns: str, points: int
) -> None:
    for players in (3, 4):
        assert parts(over(*[""] * players, columns=columns)).get("landscape", 0) == points


@pytest.mark.parametrize(("columns", "points"), [("01.10", [3, 2]), ("0011.", [5, 1]), ("110.0", [1, 5])])
def test_of_two_players_both_pawns_may_be_worth_points_w13(columns: str, points: list[int]) -> None:
    state = over("", "", columns=columns)
    assert [parts(state, seat)["landscape"] for seat in (0, 1)] == points


def test_before_the_end_a_pawns_column_is_worth_nothing_yet_w13() -> None:
    assert totals(given("", "", landscape=".1...", columns="0.10.")) == [0, 0]


def test_the_rulebooks_example_adds_up_to_26() -> None:
    green = """
        gl* yl* bl
        rc* yc* gc
        rb  gb  bb
        rs  ys  gs"""
    tokens = {"row:0": 3, "row:1": 3, "row:2": 3, "column:0": 0, "column:1": 4}
    earned = {"tokens": tokens, "curiosities": ("corners", "row_and_column"), "kept": "draw1"}
    assert parts(over(cabinet(green, **earned), "", "", columns=".0...")) == {
        "tokens": 13,
        "curiosities": 3,
        "special_tiles": 1,
        "wonder": 3,
        "crowns": 4,
        "landscape": 2,
    }
    assert totals(over(cabinet(green, **earned), "", "", columns=".0..."))[0] == 26


def test_a_score_sheet_has_these_parts_and_the_solo_one_a_column_bonus_too() -> None:
    for players in (1, 2, 3, 4):
        names = [part.name for part in GAME.score(over(*[""] * players), None)[0].parts]
        assert names == [*SCORE_PARTS][: 7 if players == 1 else 6]


def test_every_viewer_sees_the_same_score_before_the_end_and_after_it() -> None:
    for state in (given("rl*", "yl"), over("rl*", "yl", columns="01...")):
        assert GAME.score(state, 0) == GAME.score(state, 1) == GAME.score(state, None)


def test_most_points_win_and_the_others_follow_whatever_their_blank_tokens_w14() -> None:
    state = over(blank(3), blank(0, points=4), blank(0, points=2), columns="0....")
    assert totals(state) == [3, 4, 2]
    assert GAME.outcome(state) == Outcome(((1,), (0,), (2,)), (1,))


def tied(*blanks: int, columns: str) -> State:
    """The end of a match in which everybody has nine points and so many blank tokens."""
    pawns = totals(over(*[""] * len(blanks), columns=columns))
    state = over(*(blank(n, 9 - points) for n, points in zip(blanks, pawns, strict=True)), columns=columns)
    assert {*totals(state)} == {9}
    return state


def ranking(state: State) -> list[int]:
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winners == outcome.ranking[0]
    return [seat for (seat,) in outcome.ranking]


def test_a_tie_goes_to_the_most_blank_tokens_and_then_only_to_pawns_w14() -> None:
    assert ranking(tied(1, 3, 2, columns="0.2.1")) == [1, 2, 0]
    assert ranking(tied(1, 1, 2, columns="0.1.2")) == [2, 0, 1]


@pytest.mark.parametrize(
    ("columns", "order"), [(".3120", [3, 1, 2, 0]), ("012.3", [0, 1, 2, 3]), ("3.012", [3, 0, 1, 2])]
)
def test_a_tie_in_blank_tokens_too_goes_to_the_pawn_in_or_nearest_to_space_one_w14(
    columns: str, order: list[int]
) -> None:
    assert ranking(tied(2, 2, 2, 2, columns=columns)) == order


@pytest.mark.parametrize(("columns", "order"), [("0.110", [0, 1]), ("110.0", [1, 0]), (".1001", [1, 0])])
def test_of_two_pawns_the_better_one_breaks_the_tie_w14(columns: str, order: list[int]) -> None:
    assert ranking(tied(0, 0, columns=columns)) == order


def test_nobody_has_won_before_the_end() -> None:
    assert GAME.outcome(given(blank(0, points=4), "")) is None
