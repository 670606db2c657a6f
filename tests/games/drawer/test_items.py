"""Components and D1: the 21 items are the free polyominoes of one to five squares."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from domain.game import Edition
from domain.games.drawer import GAME
from domain.games.drawer.components import Box
from domain.games.drawer.polyominoes import Shape, canonical, free_polyominoes
from domain.games.drawer.spaces import groups, mask_of
from tests.games.drawer.boards import BOX
from tests.games.drawer.twin import SHAPES, cornered, turned

CORE = GAME.editions["core"]


def test_there_are_21_ways_to_join_one_to_five_squares_d1() -> None:
    assert Counter(map(len, free_polyominoes())) == {1: 1, 2: 1, 3: 2, 4: 5, 5: 12}


@pytest.mark.parametrize("row", CORE.components["items"], ids=lambda row: str(row["id"]))
def test_an_item_is_one_of_the_shapes_and_lies_in_as_many_ways_as_the_table_says_d1(row: Any) -> None:
    item = BOX.items[row["id"]]
    assert item.shape in free_polyominoes()
    assert (item.name, item.size, item.orientations) == (row["name"], row["size"], row["orientations"])
    assert len(item.placements) == row["placements_on_empty_compartment"]


def test_an_item_covers_every_set_of_spaces_of_its_shape_once_in_rising_order() -> None:
    found: dict[Shape, list[tuple[int, ...]]] = {}
    for size in range(1, 6):
        for cells in combinations(range(25), size):
            if len(groups(mask_of(cells))) == 1:
                found.setdefault(canonical(divmod(cell, 5) for cell in cells), []).append(cells)
    assert {item.shape: list(item.placements) for item in BOX.items.values()} == found


def test_a_shape_that_isturned_or_flipped_is_the_same_item() -> None:
    for item, squares in SHAPES.items():
        for way in turned(squares):
            there = [(int(square.real), int(square.imag)) for square in cornered(way)]
            assert canonical(there) == BOX.items[item].shape


WRONG = {
    "a shape twice": ("items", {"id": "I1", "shape": "##"}),
    "an id twice": ("items", {"id": "I2"}),
    "squares that do not hang together": ("items", {"shape": "#.#"}),
    "six squares": ("items", {"shape": "######"}),
    "a card's id twice": ("cards", {"id": "E2"}),
    "a rating that is none": ("cards", {"rating": "brutal"}),
    "something that no measure counts": ("cards", {"scoring": "2 x blue spaces"}),
    "nothing to score by": ("cards", {"scoring": ""}),
    "an example that is no compartment": ("cards", {"example_layout": "...../....."}),
}


@pytest.mark.parametrize("fault", WRONG)
def test_an_edition_with_a_fault_is_refused_when_it_is_read(fault: str) -> None:
    name, change = WRONG[fault]
    first, *rest = CORE.components[name]
    wrong = Edition("wrong", {**CORE.components, name: (first | change, *rest)})  # type: ignore[operator]
    with pytest.raises(ValueError):
        Box(wrong)


def test_a_corrected_edition_changes_what_a_card_earns_without_any_code_d12() -> None:
    first, *rest = CORE.components["cards"]
    corrected = Edition(
        "corrected", {**CORE.components, "cards": ({**first, "scoring": "7 x covered"}, *rest)}
    )
    card = Box(corrected).cards["E1"]
    assert card.example_score("second") == 7 * 16
    assert replace(card, title="anything").example_score("second") == 7 * 16
