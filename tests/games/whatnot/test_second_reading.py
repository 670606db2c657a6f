"""Hand-made boards that show the second reading itself to be right about The Whatnot Cabinet."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from tests.games.whatnot.second_reading import CONDITIONS, Placement, PlayerTurn, Record, Retired, Tile, read

Spaces = tuple[tuple[int, int], ...]
Board = Mapping[tuple[int, int], Tile]
COLOR = {"r": "red", "y": "yellow", "g": "green", "b": "blue", "p": "purple"}
TYPE = {"l": "leaf", "c": "crystal", "b": "bottle", "s": "shell", "a": "animal"}
SINGLES = ("corners", "type_in_each_row", "four_crowns", "column_of_one_color_in_four_types", "five_colors")
POINTS = {card: 1 if card in SINGLES else 2 for card in CONDITIONS}
DRAW = 500  # a `draw` special; the objects of seat 0 are tiles 0 to 11, those of seat 1 tiles 100 to 111

# Each space is a colour, a type and perhaps a crown: `rl*` is a red leaf with a crown, a dot is empty.
# The first board meets the condition, those next to it just do not; empty rows below are left out.
BOARDS: Mapping[str, str] = {
    "four_of_a_type": """
        rl .  .    rl .  .
        yl gl .    yl gl .
        .  .  rl   .  .  rs """,
    "corners": """
        rl .  rl   rl .  rl
        .  .  .    .  .  .
        .  .  .    .  .  rl
        rl .  rl   rl .  .  """,
    "type_in_each_row": """
        rl rc .    rl rc .
        rl .  .    rl .  rc
        rb .  .    rb rs .
        rl rs .    rc rl .  """,
    "seven_without_a_line": """
        rl rl .    rl rl .    rl rl rl
        rl .  rl   rl .  .    rl .  rl
        .  rl rl   .  rl rl   .  rl .
        rl .  rl   .  .  rl   rl .  rl """,
    "row_of_one_type_in_three_colors": """
        rs .  .    rs .  gl   rs .  gl
        .  .  .    bs .  .    bs .  .
        yl gl pl   yl gl yl   yl gl pc """,
    "five_of_a_color": """
        rl rl ra   rl rl ra
        rs gs .    gb gs .
        rb .  .    rb .  .  """,
    "four_crowns": """
        rl* .  bs*   rl* .  bs*
        rl* .  rs*   rl* .  rs  """,
    "row_of_each_kind": """
        rl rl rl   rl rl rl   rl rc rb
        rl rc rs   rl yc rl   rl rc rs """,
    "row_and_column": """
        rl .  .    rl .  .    rl .  .
        rl .  .    rl .  .    rl .  .
        rl rl rs   rl rl .    rl rl rs
        rl .  .    rl .  rs   .  .  rs """,
    "column_of_one_color_in_four_types": """
        rl .  .    rl .  .    rl .  .
        rs .  .    rs .  .    rs .  .
        rb .  .    rb .  .    rb .  .
        ra .  .    rl .  .    ya .  .  """,
    "five_colors": """
        rl gs yl   rl gs yl
        ps bl bb   rs bl bb """,
    "column_of_each_kind": """
        rl rl .    rl rl .    rl rl .
        rl gl .    rl gl .    yl gl .
        rl bs .    rl bs .    gl bs .
        rl pl .    rl bl .    bl pl .  """,
}


def drawn(board: str, nth: int = 0) -> Board:
    """The objects of a drawing of up to four rows: the nth of the boards that stand side by side."""
    lines = [line.split()[3 * nth : 3 * nth + 3] for line in board.strip().splitlines()]
    return {
        (row, column): Tile("object", COLOR[mark[0]], TYPE[mark[1]], mark.endswith("*"))
        for row, line in enumerate(lines)
        for column, mark in enumerate(line)
        if mark != "."
    }


def turns(seat: int, board: Board, actions: str = "555555", last: Spaces = ()) -> list[PlayerTurn]:
    """Fills the board in reading order, two objects a turn, but the spaces of `last` at the end."""
    spaces = [space for space in board if space not in last] + list(last)
    puts = [Placement(100 * seat + 3 * row + column, row, column) for row, column in spaces]
    return [
        PlayerTurn(seat, int(actions[n // 2]), tuple(puts[n : n + 2]), ()) for n in range(0, len(puts), 2)
    ]


def record(
    boards: Sequence[Board],
    history: Sequence[PlayerTurn | Retired],
    cards: tuple[str, ...] = (),
    pawns: tuple[tuple[int, ...], ...] = ((4,), (5,)),
    wonder: str = "none",
    *,
    solo: bool = False,
) -> Record:
    """A match in which nothing but what the test names earns a point."""
    tiles = {
        100 * seat + 3 * row + column: tile
        for seat, board in enumerate(boards)
        for (row, column), tile in board.items()
    }
    tiles[DRAW] = Tile("draw", None, None, False)
    return Record(tiles, len(boards), solo, cards, POINTS, wonder, tuple(history), dict(enumerate(pawns)))


def alone(board: Board, *cards: str, last: Spaces = ()) -> Record:
    """One cabinet, filled without interruption."""
    return record([board], turns(0, board, last=last), cards)


@pytest.mark.parametrize("card", CONDITIONS)
def test_a_curiosity_is_earned_by_its_board_and_not_by_those_next_to_it(card: str) -> None:
    boards = [board for nth in range(3) if (board := drawn(BOARDS[card], nth))]
    earned = [read(alone(board, card)).curiosities == ((card,),) for board in boards]
    assert earned == [True, False, False][: len(boards)]


FULL = drawn("""
    rl yl gs
    rl gc gs
    rs bb gs
    rs pa ys """)


def test_rows_are_judged_by_type_and_columns_by_colour_and_the_rest_are_blank() -> None:
    reading = read(alone(FULL))
    assert reading.tokens[0] == {
        "row:0": 0,
        "row:1": 1,
        "row:2": 0,
        "row:3": 0,
        "column:0": 4,
        "column:1": 2,
        "column:2": 0,
    }
    assert reading.totals == (7,)


def test_a_row_of_one_type_earns_three_and_an_unfinished_line_no_token() -> None:
    assert read(alone(drawn(BOARDS["row_of_one_type_in_three_colors"]))).tokens == ({"row:2": 3},)


SEVEN = drawn("""
    rl rl .
    rl rl .
    .  rl rl
    .  rl rl """)


def test_seven_without_a_line_counts_in_mid_turn_though_the_turn_then_completes_a_line() -> None:
    late, early = (read(alone(SEVEN, "seven_without_a_line", last=((3, n), (3, 3 - n)))) for n in (2, 1))
    assert (late.curiosities, early.curiosities) == ((("seven_without_a_line",),), ((),))
    assert late.tokens == early.tokens == ({"column:1": 4},)


def test_a_curiosity_goes_to_the_first_who_meets_it_and_cards_are_earned_in_row_order() -> None:
    board = drawn(BOARDS["corners"])
    first, second = turns(0, board), turns(1, board)
    cards = ("four_of_a_type", "five_colors", "corners")
    reading = read(record([board, board], [first[0], *second, first[1]], cards))
    assert reading.curiosities == ((), ("four_of_a_type", "corners"))
    assert [parts["curiosities"] for parts in reading.parts] == [0, 3]


def test_a_retired_card_is_earned_no_more() -> None:
    one, two = turns(0, board := drawn(BOARDS["corners"]))
    history = (one, Retired(("corners", "five_colors")), two)
    reading = read(record([board], history, ("corners", "five_colors", "four_of_a_type"), solo=True))
    assert reading.curiosities == (("four_of_a_type",),)


def test_crowns_wonder_specials_and_both_pawns_are_added_up() -> None:
    one, two = turns(0, board := drawn(BOARDS["four_crowns"]))
    history = [replace(one, kept=(DRAW,)), two]
    reading = read(record([board, {}], history, pawns=((1, 3), (2, 5)), wonder="shell"))
    assert reading.parts[0] == {
        "tokens": 0,
        "curiosities": 0,
        "special_tiles": 1,
        "wonder": 2,
        "crowns": 4,
        "landscape": 4,
    }
    assert reading.totals == (11, 2)


def test_solo_adds_a_bonus_for_each_turn_in_columns_one_to_three_and_the_rival_scores_nothing() -> None:
    reading = read(record([FULL, {}], turns(0, FULL, "123451"), (), ((5, 1), (2, 3)), "shell", solo=True))
    assert reading.parts[0]["column_bonus"] == 3 + 2 + 1 + 0 + 0 + 3
    assert (reading.totals, reading.level, reading.ranking) == ((7 + 6 + 3 + 9,), "bauble_hoarder", (0,))


CHART = [
    ("clumsy_collector", 0, 20),
    ("bauble_hoarder", 21, 25),
    ("trinket_taker", 26, 30),
    ("collectible_connoisseur", 31, 35),
    ("knickknack_antiquary", 36, 40),
    ("curiosity_claimant", 41, 45),
    ("relic_fanatic", 46, 99),
]


@pytest.mark.parametrize(("level", "least", "most"), CHART)
def test_each_solo_level_begins_and_ends_where_the_chart_says(level: str, least: int, most: int) -> None:
    match = replace(alone(drawn(BOARDS["corners"]), "corners"), solo=True)
    assert read(replace(match, points={"corners": least})).level == level
    assert read(replace(match, points={"corners": most})).level == level


BARE, BLANK, ALIKE = drawn("rl rl . \n . rl rl"), drawn("rl rl rc \n . rl ."), drawn("rl rl rl \n . rl .")


def test_most_points_win_before_blank_tokens_and_pawns_are_looked_at() -> None:
    reading = read(record([BLANK, ALIKE], turns(0, BLANK) + turns(1, ALIKE)))
    assert (reading.totals, reading.ranking, reading.level) == ((0, 3), (1, 0), None)


def test_a_tie_goes_to_more_blank_tokens_even_with_the_pawn_further_back() -> None:
    reading = read(record([BARE, BLANK], turns(0, BARE) + turns(1, BLANK)))
    assert (reading.totals, reading.ranking) == ((0, 0), (1, 0))


def test_a_tie_in_blank_tokens_too_goes_to_the_better_of_the_pawns() -> None:
    reading = read(record([{}, {}], [], pawns=((3, 2), (4, 1))))
    assert (reading.totals, reading.ranking) == ((3, 3), (1, 0))
