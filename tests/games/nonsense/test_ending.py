"""Winning the Game (N1, N10), the stall limit (N14), and the score sheets."""

import pytest

from domain.errors import MatchOver
from domain.games.nonsense import GAME
from domain.games.nonsense import events as e
from domain.games.nonsense.commands import Move, Pass, TakeCard, TellAdventure
from domain.games.nonsense.state import Player, State
from domain.score import Outcome, Part, SeatScore
from tests.games.nonsense.table import CHANCE, after, card, given, kinds, player, then, when, worth

PAIR = tuple(worth("africa", "hero", "fact"))
TALE = TellAdventure("africa", PAIR)
VALUES = tuple(given(player("club"), player("club")).box.value(c, "africa") for c in PAIR)
TALE_POINTS = sum(VALUES) + 3
FACT, HERO = card("fact", nth=1), card("hero")
SEVEN = range(15, 22)


def at_the_limit(*players: Player, **setting: object) -> State:
    """The turn under way is the last without an adventure that the limit allows."""
    defaults = {"stage": "action", "quiet": 29, "stall_limit": 30}
    return given(*players, **{**defaults, **setting})


@pytest.mark.parametrize(("seats", "target"), [(2, 80), (3, 60), (4, 50), (5, 40), (6, 40), (7, 40), (8, 40)])
def test_n1_the_first_to_reach_the_target_for_the_number_of_players_has_won(seats: int, target: int) -> None:
    others = [player("market", points=target - 1)] + [player("market")] * (seats - 2)
    for short in (0, 1):
        rich = player("club", *PAIR, points=target - TALE_POINTS - short)
        state = given(rich, *others, stage="action")
        assert ("TargetReached" in kinds(when(state, TALE))) == (short == 0)


def test_n10_the_teller_has_won_and_the_others_follow_by_points_tied_ones_together() -> None:
    players = [player("market", points=n) for n in (20, 35, 20)]
    state = given(*players, player("club", *PAIR, points=47), stage="action", turn=3)
    over = after(state, TALE)
    assert GAME.outcome(over) == Outcome(((3,), (1,), (0, 2)), (3,), "target_reached")


def test_nobody_is_ranked_before_the_match_is_over() -> None:
    assert GAME.outcome(given(player("club", points=70), player("club"))) is None


def test_no_command_is_accepted_after_the_end() -> None:
    over = after(given(player("club", *PAIR, points=79), player("pub", HERO), stage="action"), TALE)
    for seat in (0, 1):
        with pytest.raises(MatchOver):
            GAME.decide(over, Move("cafe"), seat, CHANCE)


def test_n14_so_many_turns_in_a_row_without_an_adventure_end_the_match() -> None:
    state = at_the_limit(player("pub"), player("market"))
    assert when(state, Pass()) == (e.ShopPassed(0), e.TurnEnded(0, 1, 30), e.MatchStalled(30))
    one_before = at_the_limit(player("pub"), player("market"), quiet=28)
    assert when(one_before, Pass()) == (e.ShopPassed(0), e.TurnEnded(0, 1, 29))


def test_n14_the_limit_is_two_hundred_unless_the_creator_chooses_another() -> None:
    assert [(option.name, option.default) for option in GAME.options] == [("stall_limit", 200)]


def test_n14_an_adventure_starts_the_count_again() -> None:
    state = at_the_limit(player("club", *PAIR), player("market"))
    told = after(state, TALE)
    assert (told.quiet, GAME.to_act(told)) == (0, (1,))


@pytest.mark.parametrize("place", ["pub", "market", "cafe"])
def test_n14_every_other_turn_counts(place: str) -> None:
    state = given(player(place, FACT), player("club"), quiet=5, shops=[HERO, *SEVEN])
    state = after(state, Move(place))
    if state.turn == 0:
        state = after(state, next(GAME.legal(state, 0)))
    assert state.quiet == 6


def test_n14_no_limit_never_ends_a_match() -> None:
    state = at_the_limit(player("pub"), player("market"), stall_limit=0, quiet=100_000)
    assert GAME.to_act(after(state, Pass())) == (1,)
    telling = given(player("club", *PAIR), player("market"), stage="action", stall_limit=0)
    assert GAME.to_act(after(telling, TALE)) == (1,)


def test_n14_the_match_ends_with_the_last_turn_and_no_card_is_added_for_a_next_one() -> None:
    """A turn is move, penalty and action (N3); a refill comes before the next turn (N11): there is none."""
    far = card("specimen", arrow=8)
    state = at_the_limit(player("pub"), player("cafe", FACT), shops=[HERO, *SEVEN], deck=[far])
    assert when(state, TakeCard(HERO)) == (e.CardTaken(0, HERO), e.TurnEnded(0, 1, 30), e.MatchStalled(30))
    one_before = at_the_limit(player("pub"), player("cafe", FACT), shops=[HERO, *SEVEN], deck=[far], quiet=28)
    assert GAME.to_act(after(one_before, TakeCard(HERO))) == (1,), "a penalty is owed first"


def test_n14_at_the_stall_limit_the_highest_score_wins_and_ties_share() -> None:
    players = [player("market", points=n, lost=lost) for n, lost in ((10, 5), (30, 0), (0, 2), (35, 5))]
    over = after(at_the_limit(player("pub"), *players), Pass())
    assert GAME.outcome(over) == Outcome(((2, 4), (1,), (0,), (3,)), (2, 4), "stalled")


def test_n14_a_stalled_match_without_any_adventure_is_won_by_the_least_penalties() -> None:
    over = after(at_the_limit(player("pub", lost=7), player("market", lost=6)), Pass())
    assert GAME.outcome(over) == Outcome(((1,), (0,)), (1,), "stalled")


def test_the_score_sheet_has_a_part_for_every_adventure_and_one_for_penalties() -> None:
    state = after(given(player("club", *PAIR), player("market", lost=3), stage="action"), TALE)
    detail = {"destination": "africa", "cards": [*PAIR], "values": [*VALUES], "bonus": 3}
    assert GAME.score(state, None) == (
        SeatScore(0, (Part("adventure", TALE_POINTS, detail), Part("penalties", 0)), TALE_POINTS),
        SeatScore(1, (Part("penalties", -3),), -3),
    )


def test_a_second_adventure_is_a_second_part_in_the_order_they_were_told() -> None:
    first = then(
        given(player("club", *PAIR), player("market")),
        [
            e.AdventureTold(0, "china", (1, 2, 3, 4), (1, 1, 1, 1), 7),
            e.AdventureTold(0, "africa", PAIR, VALUES, 3),
        ],
    )
    sheet = GAME.score(first, 1)[0]
    assert [part.points for part in sheet.parts] == [11, TALE_POINTS, 0]
    assert sheet.total == 11 + TALE_POINTS
