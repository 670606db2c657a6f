"""Setup and D10: which organization cards lie on the compartments, and the first item."""

import random
from typing import Any

import pytest

from domain.chance import Chance
from domain.errors import RuleBroken
from domain.game import check_options
from domain.games.drawer import GAME
from domain.games.drawer import events as e
from domain.games.drawer.goals import SCENARIOS
from tests.games.drawer.boards import BOX
from tests.games.drawer.twin import table
from tests.playing import laid_out, play_out

SEEDS = [bytes([n]) * 32 for n in range(60)]

# The rulebook's Suggested Goal Scenarios, A to D.
SUGGESTED = {
    "bring_a_wheelbarrow": [
        "Cover Many Spaces",
        "Don't Cover Many Spaces",
        "Don't Cover Center and Corner Spaces",
        "Cover Perimeter Spaces",
    ],
    "slim_pickings": [
        "Don't Place Items Adjacent",
        "Create Two Large Gaps",
        "Cover 2 Spaces in each Row and Column",
        "Create Gaps of 3 Spaces",
    ],
    "more_more_more": [
        "Place Many Items",
        "Place Items of Different Sizes",
        "Create a Covered Rectangle",
        "Cover Rows and Columns",
    ],
    "a_sprint_not_a_marathon": [
        "Don't Cover Many Spaces",
        "Don't Cover Perimeter Spaces",
        "Create a Large Gap",
        "Don't Completely Cover Rows and Columns",
    ],
}


def goals(seed: bytes, **options: Any) -> tuple[str, ...]:
    state = laid_out(GAME, table(2, **options), Chance(seed))
    assert isinstance(state.goals, tuple)
    return state.goals


def test_everybody_has_an_empty_drawer_and_21_tiles_and_the_first_of_four_cards_is_turned_up() -> None:
    state = laid_out(GAME, table(4), Chance(bytes(32)))
    assert len(state.drawers) == 4
    for drawer in state.drawers:
        assert drawer.supply == frozenset(BOX.items)
        assert drawer.compartments == ((), (), (), ())
    seen = GAME.view(state, None)
    assert (len(state.row), seen["row"], seen["deck"]) == (
        1,
        {"face_up": state.row, "face_down": 3},
        {"size": 17},
    )
    assert GAME.to_act(state) == (0, 1, 2, 3)


def test_the_set_up_tells_the_goals_and_the_first_item_even_where_the_goals_were_given() -> None:
    start = GAME.initial(BOX, table(1, goals="slim_pickings"))
    shown, turned = GAME.setup(start, Chance(bytes(32)))
    assert shown == e.GoalsShown(("H1", "M1", "H2", "H3"))
    assert isinstance(turned, e.ItemTurned)


def test_random_goals_are_four_different_cards_of_all_and_every_card_may_lie_anywhere_d10() -> None:
    drawn = [goals(seed) for seed in SEEDS]
    assert all(len(set(four)) == 4 for four in drawn)
    assert {card for four in drawn for card in four} == set(BOX.cards)
    assert drawn[0] == Chance(SEEDS[0]).shuffle("goals/0", BOX.cards)[:4]


def test_one_seed_turns_up_the_same_items_whatever_the_players_do() -> None:
    order = Chance(SEEDS[3]).shuffle("items/0", BOX.items)
    for player in range(3):
        *_, last = play_out(GAME, table(player + 1), SEEDS[3], random.Random(player))
        turned = last.after.discards + last.after.row
        assert turned == order[: len(turned)]


@pytest.mark.parametrize("rating", ["easy", "medium", "hard"])
def test_goals_may_be_drawn_from_the_cards_of_one_rating_d10(rating: str) -> None:
    drawn = {card for seed in SEEDS for card in goals(seed, goals=rating)}
    assert drawn == {card.id for card in BOX.cards.values() if card.rating == rating}
    assert len(drawn) == 8


