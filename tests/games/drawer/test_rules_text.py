"""What the rules print of the components is what the components are: items, cards, scenarios, examples."""

import re

from domain.games.drawer import GAME
from domain.games.drawer.goals import SCENARIOS
from tests.games.drawer.boards import BOX

TEXT = GAME.rulebook.text
CORE = GAME.editions["core"].components


def rows(*first: str) -> list[list[str]]:
    """The cells of the tables' rows that begin with one of these ids, as they are printed."""
    lines = re.findall(r"^\| `(\w+)` \| (.+) \|$", TEXT, re.MULTILINE)
    return [[name, *cells.replace("`", "").split(" | ")] for name, cells in lines if name in first]


def test_the_rules_list_every_item_with_its_name_size_and_shape() -> None:
    listed = rows(*(str(row["id"]) for row in CORE["items"]))
    assert listed == [[str(row[name]) for name in ("id", "name", "size", "shape")] for row in CORE["items"]]


def test_the_rules_list_every_card_with_its_rating_title_and_example_score() -> None:
    listed = rows(*(str(row["id"]) for row in CORE["cards"]))
    assert [row[:4] for row in listed] == [
        [card.id, card.rating, card.title, str(card.example_score("second"))] for card in BOX.cards.values()
    ]


def test_the_rules_list_the_cards_of_every_scenario() -> None:
    assert {name: tuple(cards) for name, *cards in rows(*SCENARIOS)} == SCENARIOS


def test_the_rules_say_the_example_score_that_an_option_changes_d8() -> None:
    card = BOX.cards["M1"]
    second, largest = (card.example_score(reading) for reading in ("second", "largest"))
    others = [
        other
        for other in BOX.cards.values()
        if other.example_score("largest") != other.example_score("second")
    ]
    assert others == [card]
    assert f"example score is then {largest} instead of {second}." in TEXT
