"""Playing the Game, 3, Game End and Variant Mode: rounds, who cannot place, the end (D3 to D6)."""

from typing import Any

from domain.games.drawer import GAME
from domain.games.drawer import events as e
from domain.games.drawer.state import CARDS_IN_ROW, Placement
from tests.games.drawer.boards import given, happened, turning, when

# No straight line of five is free in A, B and C; D has room for the Ruler.
FULL = """
    V....  TTT..  .X...  .....
    V....  .T...  XXX..  ....O
    VVW..  .TZZ.  .XFF.  ....O
    ..WW.  ...Z.  ...FF  .....
    ...WW  ...ZZ  ...F.  .....
"""
ROOMY = """
    V....  TTT..  .X...  .....
    V....  .T...  XXX..  ....O
    VVW..  .TZZ.  .X...  ....O
    ..WW.  ...Z.  .....  .....
    ...WW  ...ZZ  .....  .....
"""
RULER, TOP_OF_D, TOP_OF_C = "I5", ("D", 0, 1, 2, 3, 4), ("C", 20, 21, 22, 23, 24)


def kinds(events: tuple[Any, ...]) -> list[str]:
    return [type(event).__name__ for event in events]


def turned_up(*boards: str, row: tuple[str, ...] = ("I1",), **options: str) -> tuple[Any, ...]:
    """What happens when all have put the Thumbtack into D and the Ruler is turned up."""
    state = given(*boards, row=row, **options)
    for seat in range(len(boards) - 1):
        state = happened(state, *when(state, seat, "D", 24))
    return when(state, len(boards) - 1, "D", 24, chance=turning(RULER, state))


def after(*boards: str, **options: Any) -> Any:
    state = given(*boards, row=options.pop("row", ("I1",)), **options)
    for seat in range(len(boards) - 1):
        state = happened(state, *when(state, seat, "D", 24))
    return happened(state, *when(state, len(boards) - 1, "D", 24, chance=turning(RULER, state)))


def test_after_every_fourth_item_a_new_round_opens_all_compartments() -> None:
    state = given("", row=["I2", "I3", "I4", "I1"])
    events = when(state, 0, "A", 0)
    assert kinds(events) == ["ItemPlaced", "ItemsRevealed", "RoundEnded", "ItemTurned"]
    then = happened(state, *events)
    assert (then.round, then.discards, len(then.row)) == (state.round + 1, ("I2", "I3", "I4", "I1"), 1)
    assert {command.compartment for command in GAME.legal(then, 0)} == {"A", "B", "C", "D"}


def test_before_the_fourth_item_the_round_goes_on() -> None:
    events = when(given("", row=["I2", "I3", "I1"]), 0, "A", 0)
    assert kinds(events) == ["ItemPlaced", "ItemsRevealed", "ItemTurned"]


def test_whether_an_item_can_be_placed_is_judged_by_the_compartments_not_used_this_round_d3() -> None:
    assert kinds(turned_up(FULL)) == [
        "ItemPlaced",
        "ItemsRevealed",
        "ItemTurned",
        "SeatPassed",
        "DrawersFilled",
    ]
    in_a_new_round = turned_up(FULL, row=("L3", "I3", "I4", "I1"))
    assert kinds(in_a_new_round) == ["ItemPlaced", "ItemsRevealed", "RoundEnded", "ItemTurned"]


def test_who_cannot_place_is_passed_at_once_and_the_match_waits_for_those_who_can_d3() -> None:
    events = turned_up(FULL, ROOMY, FULL)
    assert events[-3:] == (e.ItemTurned(RULER), e.SeatPassed(0, RULER), e.SeatPassed(2, RULER))
    state = after(FULL, ROOMY, FULL)
    assert GAME.to_act(state) == (1,)
    assert list(GAME.legal(state, 0)) == []


def test_who_can_place_must_there_is_no_other_command_d3() -> None:
    assert all(type(command).__name__ == "PlaceItem" for command in GAME.legal(after(FULL, ROOMY), 1))
    assert len(GAME.commands) == 1


