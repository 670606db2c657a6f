"""II C: point tokens for completed lines, curiosity cards for the first who meets them (W9 to W12)."""

from typing import Any

import pytest

from domain.games.whatnot import events as e
from domain.games.whatnot.commands import ChooseColumn
from domain.games.whatnot.components import COLORS, OBJECT_TYPES, Tile
from domain.games.whatnot.curiosities import CONDITIONS
from domain.games.whatnot.state import State
from tests.games.whatnot.table import BOX, after, cabinet, given, kinds, take, then, when
from tests.games.whatnot.test_second_reading import BOARDS

COLOR, TYPE = {word[0]: word for word in COLORS}, {word[0]: word for word in OBJECT_TYPES}


def filling(board: Any, *takes: tuple[str, int, int], **setting: Any) -> tuple[State, tuple[Any, ...]]:
    """A turn of seat 0 that puts these tiles into its cabinet: the state before the last, and its events."""
    names = " ".join(name for name, _, _ in takes)
    state = given(board, "", outdoors=names, bag="pa* pa", landscape="01...", **setting)
    state = after(state, ChooseColumn(4), *(take(*one) for one in takes[:-1]))
    return state, when(state, take(*takes[-1]))


def rewarded(events: tuple[Any, ...]) -> list[Any]:
    """What a turn earned, in order."""
    return [event for event in events if isinstance(event, e.TokenEarned | e.CuriosityEarned)]


@pytest.mark.parametrize(
    ("row", "points"),
    [("rl yl gl", 3), ("rl rl* rl'", 3), ("rl rc rb", 1), ("rl yc gb", 1), ("rl yl gc", 0), ("rl rc gc", 0)],
)
def test_a_row_of_one_type_earns_three_of_three_types_one_else_a_blank_token_w10(
    row: str, points: int
) -> None:
    first, second, third = row.split()
    _, events = filling(f". . . {first}", (second, 1, 1), (third, 1, 2))
    assert rewarded(events) == [e.TokenEarned(0, "row:1", points)]


@pytest.mark.parametrize(
    ("column", "points"),
    [
        ("rl rc rb rs", 4),
        ("rl rl* rc rc*", 4),
        ("rl yl gl bl", 2),
        ("rl yc gb bs", 2),
        ("rl yc gb rs", 0),
        ("rl rc rb gs", 0),
        ("rl rc yl yc", 0),
    ],
)
def test_a_column_of_one_colour_earns_four_of_four_colours_two_else_a_blank_token_w10(
    column: str, points: int
) -> None:
    one, two, three, four = column.split()
    _, events = filling(f". {one} . . {two} .", (three, 2, 1), (four, 3, 1))
    assert rewarded(events) == [e.TokenEarned(0, "column:1", points)]


def test_an_unfinished_line_earns_no_token() -> None:
    _, events = filling("rl yl .", ("rc", 1, 0), ("rb", 2, 0))
    assert rewarded(events) == []


def test_a_line_completed_by_the_first_take_is_rewarded_at_the_end_of_the_turn_w10() -> None:
    state, events = filling("rl yl .", ("gl", 0, 2), ("rb", 2, 0))
    assert state.cabinets[0].tokens == ()
    assert kinds(events) == ["TileTaken", "TokenEarned", "TurnEnded"]


def test_every_line_completed_in_a_turn_earns_its_token_w10() -> None:
    board = """
        rl yl .
        rc yc gc
        rb yb gb
        rs .  gs """
    _, events = filling(
        cabinet(board, tokens={"row:1": 3, "row:2": 3, "column:0": 4}), ("gl", 0, 2), ("ys", 3, 1)
    )
    lines = [("row:0", 3), ("row:3", 3), ("column:1", 4), ("column:2", 4)]
    assert rewarded(events) == [e.TokenEarned(0, line, points) for line, points in lines]


def test_a_line_is_rewarded_once_and_a_full_cabinet_has_seven_tokens() -> None:
    full_but_two = "rl yl gl rc yc gc rb yb gb rs"
    tokens = {"row:0": 3, "row:1": 3, "row:2": 3, "column:0": 4}
    state, events = filling(cabinet(full_but_two, tokens=tokens), ("ys", 3, 1), ("gs", 3, 2))
    assert [token.line for token in rewarded(events)] == ["row:3", "column:1", "column:2"]
    assert len(then(state, events).cabinets[0].tokens) == 7


def test_tokens_come_before_curiosities_and_both_before_the_turn_ends() -> None:
    corners = "rl rc . . . . . . . . . rs*"
    _, events = filling(corners, ("rb", 0, 2), ("rs", 3, 0), curiosities=("four_crowns", "corners"))
    assert kinds(events) == ["TileTaken", "TokenEarned", "CuriosityEarned", "TurnEnded"]


@pytest.mark.parametrize("card", CONDITIONS)
def test_a_curiositys_condition_is_met_by_its_board_and_not_by_those_next_to_it(card: str) -> None:
    lines = [line.split() for line in BOARDS[card].strip().splitlines()]
    boards = [[line[at : at + 3] for line in lines] for at in range(0, len(lines[0]), 3)]
    assert [CONDITIONS[card](grid(board)) for board in boards] == [True, False, False][: len(boards)]
    assert not CONDITIONS[card]((None,) * 12)


