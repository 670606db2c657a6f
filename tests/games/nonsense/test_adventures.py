"""Scoring an Adventure: N9, and how `legal` lists them."""

import random
from inspect import isgenerator
from itertools import combinations, islice

import pytest

from domain.games.nonsense import GAME
from domain.games.nonsense import events as e
from domain.games.nonsense.adventures import can_tell
from domain.games.nonsense.commands import TellAdventure
from domain.games.nonsense.state import State
from tests.games.nonsense.table import BOX, DESTINATIONS, card, given, player, refusal, then, when, worth

TYPES = ("anecdote", "photograph", "hero", "artifact", "specimen", "fact")
OTHER = player("market")


def in_the_club(*hand: int) -> State:
    return given(player("club", *hand), OTHER, stage="action")


def points(destination: str, *cards: int) -> int:
    """What the adventure scores, if it is accepted."""
    state = in_the_club(*cards)
    return then(state, when(state, TellAdventure(destination, cards))).players[0].points


def test_a_sample_adventure_three_of_four_cards_are_worth_something_and_go_to_everest() -> None:
    air, climbing_gear = card("anecdote", everest=2, nth=0), card("artifact", everest=1)
    love, twins = card("photograph", everest=1, arrow=None), card("hero", everest=0)
    state = in_the_club(air, twins, love, climbing_gear)
    assert refusal(state, TellAdventure("everest", (air, twins, love, climbing_gear))) == "worthless_card"
    events = when(state, TellAdventure("everest", (air, love, climbing_gear)))
    assert events[0] == e.AdventureTold(0, "everest", (air, love, climbing_gear), (2, 1, 1), 5)
    told = then(state, events)
    assert told.players[0].points == 4 + 5
    assert told.players[0].hand == {twins}
    assert {air, love, climbing_gear} <= told.discards


@pytest.mark.parametrize(("destination", "minimum"), [*zip(DESTINATIONS, (2, 3, 4, 5, 6), strict=True)])
def test_n9_a_destination_takes_its_minimum_number_of_cards_or_more(destination: str, minimum: int) -> None:
    cards = tuple(worth(destination, *TYPES))
    state = in_the_club(*cards)
    for number in range(7):
        adventure = TellAdventure(destination, cards[:number])
        if number >= minimum:
            assert when(state, adventure)
        else:
            assert refusal(state, adventure) == "too_few_cards"


def test_n9_no_more_than_one_card_of_each_type() -> None:
    first, second = card("hero", africa=2), card("hero", africa=2, arrow=5)
    state = in_the_club(first, second, card("fact", africa=2))
    assert refusal(state, TellAdventure("africa", (first, second))) == "type_repeated"


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_n9_each_card_is_worth_at_least_one_there(destination: str) -> None:
    cards = worth(destination, *TYPES)
    for nth, kind in enumerate(TYPES):
        bent = (*cards[:nth], card(kind, arrow=None, **{destination: 0}), *cards[nth + 1 :])
        assert refusal(in_the_club(*bent), TellAdventure(destination, bent)) == "worthless_card"


def test_n9_the_amazon_takes_exactly_one_card_of_each_type() -> None:
    cards = worth("amazon", *TYPES)
    assert points("amazon", *cards) == sum(BOX.value(c, "amazon") for c in cards) + 13


def test_n9_the_score_is_the_values_and_the_bonus_before_it_drops() -> None:
    pair = (card("anecdote", africa=2), card("fact", africa=1))
    state = given(player("club", *pair), OTHER, stage="action", dials=(2, 5, 7, 10, 13))
    told = then(state, when(state, TellAdventure("africa", pair)))
    assert (told.players[0].points, told.bonus("africa")) == (2 + 1 + 2, 1)


def test_n9_not_the_whole_hand_need_be_told_and_the_cards_come_in_any_order() -> None:
    cards = worth("africa", *TYPES)
    state = in_the_club(*cards)
    for told in [(cards[0], cards[3]), (cards[3], cards[0]), tuple(reversed(cards))]:
        assert then(state, when(state, TellAdventure("africa", told))).players[0].hand >= {*cards} - {*told}


def test_n9_a_card_is_told_once_only() -> None:
    one, two = worth("africa", "hero", "fact")
    assert refusal(in_the_club(one, two), TellAdventure("africa", (one, two, one))) == "card_repeated"


