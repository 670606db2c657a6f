"""Why to trust the second reading of Junk Drawer: boards scored by hand, and the printed numbers."""

import pytest

from tests.games.drawer.second_reading import board_of, can_place, final, orientations, placements, score

# Tables stay as they are set: a row of values is read against the order of CARDS.
# fmt: off
BOARDS = {
    "empty": ".....  .....  .....  .....  .....",
    "full": "AAAAB  ACCCB  CCBBB  DDDDD  EEEFF",
    "lone": "AA...  .....  .....  .....  .....",
    "inside": ".....  .ABB.  .ABB.  .AAA.  .....",
    "frame": """
        AAAAA
        B...C
        B.E.C
        B...C
        BDDCC""",
    "dots": """
        AAAAB
        A.C.B
        DCCCB
        D.C.B
        DDDEE""",
    "thirds": """
        .A.BB
        .A.BB
        .A.C.
        DACC.
        DDD..""",
    "pairs": """
        AAB..
        ..BB.
        D...C
        D....
        DEEEE""",
    "holes": """
        ..AAA
        BB..A
        BCCCA
        B.DD.
        B.D..""",
}

CARDS = [f"{level}{number}" for level in "EMH" for number in range(1, 9)]

BY_HAND = {  # in the order of CARDS: E1 to E8 / M1 to M8 / H1 to H8
    "empty": "0 25 15 0 0 16 0 0 / 0 0 0 0 50 20 3 0 / 0 0 0 0 0 0 0 0",
    "full": "25 0 0 16 24 0 15 18 / 0 12 25 40 0 0 0 16 / 0 0 0 0 0 0 0 0",
    "lone": "2 23 12 2 4 14 3 0 / 0 4 2 0 46 20 3 0 / 4 3 0 0 0 0 0 0",
    "inside": "9 16 12 0 8 16 3 18 / 0 8 9 0 32 20 3 0 / 0 0 0 0 0 10 8 18",
    "frame": "17 8 0 16 20 0 15 2 / 0 16 5 16 16 12 3 8 / 4 12 0 32 0 5 0 18",
    "dots": "21 4 0 16 20 0 15 10 / 3 12 5 24 2 8 12 12 / 0 0 0 4 0 5 0 12",
    "thirds": "15 10 9 8 16 8 6 14 / 9 8 6 4 8 18 9 12 / 0 12 10 0 8 5 4 3",
    "pairs": "13 12 6 11 20 5 9 4 / 9 16 5 4 18 18 6 8 / 4 15 5 0 0 0 16 6",
    "holes": "16 9 6 10 16 6 9 12 / 6 8 5 4 6 18 12 8 / 0 6 5 8 12 5 12 0",
}

LARGEST_BY_HAND = {"empty": 75, "full": 0, "lone": 69, "inside": 48, "frame": 24, "dots": 3, "thirds": 12,
                   "pairs": 27, "holes": 9}

EXAMPLES = {  # the layout and the example score that the component table has for each card
    "E1": (".DDDC/B.DDC/BBAAC/..A../.AA..", 16), "E2": ("..AA./..AAD/.CBBD/.CCB./.C...", 12),
    "E3": ("..AA./..AAD/.CBBD/.CCB./.C...", 12), "E4": ("DDDD./.B.DA/BBB.A/.BAAA/.CCCC", 12),
    "E5": ("A.DCC/ADDDC/AADCC/A.B../.....", 16), "E6": ("...../..BB./.BB../.AAC./DDDDD", 11),
    "E7": ("BBBBB/.AAD./..A../C.AA./CCC..", 12), "E8": ("..BB./BBBDD/AAADD/..CCC/...C.", 16),
    "M1": ("...../..AAD/CAABB/CC.BB/CC...", 12), "M2": ("AA..C/DD..C/.D..C/BBBBC/..B.C", 12),
    "M3": ("DB.../DBBB./DBAA./DAACC/DA..C", 12), "M4": ("AAA../ACDD./ACBDD/CCB../C.B..", 12),
    "M5": ("...../.BBBB/.DDBC/.DAAC/..AAC", 20), "M6": ("..DDD/B..A./BBBA./CBAAA/CCC..", 18),
    "M7": (".AA.B/CAABB/C.D.B/CCD../.CD..", 15), "M8": ("B.DD./BADDC/BAACC/BAA.C/B...C", 12),
    "H1": (".CCCC/D.D.C/DDD../...A./.BB..", 8), "H2": ("...AA/.B.AA/BB.D./.BDD./CCDD.", 12),
    "H3": ("DDD../AADB./.ABBB/.AAB./.CCCC", 10), "H4": (".BB.C/..BBC/DA..C/DAAAC/D..AC", 8),
    "H5": ("BBBA./.B.A./..AAA/DDC../DDCC.", 8), "H6": (".AAAC/...DC/.BCCC/.BB../.....", 10),
    "H7": ("BB.../BBCC./...C./..AA./.D.AA", 8), "H8": ("..A../AAAD./A.BDD/.BBD./.BBC.", 12),
}

