"""Between Turns: N11 and N12."""

import random

import pytest

from domain.games.nonsense import GAME
from domain.games.nonsense import events as e
from domain.games.nonsense.commands import Pass, PayPenalty, TakeCard, TradeCard
from tests.games.nonsense.table import BOX, CHANCE, after, card, given, kinds, player, then, when
from tests.playing import play_out, seated

HERO, FACT, PHOTO = card("hero"), card("fact"), card("photograph")
FAR, FARTHER = card("specimen", arrow=8), card("anecdote", arrow=8)
SEVEN = range(15, 22)  # artifacts
POINTS = PayPenalty(points=True)
OTHER = player("market")


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("arrow", [0, 2, 3, 4, 5, 8])
def test_n11_an_arrow_counts_if_it_is_at_least_the_number_of_players(arrow: int, seats: int) -> None:
    drawn = card("photograph", arrow=arrow)
    others = [OTHER] * (seats - 1)
    state = given(player("pub"), *others, stage="action", shops=[HERO, *SEVEN], deck=[drawn])
    walked = [e.ProfessorMoved("cafe")] if arrow >= seats else []
    added = e.CardAdded("antique_shop", drawn)
    assert when(state, TakeCard(HERO)) == (e.CardTaken(0, HERO), added, *walked, e.TurnEnded(0, 1, 1))


def test_n11_the_new_card_is_drawn_from_the_deck_by_its_named_occasion() -> None:
    state = given(player("pub"), OTHER, stage="action", shops=[HERO, *SEVEN])
    drawn = CHANCE.draw("deck/0", state.deck)
    assert e.CardAdded(BOX.shop_of(drawn), drawn) in when(state, TakeCard(HERO))


def test_n11_penalties_of_the_refill_are_paid_before_the_next_turn_starts() -> None:
    waiting = player("cafe", FACT)
    state = given(player("pub"), waiting, stage="action", shops=[HERO, *SEVEN], deck=[FAR])
    state = after(state, TakeCard(HERO))
    assert (GAME.to_act(state), state.turn, len(state.face_up)) == ((1,), 0, 8)
    assert list(GAME.legal(state, 1)) == [PayPenalty(card=FACT), POINTS]
    assert then(state, when(state, POINTS, 1)).turn == 1


def test_n11_a_pass_a_trade_and_a_full_board_need_no_card() -> None:
    passing = given(player("pub"), OTHER, stage="action")
    trading = given(player("market", FACT), OTHER, stage="action")
    assert "CardAdded" not in kinds(when(passing, Pass()))
    assert "CardAdded" not in kinds(when(trading, TradeCard(FACT)))


def test_n11_several_cards_owed_come_one_at_a_time_each_with_its_step_and_penalties() -> None:
    first, second = CHANCE.shuffle("deck/0", [FAR, FARTHER])
    state = given(
        player("pub"),
        player("cafe", FACT),
        player("antique_shop", PHOTO),
        stage="action",
        shops=[HERO, *SEVEN][:6],
        deck=[FAR, FARTHER],
    )
    one = when(state, Pass())
    assert one[1:] == (
        e.CardAdded(BOX.shop_of(first), first),
        e.ProfessorMoved("cafe"),
        e.PenaltiesOwed((1,)),
    )
    state = then(state, one)
    two = when(state, POINTS, 1)
    assert two[1:] == (
        e.CardAdded(BOX.shop_of(second), second),
        e.ProfessorMoved("antique_shop"),
        e.PenaltiesOwed((2,)),
    )
    state = then(state, two)
    assert when(state, POINTS, 2) == (e.PointsLost(2, 1), e.TurnEnded(0, 1, 1))


def test_n12_an_empty_deck_is_made_of_the_discards_when_a_card_is_needed() -> None:
    state = given(player("pub"), OTHER, stage="action", shops=[HERO, *SEVEN], deck=[])
    events = when(state, TakeCard(HERO))
    drawn = CHANCE.draw("deck/1", state.discards)
    assert events[1:3] == (e.DeckReshuffled(), e.CardAdded(BOX.shop_of(drawn), drawn))
    reshuffled = then(state, events[:3])
    assert (reshuffled.deck, reshuffled.discards) == (state.discards - {drawn}, frozenset())
    assert reshuffled.reshuffles == 1


def test_n12_an_empty_deck_stays_empty_until_a_card_is_needed() -> None:
    state = given(player("pub"), OTHER, stage="action", deck=[])
    assert when(state, Pass()) == (e.ShopPassed(0), e.TurnEnded(0, 1, 1))


def test_n12_with_no_card_to_be_had_the_refill_is_skipped_and_tried_again_next_time() -> None:
    rest = BOX.cards.keys() - {HERO, *SEVEN}
    state = given(player("pub"), player("market", *rest), stage="action", shops=[HERO, *SEVEN])
    skipped = when(state, TakeCard(HERO))
    assert skipped == (e.CardTaken(0, HERO), e.TurnEnded(0, 1, 1))
    state = then(then(state, skipped), [e.PawnMoved(1, "market")])
    again = when(state, TradeCard(FACT))
    assert again == (
        e.CardTraded(1, FACT),
        e.DeckReshuffled(),
        e.CardDrawn(1, FACT),
        e.TurnEnded(1, 0, 2),
    ), "the trade comes first, and leaves nothing for the board"


def test_n12_a_card_paid_to_the_professor_may_be_the_next_one_owed() -> None:
    shops = [HERO, *range(15, 20)]
    rest = BOX.cards.keys() - {*shops, FAR}
    state = given(player("pub"), player("cafe", *rest), stage="action", shops=shops, deck=[FAR])
    state = after(state, Pass())
    assert (GAME.to_act(state), len(state.face_up)) == ((1,), 7)
    by_card = when(state, PayPenalty(card=FACT), 1)
    assert by_card[1:] == (e.DeckReshuffled(), e.CardAdded("news_stand", FACT), e.TurnEnded(0, 1, 1))
    assert kinds(when(state, POINTS, 1)) == ["PointsLost", "TurnEnded"]


@pytest.mark.parametrize("seats", [2, 5, 8])
def test_every_turn_starts_with_eight_cards_on_the_board_unless_there_are_none_to_add(seats: int) -> None:
    for step in play_out(GAME, seated(GAME, seats), bytes([seats]) * 32, random.Random(seats)):
        state = step.before
        if state.stage == "move":
            assert len(state.face_up) == 8 or not (state.deck or state.discards)
            assert not state.owing
