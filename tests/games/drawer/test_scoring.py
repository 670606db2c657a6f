"""Final Scoring and Solo Mode: four compartments added up, shared wins, the example scores (D11)."""

from typing import Any

import pytest

from domain.games.drawer import GAME
from domain.games.drawer import events as e
from domain.score import Outcome
from tests.games.drawer.boards import given, happened

# On A to D lie E1 (covered), E2 (uncovered), E6 (uncovered perimeter) and E5 (4 x items) in what follows.
CARDS = ("E1", "E2", "E6", "E5")
EQUAL = """
    IIIII  YYYY.  IIII.  OO.SS
    LLLL.  .Y...  .....  OOSS.
    LPPT.  ..NN.  ...LL  .....
    .PP..  NNN..  ...L.  TTT..
    .P...  .CCC.  .....  .T.HH
"""
BETTER = EQUAL.replace("...LL", ".LL..").replace("...L.", ".L...")  # one uncovered perimeter space more in C


def finished(*boards: str, **options: Any) -> Outcome:
    options = {"cards": CARDS} | options
    outcome = GAME.outcome(happened(given(*boards, row=["U5"], **options), e.DrawersFilled()))
    assert outcome is not None
    return outcome


def test_a_compartment_is_scored_by_its_own_card_and_the_four_are_added_up() -> None:
    (sheet,) = GAME.score(given(EQUAL, row=["U5"], cards=CARDS), None)
    assert [(part.name, part.points) for part in sheet.parts] == [("A", 16), ("B", 12), ("C", 11), ("D", 16)]
    assert [part.detail for part in sheet.parts] == [
        {"card": "E1", "example": 16},
        {"card": "E2", "example": 12},
        {"card": "E6", "example": 11},
        {"card": "E5", "example": 16},
    ]
    assert sheet.total == 16 + 12 + 11 + 16


def test_an_empty_drawer_is_scored_as_it_lies() -> None:
    (sheet,) = GAME.score(given("", row=["U5"], cards=CARDS), None)
    assert [part.points for part in sheet.parts] == [0, 25, 16, 0]


def test_before_the_goals_are_shown_a_sheet_is_empty() -> None:
    start = given("", row=[], goals="random", cards=())
    assert [(sheet.parts, sheet.total) for sheet in GAME.score(start, None)] == [((), 0)]


def test_the_most_points_win() -> None:
    assert finished(EQUAL, BETTER) == Outcome(((1,), (0,)), (1,))


def test_a_tie_for_first_shares_the_win_d11() -> None:
    assert finished(BETTER, EQUAL, BETTER) == Outcome(((0, 2), (1,)), (0, 2))


def test_a_tie_further_down_shares_the_place_d11() -> None:
    assert finished(EQUAL, BETTER, EQUAL, "") == Outcome(((1,), (0, 2), (3,)), (1,))


def test_alone_the_example_scores_together_must_be_exceeded_d11() -> None:
    assert finished(EQUAL) == Outcome(((0,),), (), "lost")  # 55 against 16 + 12 + 11 + 16
    assert finished(BETTER) == Outcome(((0,),), (0,), "won")


def test_two_players_do_not_play_against_the_example_scores() -> None:
    assert finished(EQUAL, EQUAL).result is None
    assert GAME.view(given(EQUAL, EQUAL, row=["U5"], cards=CARDS), 0)["to_beat"] is None


@pytest.mark.parametrize(
    ("reading", "to_beat"), [("second", 16 + 12 + 12 + 16), ("largest", 16 + 12 + 21 + 16)]
)
def test_alone_what_is_to_beat_follows_the_reading_of_two_large_gaps_d8_d11(
    reading: str, to_beat: int
) -> None:
    state = given("", row=["U5"], cards=("E1", "E2", "M1", "E5"), two_large_gaps=reading)
    assert GAME.view(state, 0)["to_beat"] == to_beat


def test_there_is_no_outcome_while_items_are_to_be_placed() -> None:
    assert GAME.outcome(given(EQUAL, row=["U5"], cards=CARDS)) is None
