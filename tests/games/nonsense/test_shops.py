"""At a Shop (N6) and at the Market (N7), and what a turn may not be spent on."""

import pytest

from domain.games.nonsense import GAME
from domain.games.nonsense import events as e
from domain.games.nonsense.commands import Move, Pass, PayPenalty, TakeCard, TellAdventure, TradeCard
from tests.games.nonsense.table import BOX, CHANCE, after, card, given, player, refusal, then, when

HERO, HERO_2, FACT = card("hero"), card("hero", nth=1), card("fact")
NEXT = card("specimen")  # the only card of the deck
OTHER = player("market")


def test_n6_a_card_taken_goes_from_the_shop_to_the_hand_and_the_board_is_refilled() -> None:
    state = given(player("pub"), OTHER, stage="action", shops=[HERO, HERO_2, *range(1, 7)], deck=[NEXT])
    events = when(state, TakeCard(HERO))
    assert events == (e.CardTaken(0, HERO), e.CardAdded("junk_shop", NEXT), e.TurnEnded(0, 1, 1))
    there = then(state, events)
    assert there.players[0].hand == {HERO}
    assert (there.at_shop("pub"), there.at_shop("junk_shop")) == ((HERO_2,), (NEXT,))


def test_n6_any_one_card_of_the_shop_may_be_taken_or_none() -> None:
    state = given(player("pub"), OTHER, stage="action", shops=[HERO, HERO_2, FACT])
    assert list(GAME.legal(state, 0)) == [TakeCard(HERO), TakeCard(HERO_2), Pass()]


@pytest.mark.parametrize("elsewhere", [FACT, NEXT, 85, 999])
def test_n6_a_card_that_does_not_lie_at_this_shop_cannot_be_taken(elsewhere: int) -> None:
    state = given(player("pub"), OTHER, stage="action", shops=[HERO, FACT])
    assert refusal(state, TakeCard(elsewhere)) == "card_not_there"


@pytest.mark.parametrize("number", [0, -1, 1000, 10**30])
def test_a_number_that_is_no_cards_is_refused(number: int) -> None:
    state = given(player("pub"), OTHER, stage="action", shops=[HERO])
    assert refusal(state, TakeCard(number)) == "out_of_bounds"


def test_n6_who_passes_takes_nothing_and_the_board_stays_as_it_is() -> None:
    state = given(player("pub"), OTHER, stage="action")
    events = when(state, Pass())
    assert events == (e.ShopPassed(0), e.TurnEnded(0, 1, 1))
    assert then(state, events).face_up == state.face_up


def test_n6_at_an_empty_shop_the_turn_ends_by_itself() -> None:
    state = given(player("cafe"), OTHER, shops=[FACT, *range(15, 22)])
    events = when(state, Move("antique_shop"))
    assert events == (e.PawnMoved(0, "antique_shop"), e.ShopFoundEmpty(0), e.TurnEnded(0, 1, 1))
    assert GAME.to_act(then(state, events)) == (1,)


def test_n6_staying_lets_one_take_again() -> None:
    state = given(player("pub"), OTHER, shops=[HERO, HERO_2, *range(15, 21)], deck=[NEXT, FACT])
    state = after(state, Move("pub"), TakeCard(HERO), Move("pub"), Pass(), Move("pub"), TakeCard(HERO_2))
    assert state.players[0].hand == {HERO, HERO_2}


def test_there_is_no_upper_limit_to_a_hand() -> None:
    hand = [c.id for c in BOX.cards.values() if c.type not in ("hero", "specimen")]
    state = given(player("pub", *hand), OTHER, stage="action", shops=[HERO])
    assert len(after(state, TakeCard(HERO)).players[0].hand) == 57


def test_at_a_shop_one_can_neither_trade_nor_tell_nor_pay() -> None:
    state = given(player("pub", FACT), OTHER, stage="action", shops=[HERO])
    for command in (TradeCard(FACT), TellAdventure("africa", (FACT,)), PayPenalty(card=FACT)):
        assert refusal(state, command) == "not_now"


def test_n7_a_trade_discards_a_card_and_draws_the_next() -> None:
    state = given(player("market", HERO, FACT), OTHER, stage="action", deck=[NEXT])
    events = when(state, TradeCard(FACT))
    assert events == (e.CardTraded(0, FACT), e.CardDrawn(0, NEXT), e.TurnEnded(0, 1, 1))
    assert then(state, events).players[0].hand == {HERO, NEXT}
    assert FACT in then(state, events).discards


def test_n7_the_card_is_drawn_from_the_deck_by_its_named_occasion() -> None:
    state = given(player("market", FACT), OTHER, stage="action")
    assert e.CardDrawn(0, CHANCE.draw("deck/0", state.deck)) in when(state, TradeCard(FACT))


def test_n7_at_the_market_one_must_trade_a_card_of_ones_own() -> None:
    state = given(player("market", HERO, FACT), player("pub", NEXT), stage="action")
    assert list(GAME.legal(state, 0)) == [TradeCard(FACT), TradeCard(HERO)]
    assert refusal(state, TradeCard(NEXT)) == "card_not_in_hand"
    for command in (Pass(), TakeCard(HERO), TellAdventure("africa", (HERO, FACT))):
        assert refusal(state, command) == "not_now"


def test_n7_the_arrow_of_a_card_drawn_at_the_market_is_ignored() -> None:
    far = card(arrow=8)
    state = given(player("market", FACT), player("cafe", HERO), stage="action", deck=[far])
    events = when(state, TradeCard(FACT))
    assert events == (e.CardTraded(0, FACT), e.CardDrawn(0, far), e.TurnEnded(0, 1, 1))


def test_n12_a_trade_with_an_empty_deck_reshuffles_the_card_just_discarded_too() -> None:
    state = given(player("market", FACT), OTHER, stage="action", deck=[], discards=[])
    events = when(state, TradeCard(FACT))
    assert events == (e.CardTraded(0, FACT), e.DeckReshuffled(), e.CardDrawn(0, FACT), e.TurnEnded(0, 1, 1))