TILES = [  # shape, orientations, placements on an empty compartment
    ("#", 1, 25), ("##", 2, 40), ("###", 2, 30), ("##/#.", 4, 64), ("####", 2, 20), ("###/#..", 8, 96),
    ("##/##", 1, 16), (".##/##.", 4, 48), ("###/.#.", 4, 48), (".##/##./.#.", 8, 72), ("#####", 2, 10),
    ("####/#...", 8, 64), ("##../.###", 8, 64), ("##/##/#.", 8, 96), ("###/.#./.#.", 4, 36),
    ("#.#/###", 4, 48), ("#../#../###", 4, 36), ("#../##./.##", 4, 36), (".#./###/.#.", 1, 9),
    ("####/.#..", 8, 64), ("##./.#./.##", 4, 36),
]
# fmt: on


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("card", CARDS)
def test_a_board_earns_what_was_counted_by_hand(card: str, name: str) -> None:
    by_hand = BY_HAND[name].replace("/", " ").split()
    assert score(card, BOARDS[name].split()) == int(by_hand[CARDS.index(card)])


@pytest.mark.parametrize("name", BOARDS)
def test_the_other_reading_of_two_large_gaps_counts_the_largest_even_alone_d8(name: str) -> None:
    assert score("M1", BOARDS[name].split(), "largest") == LARGEST_BY_HAND[name]


@pytest.mark.parametrize("card", CARDS)
def test_the_example_layout_earns_the_example_score_d11(card: str) -> None:
    layout, example = EXAMPLES[card]
    assert score(card, board_of(layout)) == example


def test_fourteen_covered_eleven_uncovered_six_gaps_as_in_key_terms() -> None:
    board = board_of(".A.B./AA.BB/.CC.D/..CDD/EE...")
    assert (score("E1", board), score("E2", board), score("M7", board)) == (14, 11, 3 * 6)
    assert (score("M1", board), score("H3", board), score("H5", board)) == (3 * 3, 5 * 2, 4 * 2)


def test_a_rectangle_may_span_items_and_be_two_wide_d9() -> None:
    assert score("M3", board_of("AAAB./AABB./...../...../.....")) == 8
    assert score("M3", board_of("...../.A.../.A.../...../.....")) == 2


@pytest.mark.parametrize(("shape", "ways", "spots"), TILES)
def test_a_tile_lies_in_as_many_ways_and_spots_as_printed_d1(shape: str, ways: int, spots: int) -> None:
    assert len(orientations(shape)) == ways
    assert len(placements(shape, ["....."] * 5)) == spots


def test_there_are_twenty_one_different_tiles_d1() -> None:
    assert len({frozenset(orientations(shape)) for shape, _, _ in TILES}) == 21


def test_a_tile_covers_only_uncovered_spaces() -> None:
    board = BOARDS["holes"].split()
    assert placements("##/#.", board) == {frozenset({(3, 4), (4, 3), (4, 4)})}
    assert placements("###", board) == set()
    assert frozenset({(1, 2), (1, 3)}) in placements("##", board)
    assert len(placements("##", board)) == 5  # two in the corner of three, one in each gap of two
    assert len(placements("#", board)) == 9


def test_only_compartments_not_used_this_round_count_d3() -> None:
    drawer = {"A": BOARDS["full"].split(), "B": BOARDS["dots"].split(), "C": BOARDS["empty"].split()}
    assert can_place("#####", drawer, set())
    assert not can_place("#####", drawer, {"C"})
    assert not can_place("##", drawer, {"C"})
    assert can_place("#", drawer, {"C"})
    assert not can_place("#", drawer, {"A", "B", "C"})


def test_the_most_points_win_and_a_tie_is_shared_d11() -> None:
    cards = {"A": "E1", "B": "E2"}
    boards = {name: text.split() for name, text in BOARDS.items()}
    one = {"A": boards["full"], "B": boards["empty"]}
    two = {"A": boards["lone"], "B": boards["inside"]}
    assert final([two, one, one], cards, {}) == ([18, 50, 50], {1, 2}, None)
    assert final([two, one], cards, {}).winners == {1}


def test_alone_the_examples_must_be_beaten_and_not_equalled_d11() -> None:
    cards = {"A": "E1", "B": "E2"}
    layouts = {card: EXAMPLES[card][0] for card in cards.values()}
    boards = {name: text.split() for name, text in BOARDS.items()}
    assert final([{"A": boards["holes"], "B": boards["pairs"]}], cards, layouts) == ([16 + 12], set(), False)
    assert final([{"A": boards["dots"], "B": boards["frame"]}], cards, layouts) == ([21 + 8], {0}, True)