@pytest.mark.parametrize(
    ("stranger", "code"),
    [(70, "card_not_in_hand"), (85, "card_not_in_hand"), (0, "out_of_bounds"), (-5, "out_of_bounds")],
)
def test_n9_only_cards_in_hand_are_told(stranger: int, code: str) -> None:
    one, two = worth("africa", "hero", "fact")
    assert refusal(in_the_club(one, two), TellAdventure("africa", (one, stranger))) == code


def test_of_several_refusals_the_first_is_given_in_the_order_that_the_rules_state() -> None:
    worthless, twin = card("hero", africa=0, nth=0), card("hero", africa=0, nth=1)
    stranger = card("hero", africa=0, nth=2)
    state = in_the_club(worthless, twin, *worth("africa", "fact", "artifact"))
    refusals = [
        refusal(state, TellAdventure("atlantis", (stranger, stranger))),
        refusal(state, TellAdventure("africa", (stranger, stranger))),
        refusal(state, TellAdventure("africa", (stranger, twin))),
        refusal(state, TellAdventure("africa", (worthless, twin))),
        refusal(state, TellAdventure("africa", (worthless,))),
        refusal(state, TellAdventure("africa", tuple(worth("africa", "fact")))),
    ]
    order = ", ".join(f"`{code}`" for code in refusals)
    assert f"checked in the order {order}." in " ".join(GAME.rulebook.text.split())


def test_n9_an_adventure_leads_to_a_destination_of_the_box() -> None:
    cards = tuple(worth("africa", "hero", "fact"))
    assert refusal(in_the_club(*cards), TellAdventure("atlantis", cards)) == "unknown_destination"


def brute_force(hand: list[int]) -> set[tuple[str, frozenset[int]]]:
    """Every set of up to six cards, judged by the three rules of the rulebook."""
    valid = set()
    for size in range(2, 7):
        for cards in combinations(hand, size):
            if len({BOX.cards[c].type for c in cards}) == size:
                valid |= {
                    (place, frozenset(cards))
                    for least, place in enumerate(DESTINATIONS, start=2)
                    if size >= least and all(BOX.cards[c].values[place] >= 1 for c in cards)
                }
    return valid


@pytest.mark.parametrize("seed", range(25))
def test_every_valid_adventure_of_a_hand_is_listed_once(seed: int) -> None:
    deal = random.Random(seed)
    hand = deal.sample(sorted(BOX.cards), deal.randrange(15))
    listed = [(c.destination, frozenset(c.cards)) for c in listed_of(in_the_club(*hand))]
    assert len(set(listed)) == len(listed)
    assert set(listed) == brute_force(hand)
    assert can_tell(BOX, frozenset(hand)) == bool(listed)


def test_the_first_adventure_listed_for_each_destination_is_its_best() -> None:
    hand = random.Random(3).sample(sorted(BOX.cards), 12)
    listed = listed_of(in_the_club(*hand))
    best = {place: max(worth_of(c) for c in listed if c.destination == place) for place in DESTINATIONS[:4]}
    assert {c.destination: worth_of(c) for c in listed[:4]} == best


def listed_of(state: State, most: int | None = None) -> list[TellAdventure]:
    """The first adventures that `legal` lists, or all."""
    return [told for told in islice(GAME.legal(state, 0), most) if isinstance(told, TellAdventure)]


def worth_of(told: TellAdventure) -> int:
    return sum(BOX.value(c, told.destination) for c in told.cards)


def test_the_adventures_of_a_hand_of_forty_cards_are_told_one_by_one() -> None:
    state = in_the_club(*random.Random(1).sample(sorted(BOX.cards), 40))
    assert isgenerator(GAME.legal(state, 0)), "none is worked out before it is asked for"
    listed = listed_of(state, 1000)
    assert len(set(listed)) == 1000
    assert {c.destination for c in listed[:5]} == {*DESTINATIONS}


def test_an_adventure_is_accepted_though_it_stands_far_down_the_list() -> None:
    hand = random.Random(1).sample(sorted(BOX.cards), 40)
    state = in_the_club(*hand)
    pair = next(
        TellAdventure("africa", (one, two))
        for one, two in combinations(sorted(hand, reverse=True), 2)
        if BOX.cards[one].type != BOX.cards[two].type
        if BOX.value(one, "africa") == BOX.value(two, "africa") == 1
    )
    assert pair not in listed_of(state, 5000)
    assert isinstance(when(state, pair)[0], e.AdventureTold)
