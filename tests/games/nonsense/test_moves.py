"""On Each Turn: one step or none (N3), the Market's and the Club's conditions (N7, N8)."""

import pytest

from domain.errors import RuleBroken
from domain.games.nonsense import GAME
from domain.games.nonsense.commands import Move, Pass, TradeCard
from domain.games.nonsense.state import State
from tests.games.nonsense.table import RING, after, card, given, player, refusal, when, worth

TALE = worth("africa", "hero", "fact")  # two cards are enough for Africa
OTHER = player("market")


def places(state: State) -> list[str]:
    return [command.to for command in GAME.legal(state, state.turn) if isinstance(command, Move)]


#                cafe
#   news_stand         antique_shop
#           market  club
#    junk_shop         pub
#              gift_shop
STEPS = {
    "cafe": ["cafe", "antique_shop", "news_stand"],
    "antique_shop": ["cafe", "antique_shop", "pub"],
    "pub": ["antique_shop", "pub", "gift_shop"],
    "gift_shop": ["pub", "gift_shop", "junk_shop"],
    "junk_shop": ["gift_shop", "junk_shop", "news_stand"],
    "news_stand": ["cafe", "junk_shop", "news_stand"],
}


@pytest.mark.parametrize("place", STEPS)
def test_from_a_shop_one_step_leads_to_both_neighbours_or_the_centre_or_one_stays(place: str) -> None:
    assert places(given(player(place, *TALE), OTHER)) == [*STEPS[place], "market", "club"]


@pytest.mark.parametrize("place", ["market", "club"])
def test_from_the_centre_one_step_leads_everywhere(place: str) -> None:
    assert places(given(player(place, *TALE), OTHER)) == [*RING, "market", "club"]


def test_exactly_the_places_within_a_step_are_accepted() -> None:
    state = given(player("cafe", *TALE), OTHER)
    for place in (*RING, "market", "club"):
        if place in places(state):
            assert when(state, Move(place))
        else:
            assert refusal(state, Move(place)) == "not_within_a_step"


@pytest.mark.parametrize("place", ["", "moon", "Club", "africa"])
def test_a_place_that_is_not_on_the_board_is_refused(place: str) -> None:
    with pytest.raises(RuleBroken, match=r"^There is no such place\. From cafe you can go to: ") as refused:
        when(given(player("cafe"), OTHER), Move(place))
    assert refused.value.code == "not_within_a_step"


def test_a_turn_takes_one_step_and_not_two() -> None:
    state = after(given(player("cafe"), OTHER, shops=[card("photograph")]), Move("antique_shop"))
    assert refusal(state, Move("pub")) == "not_now"


def test_n7_the_market_cannot_be_chosen_without_a_card() -> None:
    state = given(player("cafe"), OTHER)
    assert "market" not in places(state)
    assert refusal(state, Move("market")) == "market_needs_a_card"


def test_n7_who_stands_at_the_market_without_a_card_must_leave() -> None:
    state = given(player("market"), OTHER)
    assert places(state) == [*RING]
    assert refusal(state, Move("market")) == "market_needs_a_card"


def test_n7_staying_at_the_market_trades_again() -> None:
    state = after(given(player("market", card("hero")), OTHER), Move("market"))
    assert list(GAME.legal(state, 0)) == [TradeCard(card("hero"))]


def test_n8_the_club_cannot_be_chosen_without_a_valid_adventure() -> None:
    state = given(player("cafe", TALE[0]), OTHER)
    assert "club" not in places(state)
    assert refusal(state, Move("club")) == "club_needs_an_adventure"


def test_n8_who_stands_in_the_club_without_a_valid_adventure_must_leave() -> None:
    state = given(player("club", TALE[0]), OTHER)
    assert places(state) == [*RING, "market"]
    assert refusal(state, Move("club")) == "club_needs_an_adventure"


def test_n8_many_cards_of_one_type_are_no_adventure() -> None:
    heroes = [card("hero", arrow=None, nth=n) for n in range(14)]
    assert "club" not in places(given(player("cafe", *heroes), OTHER))


@pytest.mark.parametrize("place", ["cafe", "club", "market"])
def test_n8_being_in_the_club_by_moving_or_by_staying_obliges_to_tell(place: str) -> None:
    state = after(given(player(place, *TALE), OTHER), Move("club"))
    assert {type(command).__name__ for command in GAME.legal(state, 0)} == {"TellAdventure"}
    for command in (Pass(), TradeCard(TALE[0]), Move("cafe")):
        assert refusal(state, command) == "not_now"


def test_on_the_first_turn_everyone_has_to_leave_the_club() -> None:
    assert places(given(player("club", TALE[0]), player("club", TALE[1]))) == [*RING, "market"]


def test_only_whose_turn_it_is_may_move_and_the_turn_passes_to_the_left() -> None:
    state = given(player("cafe"), player("pub"), player("pub"), turn=2, shops=[card("fact")], deck=[])
    assert GAME.to_act(state) == (2,)
    assert refusal(state, Move("pub"), seat=0) == "not_your_turn"
    assert GAME.to_act(after(state, Move("pub"))) == (0,)
