"""Organization Cards: what each of the 24 earns, the rulings on them (D7 to D9), and their examples (D11)."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.games.drawer import GAME
from domain.games.drawer.polyominoes import canonical
from domain.games.drawer.spaces import cells_of, drawn
from tests.games.drawer.boards import BOX, EMPTY, items_in

BOARDS = """
    .....   AAAAA   ..A..   AAAAB   A...B   AB...   ..A..
    .....   BBBBB   ..A..   D...B   .....   AB...   .AA..
    .....   CCCCC   BBACC   D...B   ..CC.   ..CCC   BB.CC
    .....   DDDDD   ..A..   D...B   ..CC.   .....   ..CC.
    .....   EEEEE   ..A..   DCCCC   .....   DDDDD   ..C..
"""
EARNED = """
    E1  0       25      9       16      6       12      10
    E2  25      0       16      9       19      13      15
    E3  15      0       12      3       6       3       15
    E4  0       16      4       16      2       9       4
    E5  0       20      12      16      12      16      12
    E6  16      0       12      0       14      7       12
    E7  0       15      3       12      9       12      0
    E8  0       18      10      0       8       6       12
    M1  0       0       12      0       0       18      12
    M2  0       4       8       4       8       12      12
    M3  0       25      5       5       4       5       2
    M4  0       40      8       16      0       4       0
    M5  50      0       8       18      38      14      8
    M6  20      0       16      12      20      18      20
    M7  3       0       12      3       3       6       15
    M8  0       20      8       16      8       8       0
    H1  0       0       0       0       12      8       4
    H2  0       0       0       18      15      15      12
    H3  0       0       0       0       0       0       10
    H4  0       0       0       36      0       0       4
    H5  0       0       16      0       0       0       8
    H6  0       0       0       0       5       0       0
    H7  0       8       8       0       0       8       8
    H8  0       0       24      18      3       0       18
"""
EARNED_BY = {card: list(map(int, points)) for card, *points in map(str.split, EARNED.strip().splitlines())}
CARDS = GAME.editions["core"].components["cards"]


def boards() -> Iterator[tuple[int, ...]]:
    rows = [line.split() for line in BOARDS.strip().splitlines()]
    return (items_in("/".join(column)) for column in zip(*rows, strict=True))


def points(card: str, board: str, two_large_gaps: str = "second") -> int:
    return BOX.cards[card].points(items_in(board), two_large_gaps)


@pytest.mark.parametrize("card", EARNED_BY)
def test_a_card_earns_what_its_wording_says_on_seven_boards(card: str) -> None:
    assert [BOX.cards[card].points(items, "second") for items in boards()] == EARNED_BY[card]


def test_there_are_eight_cards_of_each_rating() -> None:
    assert [card.id for card in BOX.cards.values()] == list(EARNED_BY)
    ratings = [card.rating for card in BOX.cards.values()]
    assert ratings == ["easy"] * 8 + ["medium"] * 8 + ["hard"] * 8


def test_an_untouched_compartment_is_one_gap_of_25_d7() -> None:
    assert (points("M5", EMPTY), points("M7", EMPTY), points("H4", EMPTY)) == (2 * 25, 3 * 1, 0)


def test_gaps_that_meet_at_a_corner_are_two_gaps_d7() -> None:
    assert points("M7", "AAA../AAA../..BBB/..BBB/..BBB") == 3 * 2


def test_items_that_meet_at_a_corner_are_not_adjacent_d7() -> None:
    assert points("H1", "AA.../AA.../..BB./..BB./.....") == 4 * 2
    assert points("H1", "AA.../AA.../.BB../.BB../.....") == 0


def test_the_ends_of_two_rows_are_not_adjacent_d7() -> None:
    assert points("H1", "....A/B..../...../...../.....") == 4 * 2


TWO_GAPS = "....A/....A/BBBBA/...CA/...CA"  # of 8 and 6 spaces


def test_two_large_gaps_scores_the_second_largest_d8() -> None:
    assert points("M1", TWO_GAPS) == 3 * 6


def test_the_second_largest_gap_may_be_as_large_as_the_largest_d8() -> None:
    assert points("M1", "...../...../AAAAA/...../.....") == 3 * 10


def test_with_fewer_than_two_gaps_two_large_gaps_earns_nothing_d8() -> None:
    assert points("M1", EMPTY) == points("M1", "AA.../AA.../...../...../.....") == 0


def test_an_option_lets_two_large_gaps_score_the_largest_even_a_single_one_d8() -> None:
    assert points("M1", TWO_GAPS, "largest") == 3 * 8
    assert points("M1", EMPTY, "largest") == 3 * 25
    assert points("M1", "AAAAA/BBBBB/CCCCC/DDDDD/EEEEE", "largest") == 0


def test_the_option_changes_no_other_card_d8() -> None:
    for card in BOX.cards.values():
        scores = [[card.points(items, reading) for items in boards()] for reading in ("second", "largest")]
        assert (scores[0] == scores[1]) is (card.id != "M1")


@pytest.mark.parametrize(
    ("board", "area"),
    [
        ("AAAAA/...../...../...../.....", 5),  # 1 by n
        ("...../.AA../.AA../...../.....", 4),  # a square
        ("AAB../AAB../CC.../...../.....", 6),  # over two items
        ("A..../AA.../.AA../..A../.....", 2),  # not aslant
    ],
)
def test_a_covered_rectangle_may_be_a_square_or_1_by_n_and_span_items_d9(board: str, area: int) -> None:
    assert points("M3", board) == area


def test_a_lone_item_is_adjacent_to_no_other() -> None:
    assert points("H1", "...../.AA../...../...../.....") == 4


def test_a_single_space_between_items_is_no_gap_of_equal_size() -> None:
    assert points("H5", ".A.B./AABBB/...../...../.....") == 0


@pytest.mark.parametrize("row", CARDS, ids=lambda row: str(row["id"]))
def test_the_example_score_is_computed_from_the_example_layout_and_is_the_tables_d11(row: Any) -> None:
    assert BOX.cards[row["id"]].example_score("second") == row["example_score"]


@pytest.mark.parametrize("row", CARDS, ids=lambda row: str(row["id"]))
def test_an_example_layout_is_made_of_different_tiles_that_exist(row: Any) -> None:
    named = dict(pair.split("=") for pair in row["example_tiles"].split())
    layout = drawn(row["example_layout"])
    assert layout.keys() == named.keys()
    assert len(set(named.values())) == len(named)
    for letter, mask in layout.items():
        assert canonical(divmod(cell, 5) for cell in cells_of(mask)) == BOX.items[named[letter]].shape
