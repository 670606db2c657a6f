"""Tables of an edition that do not fit the rules are refused when they are read."""

from dataclasses import replace
from typing import Any

import pytest

from domain.game import Edition
from domain.games.whatnot import GAME

CORE = GAME.editions["core"]


def altered(table: str, row: int, **cells: Any) -> Edition:
    rows = list(CORE.components[table])
    rows[row] = {**rows[row], **cells}
    return replace(CORE, components={**CORE.components, table: tuple(rows)})


@pytest.mark.parametrize(
    ("edition", "rule"),
    [
        (altered("tiles", 0, id=2), "ids differ"),
        (altered("curiosities", 0, id="no_such_card"), "have a condition"),
        (altered("rivals", 0, column=6), "name a column"),
        (altered("rivals", 0, removes="nothing"), "was expected"),
        (altered("tiles", 0, color="pink"), "was expected"),
        (altered("tiles", 0, crown="many"), "a number was expected"),
        (
            replace(CORE, components={**CORE.components, "rivals": CORE.components["rivals"][:5]}),
            "last for a match",
        ),
        (
            replace(CORE, components={**CORE.components, "curiosities": CORE.components["curiosities"][:4]}),
            "can be shown",
        ),
    ],
)
def test_an_edition_that_cannot_be_played_is_refused(edition: Edition, rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        GAME.box(edition)
