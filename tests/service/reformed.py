"""A second version of the rules of The Whatnot Cabinet: column 3 is closed, and everybody scores a bonus."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from domain.chance import Chance
from domain.errors import RuleBroken
from domain.game import Json, Story, Viewer
from domain.games import AnyGame
from domain.games.whatnot import GAME as FIRST
from domain.games.whatnot.commands import ChooseColumn
from domain.refusals import Refusal
from domain.rulebook import Rulebook
from domain.score import Part, SeatScore

BONUS = 100
CLOSED = ChooseColumn(3)


class ReformedRefusal(Refusal):
    COLUMN_CLOSED = "column_closed"


def tell(story: Story[Any, Any], command: Any, seat: int, chance: Chance) -> None:
    if command == CLOSED:
        raise RuleBroken(ReformedRefusal.COLUMN_CLOSED, "Column 3 is closed.")
    FIRST.tell(story, command, seat, chance)


def legal(state: Any, seat: int) -> Iterator[Any]:
    return (command for command in FIRST.legal(state, seat) if command != CLOSED)


def score(state: Any, viewer: Viewer) -> tuple[SeatScore, ...]:
    sheets = FIRST.score(state, viewer)
    return tuple(
        replace(sheet, parts=(*sheet.parts, Part("bonus", BONUS)), total=sheet.total + BONUS)
        for sheet in sheets
    )


def view(state: Any, viewer: Viewer) -> Mapping[str, Json]:
    return {**FIRST.view(state, viewer), "closed": [3]}


SECOND: AnyGame = replace(
    FIRST,
    rules_version=2,
    older=(FIRST,),
    rulebook=Rulebook(
        f"{FIRST.rulebook.text}\n### column_closed\nColumn 3 is closed.\n",
        {**FIRST.rulebook.refusals, "column_closed": "Column 3 is closed."},
    ),
    refusals=(*FIRST.refusals, *ReformedRefusal),
    score_parts={**FIRST.score_parts, "bonus": "A bonus."},
    tell=tell,
    legal=legal,
    score=score,
    view=view,
)
