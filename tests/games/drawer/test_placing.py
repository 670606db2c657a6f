"""Playing the Game, 2: where an item may be placed, and D2: all at the same time, revealed together."""

from itertools import permutations

import pytest

from domain.errors import NotYourTurn, RuleBroken
from domain.games.drawer import GAME
from domain.games.drawer import events as e
from domain.games.drawer.commands import PlaceItem
from domain.games.drawer.state import Placement
from tests.games.drawer.boards import CHANCE, given, happened, turning, when

# Round two, third card: A and C hold an item of this round (the Flashlight, the Sticky Notes).
BOARD = """
    AAAA.  .....  .....  HHHHH
    .....  .BB..  .....  .....
    E....  BB...  DD...  .....
    EE...  .....  DD...  .....
    .....  .....  .....  .....
"""
ROW = ("I4", "O4", "I2")


def refused(seat_board: str, compartment: str, *cells: int, row: tuple[str, ...] = ROW) -> RuleBroken:
    with pytest.raises(RuleBroken) as refusal:
        when(given(seat_board, row=row), 0, compartment, *cells)
    assert refusal.value.sentence.endswith(".")
    return refusal.value


def test_an_item_goes_onto_uncovered_spaces_of_a_compartment_not_used_this_round() -> None:
    state = given(BOARD, row=ROW)
    placed, *_ = when(state, 0, "B", 8, 9)
    assert placed == e.ItemPlaced(0, "I2", "B", (8, 9))


def test_a_compartment_in_which_an_item_was_placed_this_round_is_refused() -> None:
    refusal = refused(BOARD, "A", 20, 21)
    assert refusal.code == "compartment_used"
    assert refusal.sentence == "You already placed an item in A this round. Open compartments: B, D."


def test_a_compartment_is_open_again_in_the_next_round() -> None:
    state = given(BOARD, row=["I2"])
    assert {command.compartment for command in GAME.legal(state, 0)} == {"A", "B", "C", "D"}


def test_an_item_does_not_overlap_another() -> None:
    refusal = refused(BOARD, "B", 7, 8)
    assert refusal.code == "space_covered"
    assert refusal.sentence.startswith(
        "Already covered in B: 7. Uncovered spaces: 0, 1, 2, 3, 4, 5, 8, 9, 12, 13,"
    )


@pytest.mark.parametrize("name", ["E", "a", "", "AB", "compartment"])
def test_there_are_four_compartments(name: str) -> None:
    assert refused(BOARD, name, 0, 1).code == "no_such_compartment"


@pytest.mark.parametrize(
    "cells", [(), (0,), (0, 1, 2), (0, 2), (1, 0), (0, 0), (0, 6), (24, 25), (-1, 0), (10**30,)]
)
def test_an_item_keeps_its_shape_and_its_spaces_are_listed_rising(cells: tuple[int, ...]) -> None:
    refusal = refused(BOARD, "B", *cells)
    assert refusal.code == "not_its_shape"
    assert refusal.sentence.startswith("These spaces do not form Batteries (I2), which covers 2.")


def test_an_item_lies_entirely_within_one_compartment() -> None:
    assert refused(BOARD, "B", 4, 5).code == "not_its_shape"  # the end of a row and the start of the next


def test_an_item_may_be_rotated_and_flipped_and_the_same_spaces_are_one_placement() -> None:
    state = given("", row=["L3"])
    spaces = [command.cells for command in GAME.legal(state, 0) if command.compartment == "A"]
    corner = [cells for cells in spaces if {*cells} <= {0, 1, 5, 6}]
    assert corner == [(0, 1, 5), (0, 1, 6), (0, 5, 6), (1, 5, 6)]
    square = [command.cells for command in GAME.legal(given("", row=["O4"]), 0)]
    assert len(square) == 4 * 16


def test_legal_placements_are_listed_by_compartment_and_then_by_spaces() -> None:
    listed = [(command.compartment, command.cells) for command in GAME.legal(given(BOARD, row=ROW), 0)]
    assert listed == sorted(listed)
    assert listed[:3] == [("B", (0, 1)), ("B", (0, 5)), ("B", (1, 2))]


def test_the_rulebooks_example_round_leaves_the_last_item_one_compartment() -> None:
    state = given("", row=["S4"])  # Bag Clips
    for compartment, cells, turned in [
        ("C", (1, 2, 5, 6), "I2"),  # Batteries
        ("A", (0, 1), "O4"),  # Sticky Notes
        ("D", (18, 19, 23, 24), "U5"),  # Earphones
    ]:
        state = happened(state, *when(state, 0, compartment, *cells, chance=turning(turned, state)))
    assert state.row == ("S4", "I2", "O4", "U5")
    assert {command.compartment for command in GAME.legal(state, 0)} == {"B"}


def test_all_place_the_same_item_and_the_last_to_place_reveals_all_in_one_commit_d2() -> None:
    state = given("", "", "", row=["I1"])
    first = when(state, 2, "A", 4)
    assert first == (e.ItemPlaced(2, "I1", "A", (4,)),)
    second = when(happened(state, *first), 0, "B", 0)
    assert second == (e.ItemPlaced(0, "I1", "B", (0,)),)
    last = when(happened(state, *first, *second), 1, "D", 24)
    assert last[:2] == (
        e.ItemPlaced(1, "I1", "D", (24,)),
        e.ItemsRevealed("I1", (Placement(0, "B", (0,)), Placement(1, "D", (24,)), Placement(2, "A", (4,)))),
    )
    assert isinstance(last[2], e.ItemTurned)


def test_the_order_in_which_seats_place_makes_no_difference_d2() -> None:
    state = given("", "", "", row=["I1"])
    chosen = [PlaceItem("A", (0,)), PlaceItem("B", (12,)), PlaceItem("D", (24,))]
    ends = set()
    for order in permutations(range(3)):
        after = state
        for seat in order:
            assert seat in GAME.to_act(after)
            after = happened(after, *GAME.decide(after, chosen[seat], seat, CHANCE))
        ends.add(after)
    assert len(ends) == 1


def test_a_command_decided_again_after_it_lost_a_race_is_accepted_d2() -> None:
    state = given("", "", row=["I1"])
    mine = PlaceItem("A", (0,))
    assert len(GAME.decide(state, mine, 0, CHANCE)) == 1
    overtaken = happened(state, *when(state, 1, "A", 0))
    assert [type(event) for event in GAME.decide(overtaken, mine, 0, CHANCE)] == [
        e.ItemPlaced,
        e.ItemsRevealed,
        e.ItemTurned,
    ]


def test_who_has_placed_waits_for_the_others() -> None:
    state = happened(given("", "", row=["I1"]), e.ItemPlaced(0, "I1", "A", (0,)))
    assert GAME.to_act(state) == (1,)
    assert list(GAME.legal(state, 0)) == []
    with pytest.raises(NotYourTurn, match=r"waits for seat 1\."):
        when(state, 0, "A", 1)


def test_an_item_that_is_placed_in_secret_lies_in_no_drawer_yet_d2() -> None:
    state = happened(given("", "", row=["I1"]), e.ItemPlaced(0, "I1", "A", (0,)))
    assert state.drawers[0].compartments == ((), (), (), ())
    assert state.drawers[0].pending == Placement(0, "A", (0,))
    assert "I1" not in state.drawers[0].supply
