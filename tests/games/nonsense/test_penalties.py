"""Meeting the Professor: N3, N4 and N5."""

from itertools import permutations

import pytest

from domain.games.nonsense import GAME
from domain.games.nonsense import events as e
from domain.games.nonsense.commands import Command, Move, Pass, PayPenalty, TakeCard, TellAdventure
from domain.games.nonsense.state import Player, State
from tests.games.nonsense.table import RING, after, card, given, kinds, player, refusal, then, when, worth

HERO, FACT, PHOTO = card("hero"), card("fact"), card("photograph")
PLAIN, FAR = card("specimen"), card("anecdote", arrow=8)
POINTS = PayPenalty(points=True)
OTHER = player("market")


def walked_into(*players: Player) -> State:
    """The last player took a card at the café, and its replacement's arrow led the Professor to the pub."""
    taker = player("cafe")
    taken = card("anecdote")
    table = given(
        *players,
        taker,
        turn=len(players),
        stage="action",
        professor="antique_shop",
        shops=[taken, *range(15, 22)],
        deck=[FAR],
    )
    return after(table, TakeCard(taken))


def test_n3_entering_the_professors_space_costs_a_penalty_before_the_action_of_the_place() -> None:
    state = given(player("cafe", FACT), OTHER, professor="antique_shop", shops=[PHOTO])
    events = when(state, Move("antique_shop"))
    assert events == (e.PawnMoved(0, "antique_shop"), e.PenaltiesOwed((0,)))
    entered = then(state, events)
    assert refusal(entered, TakeCard(PHOTO)) == refusal(entered, Pass()) == "not_now"
    assert list(GAME.legal(after(entered, POINTS), 0)) == [TakeCard(PHOTO), Pass()]


def test_n3_staying_on_the_professors_space_costs_nothing_again() -> None:
    state = given(player("cafe", FACT), OTHER, professor="cafe", shops=[card("anecdote")])
    assert when(state, Move("cafe")) == (e.PawnMoved(0, "cafe"),)


def test_n3_leaving_and_coming_back_costs_again() -> None:
    state = given(player("cafe", FACT, HERO), OTHER, professor="cafe", shops=[], deck=[], discards=[])
    state = after(state, Move("antique_shop"), Move("pub"), Move("cafe"))
    assert state.owing == (0,)


def test_n3_a_penalty_paid_at_an_empty_shop_ends_the_turn() -> None:
    state = given(player("cafe", FACT), OTHER, professor="antique_shop", shops=range(15, 23))
    state = after(state, Move("antique_shop"))
    events = when(state, PayPenalty(card=FACT))
    assert events == (e.CardForfeited(0, FACT), e.ShopFoundEmpty(0), e.TurnEnded(0, 1, 1))


def test_n4_a_penalty_is_a_card_of_ones_choice_or_a_point_for_every_card_in_hand() -> None:
    state = walked_into(player("pub", FACT, HERO, PHOTO))
    ways = [PayPenalty(card=FACT), PayPenalty(card=PHOTO), PayPenalty(card=HERO), POINTS]
    assert list(GAME.legal(state, 0)) == ways
    by_card, by_points = after(state, (0, PayPenalty(card=HERO))), after(state, (0, POINTS))
    assert by_card.players[0] == player("pub", FACT, PHOTO)
    assert HERO in by_card.discards
    assert by_points.players[0] == player("pub", FACT, HERO, PHOTO, lost=3)
    assert by_points.players[0].points == -3


def test_n4_scores_may_go_below_zero_and_further() -> None:
    state = walked_into(player("pub", FACT, HERO, lost=40))
    assert after(state, (0, POINTS)).players[0].points == -42


def test_n4_without_cards_there_is_no_penalty() -> None:
    state = given(player("cafe"), OTHER, professor="antique_shop", shops=[PHOTO])
    assert when(state, Move("antique_shop")) == (e.PawnMoved(0, "antique_shop"),)
    assert walked_into(player("pub")).owing == ()