@pytest.mark.parametrize("scenario", SUGGESTED)
def test_a_suggested_scenario_lays_the_cards_that_the_rulebook_names_d10(scenario: str) -> None:
    assert [BOX.cards[card].title for card in goals(SEEDS[1], goals=scenario)] == SUGGESTED[scenario]
    assert SCENARIOS.keys() == SUGGESTED.keys()


def test_chosen_cards_lie_on_a_to_d_as_they_are_named_d10() -> None:
    assert goals(SEEDS[1], goals="chosen", cards=("M3", "E1", "H4", "E2")) == ("M3", "E1", "H4", "E2")


BAD_CARDS = ["", "E1", "E1,E2,E3", "E1,E2,E3,E1", "E1,E2,E3,E4,E5", "E1, E2, E3, E4", "e1,E2,E3,E4"]


@pytest.mark.parametrize("cards", BAD_CARDS)
def test_chosen_cards_are_four_different_ones_that_exist_d10(cards: str) -> None:
    words = tuple(cards.split(",")) if cards else ()
    for rules, value in ((GAME, words), (GAME.versions[1], cards)):
        with pytest.raises(RuleBroken, match=r"four different cards from E1, .*H8\.") as refusal:
            rules.initial(BOX, table(1, goals="chosen", cards=value))
        assert refusal.value.code == "not_four_cards"


@pytest.mark.parametrize(
    ("cards", "code", "sentence"),
    [
        ("E1,M3,H2,E4", "option_type", "be a list of words"),
        (["E1", "M3", "H2", "E4"], "option_type", "be a list of words"),
        (("E1", "M3", "H2", 4), "option_type", "be a list of words"),
        (("E1", "M3", "H2"), "option_length", "have 4 words"),
        (("E1", "M3", "H2", "E4", "E5"), "option_length", "have 4 words"),
        (("E1", "M3", "H2", "E9"), "option_choice", "have only words of E1, E2, "),
    ],
)
def test_the_cards_are_a_list_of_four_words(cards: Any, code: str, sentence: str) -> None:
    with pytest.raises(RuleBroken, match=f"^The option cards must {sentence}") as refusal:
        check_options(GAME, {"cards": cards})
    assert refusal.value.code == code


def test_the_cards_are_a_list_and_in_the_rules_of_version_1_one_string_d13() -> None:
    first, words = GAME.versions[1], ("E1", "M3", "H2", "E4")
    assert check_options(GAME, {"cards": words})["cards"] == words
    assert check_options(GAME, {})["cards"] == check_options(GAME, {"cards": ()})["cards"] == ()
    assert check_options(first, {"cards": "E1,M3,H2,E4"})["cards"] == "E1,M3,H2,E4"
    told = first.initial(BOX, table(1, goals="chosen", cards="E1,M3,H2,E4"))
    assert told == GAME.initial(BOX, table(1, goals="chosen", cards=words))
    with pytest.raises(RuleBroken) as refusal:
        check_options(first, {"cards": words})
    assert refusal.value.code == "option_type"


@pytest.mark.parametrize("word", ["random", "easy", "slim_pickings"])
def test_cards_are_not_named_where_the_goals_are_not_chosen(word: str) -> None:
    with pytest.raises(RuleBroken) as refusal:
        GAME.initial(BOX, table(1, goals=word, cards=("E1", "E2", "E3", "E4")))
    assert refusal.value.code == "goals_not_chosen"


@pytest.mark.parametrize(
    ("option", "value"), [("variant", "solo"), ("goals", "E1"), ("two_large_gaps", "both")]
)
def test_an_option_is_one_of_its_words(option: str, value: str) -> None:
    with pytest.raises(RuleBroken) as refusal:
        check_options(GAME, {option: value})
    assert refusal.value.code == "option_choice"


def test_the_usual_match_is_the_standard_game_with_random_goals() -> None:
    assert check_options(GAME, {}) == dict(table(1).options)


def test_there_is_no_automaton_not_even_alone() -> None:
    assert [GAME.automata(table(seats)) for seats in GAME.seats] == [()] * 4