def test_the_first_item_that_anyone_cannot_place_is_the_last_for_all_d4() -> None:
    state = after(FULL, ROOMY, ROOMY)
    assert state.last
    first = when(state, 2, *TOP_OF_C)
    assert kinds(first) == ["ItemPlaced"]
    last = when(happened(state, *first), 1, *TOP_OF_C)
    assert kinds(last) == ["ItemPlaced", "ItemsRevealed", "DrawersFilled"]
    assert last[1].placements == (Placement(1, "C", TOP_OF_C[1:]), Placement(2, "C", TOP_OF_C[1:]))
    assert GAME.outcome(happened(state, *first)) is None
    assert GAME.outcome(happened(state, *first, *last)) is not None


def test_if_nobody_can_place_the_item_the_match_ends_in_the_same_commit_d4() -> None:
    events = turned_up(FULL, FULL)
    assert events[-3:] == (e.SeatPassed(0, RULER), e.SeatPassed(1, RULER), e.DrawersFilled())
    assert GAME.outcome(after(FULL, FULL)) is not None


def test_in_the_individual_variant_who_cannot_place_is_finished_and_the_others_go_on_d5() -> None:
    events = turned_up(FULL, ROOMY, variant="individual")
    assert events[-2:] == (e.SeatPassed(0, RULER), e.SeatFinished(0))
    state = after(FULL, ROOMY, variant="individual")
    assert not state.last
    further = when(state, 1, *TOP_OF_C, chance=turning("L3", state))
    assert kinds(further) == ["ItemPlaced", "ItemsRevealed", "ItemTurned"]
    assert GAME.to_act(happened(state, *further)) == (1,)


def test_in_the_individual_variant_the_others_start_new_rounds_if_necessary_d5() -> None:
    state = after(FULL, ROOMY, row=("L3", "I3", "I1"), variant="individual")
    events = when(state, 1, *TOP_OF_C)
    assert kinds(events)[:4] == ["ItemPlaced", "ItemsRevealed", "RoundEnded", "ItemTurned"]
    assert GAME.to_act(happened(state, *events)) == (1,)


def test_who_is_finished_places_no_more_even_what_would_fit_d5() -> None:
    state = after(FULL, ROOMY, variant="individual")
    state = happened(state, *when(state, 1, *TOP_OF_C, chance=turning("L3", state)))
    assert "L3" in state.drawers[0].supply
    assert list(GAME.legal(state, 0)) == []


def test_the_individual_variant_ends_when_nobody_is_left_who_can_place_d5() -> None:
    state = after(FULL, FULL, ROOMY, variant="individual")
    assert GAME.to_act(state) == (2,)
    assert kinds(turned_up(FULL, FULL, variant="individual"))[-5:] == [
        "SeatPassed",
        "SeatFinished",
        "SeatPassed",
        "SeatFinished",
        "DrawersFilled",
    ]


def test_round_six_has_a_single_item_and_all_compartments_are_open_d6() -> None:
    state = given(FULL, row=["L3", "I3", "I4", "I1"], deck=[RULER])
    events = when(state, 0, "D", 24)
    assert events[-2:] == (e.RoundEnded(state.round), e.ItemTurned(RULER))
    sixth = happened(state, *events)
    assert {command.compartment for command in GAME.legal(sixth, 0)} == {"D"}
    assert GAME.view(sixth, 0)["row"] == {"face_up": (RULER,), "face_down": 0}


def test_after_the_21st_item_the_match_ends_in_either_variant_d6() -> None:
    for variant in ("standard", "individual"):
        state = given(FULL, ROOMY, row=[RULER], deck=[], variant=variant)
        first = when(state, 0, *TOP_OF_D)
        last = when(happened(state, *first), 1, *TOP_OF_D)
        assert kinds(last) == ["ItemPlaced", "ItemsRevealed", "DrawersFilled"]


def test_21_cards_are_five_rounds_of_four_and_one_more_d6() -> None:
    assert divmod(len(GAME.box(GAME.editions["core"]).items), CARDS_IN_ROW) == (5, 1)