@pytest.mark.parametrize(
    "both_or_neither",
    [
        PayPenalty(),
        PayPenalty(points=False),
        PayPenalty(card=FACT, points=True),
        PayPenalty(card=FACT, points=False),
    ],
)
def test_n4_a_penalty_is_paid_in_exactly_one_way(both_or_neither: PayPenalty) -> None:
    assert refusal(walked_into(player("pub", FACT)), both_or_neither, seat=0) == "one_way_to_pay"


def test_n4_a_penalty_is_paid_with_a_card_of_ones_own() -> None:
    state = walked_into(player("pub", FACT), player("pub", HERO))
    assert refusal(state, PayPenalty(card=HERO), seat=0) == "card_not_in_hand"
    assert refusal(state, PayPenalty(card=0), seat=0) == "out_of_bounds"


def test_n4_exactly_those_who_met_him_with_cards_owe_though_it_is_anothers_turn() -> None:
    state = walked_into(player("pub", FACT), player("pub"), player("cafe", HERO), player("pub", PHOTO))
    assert (GAME.to_act(state), state.turn) == ((0, 3), 4)
    for seat in (1, 2, 4):
        assert list(GAME.legal(state, seat)) == []
        assert refusal(state, POINTS, seat) == "not_your_turn"


@pytest.mark.parametrize("order", [*permutations((0, 1, 2))])
def test_n4_several_pay_in_any_order_and_nothing_goes_on_until_all_have(order: tuple[int, ...]) -> None:
    state = walked_into(player("pub", FACT), player("pub", HERO), player("pub", PHOTO))
    for number, seat in enumerate(order):
        assert GAME.to_act(state) == tuple(sorted(order[number:]))
        events = when(state, POINTS, seat)
        last = ["TurnEnded"] if number == 2 else []
        assert kinds(events) == ["PointsLost", *last]
        state = then(state, events)
    assert GAME.to_act(state) == (0,)
    assert [p.points for p in state.players] == [-1, -1, -1, 0]


def test_n4_who_owes_may_do_nothing_else_and_pays_once() -> None:
    state = walked_into(player("pub", FACT), player("pub", HERO))
    others: list[Command] = [Move("cafe"), Pass(), TakeCard(PHOTO), TellAdventure("africa", (FACT, HERO))]
    for command in others:
        assert refusal(state, command, seat=0) == "not_now"
    assert refusal(after(state, (0, POINTS)), POINTS, seat=0) == "not_your_turn"


def test_n4_the_taker_owes_too_when_his_own_refill_brings_the_professor_to_him() -> None:
    taken = card("anecdote")
    state = given(
        player("cafe", FACT), player("cafe", HERO), stage="action", shops=[taken, *range(15, 22)], deck=[FAR]
    )
    events = when(state, TakeCard(taken))
    assert events[1:] == (
        e.CardAdded("cafe", FAR),
        e.ProfessorMoved("cafe"),
        e.PenaltiesOwed((0, 1)),
    )
    points = after(then(state, events), (1, POINTS), (0, POINTS)).players[0].points
    assert points == -2, "the card just taken counts"


@pytest.mark.parametrize(("start", "end"), [*zip(RING, (*RING[1:], RING[0]), strict=True)])
def test_n5_the_professor_walks_the_ring_clockwise(start: str, end: str) -> None:
    tale = worth("africa", "hero", "fact")
    state = given(player("club", *tale), OTHER, stage="action", professor=start)
    events = when(state, TellAdventure("africa", tuple(tale)))
    assert [event.shop for event in events if isinstance(event, e.ProfessorMoved)] == [end]


def test_n5_the_club_and_the_market_are_safe() -> None:
    tale = worth("africa", "hero", "fact")
    for shop in RING:
        state = given(player("club", *tale, PLAIN), player("market", PHOTO), stage="action", professor=shop)
        assert "PenaltiesOwed" not in kinds(when(state, TellAdventure("africa", tuple(tale))))
    assert when(given(player("cafe", FACT), OTHER, professor="cafe"), Move("market")) == (
        e.PawnMoved(0, "market"),
    )