def grid(board: list[list[str]]) -> list[Tile | None]:
    """Tiles such as no box has so many of, for a board of any of its rows."""
    marks = [mark for row in board for mark in row]
    tiles = [
        None if mark == "." else Tile(0, "object", COLOR[mark[0]], TYPE[mark[1]], mark.endswith("*"), False)
        for mark in marks
    ]
    return tiles + [None] * (12 - len(tiles))


def test_a_different_type_in_each_row_is_a_matching_and_not_a_greedy_scan_w11() -> None:
    board = (
        "rl rc . yl . . gl gb . ."  # the first row has to show its crystal: leaf is all that the second has
    )
    _, events = filling(board, ("bs", 3, 1), ("ys", 3, 2), curiosities=("type_in_each_row",))
    assert rewarded(events) == [e.CuriosityEarned(0, "type_in_each_row")]
    blocked = "rl . . yl . . gl gb . ."
    _, events = filling(blocked, ("bs", 3, 1), ("ys", 3, 2), curiosities=("type_in_each_row",))
    assert rewarded(events) == []


def test_the_conditions_are_those_of_the_twelve_cards() -> None:
    assert CONDITIONS.keys() == BOX.curiosities.keys()


def test_a_card_is_earned_at_the_end_of_the_turn_and_not_replaced_w9() -> None:
    cards = ("corners", "four_crowns")
    state, events = filling("rl . rc", ("rb", 3, 0), ("rs", 3, 2), curiosities=cards)
    assert kinds(events) == ["TileTaken", "CuriosityEarned", "TurnEnded"]
    after_it = then(state, events)
    assert (after_it.cabinets[0].curiosities, after_it.curiosities) == (("corners",), ("four_crowns",))


def test_several_cards_are_earned_in_one_turn_in_the_order_of_their_row_w9() -> None:
    cards = ("five_of_a_color", "four_crowns", "corners")
    _, events = filling("rl . rc . . . . rb' .", ("rb", 3, 0), ("rs", 3, 2), curiosities=cards)
    assert rewarded(events) == [e.CuriosityEarned(0, "five_of_a_color"), e.CuriosityEarned(0, "corners")]


SIX = """
    rl rc .
    .  yc yb
    gl .  gs """


def test_seven_without_a_line_is_met_in_mid_turn_though_the_eighth_completes_one_w9() -> None:
    seventh, eighth = ("bs", 3, 2), ("gb", 2, 1)
    _, events = filling(SIX, seventh, eighth, curiosities=("seven_without_a_line",))
    assert rewarded(events) == [e.TokenEarned(0, "row:2", 1), e.CuriosityEarned(0, "seven_without_a_line")]
    _, events = filling(SIX, eighth, seventh, curiosities=("seven_without_a_line",))
    assert rewarded(events) == [e.TokenEarned(0, "row:2", 1)]


def test_more_than_seven_objects_meet_it_too_as_long_as_no_line_is_complete_w9() -> None:
    _, events = filling(SIX, ("bs", 3, 2), ("ba", 3, 0), curiosities=("seven_without_a_line",))
    assert rewarded(events) == [e.CuriosityEarned(0, "seven_without_a_line")]


@pytest.mark.parametrize(("cabinets", "earned"), [(("", "three"), ("corners",)), (("three", ""), ())])
def test_a_condition_is_tested_on_the_acting_players_cabinet_alone_w9(
    cabinets: tuple[str, str], earned: tuple[str, ...]
) -> None:
    three = "rl . rc . . . . . . rb . ."
    boards = [name and three for name in cabinets]
    state = given(*boards, outdoors="gl rs", bag="pa* pa", landscape="10...", curiosities=("corners",))
    state = after(state, ChooseColumn(4), take("gl", 1, 0), take("rs", 3, 2))
    assert state.cabinets[1].curiosities == earned
    assert state.cabinets[0].curiosities == ()


def test_the_first_to_meet_a_condition_has_the_card_and_nobody_else_can_earn_it() -> None:
    three, other = "rl . rc . . . . . . rb . .", "bl . bc . . . . . . bb . ."
    outdoors, cards = "rs gl bs gc", ("corners",)
    state = given(three, other, outdoors=outdoors, bag="pa* pa pa'", landscape="01...", curiosities=cards)
    state = after(state, ChooseColumn(4), take("gl", 1, 0), take("rs", 3, 2))
    state = after(state, ChooseColumn(3), take("gc", 1, 0), take("bs", 3, 2))
    assert [cabinet.curiosities for cabinet in state.cabinets] == [("corners",), ()]


def test_four_crowns_are_collected_by_the_tiles_in_the_cabinet_w12() -> None:
    _, events = filling("rl* rc* .", ("rb*", 1, 0), ("rs*", 1, 1), curiosities=("four_crowns",))
    assert rewarded(events) == [e.CuriosityEarned(0, "four_crowns")]
    _, events = filling("rl* rc* .", ("rb*", 1, 0), ("rs", 1, 1), curiosities=("four_crowns",))
    assert rewarded(events) == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_only_the_solo_game_has_a_column_bonus(seats: int) -> None:
    state = given(*[""] * seats, outdoors="rl rc rb rs")
    state = after(state, ChooseColumn(3), take("rl", 0, 0))
    assert kinds(when(state, take("rc", 0, 1))) == ["TileTaken", "TurnEnded"]
