"""A command for every refusal of The Whatnot Cabinet, and what it is refused with."""

from collections.abc import Callable, Mapping

from domain.game import Table
from domain.games.whatnot import GAME
from domain.games.whatnot.commands import ChooseColumn, RetireCuriosities, TakeRivalTurn
from domain.games.whatnot.refusals import WhatnotRefusal as Rule
from domain.games.whatnot.state import State
from tests.games.whatnot.table import BOX, after, given, take, when


def choosing(**setting: str) -> State:
    """Two players, and the first is to choose a column."""
    return given("rl . .", "", outdoors="bl bc draw1", **setting)


def taking() -> State:
    """The first player has chosen column 3 and is to take a tile from the Outdoors."""
    return after(choosing(bag="gl gc gb gs"), ChooseColumn(3))


def retiring() -> State:
    """A solo player is to retire two of three curiosity cards."""
    return given("", curiosities=("corners", "four_crowns", "five_colors"), retiring=True)


REFUSED: Mapping[Rule, Callable[[], object]] = {
    Rule.COLUMN_OCCUPIED: lambda: when(choosing(columns=".1..."), ChooseColumn(2)),
    Rule.TILE_NOT_THERE: lambda: when(taking(), take("rl", 3, 0)),
    Rule.SPECIAL_TAKES_NO_SPACE: lambda: when(taking(), take("draw1", 3, 0)),
    Rule.SPACE_MISSING: lambda: when(taking(), take("bl")),
    Rule.SPACE_TAKEN: lambda: when(taking(), take("bl", 0, 0)),
    Rule.NOT_NOW: lambda: when(taking(), ChooseColumn(5)),
    Rule.NOT_TWO_FACE_UP: lambda: when(retiring(), RetireCuriosities(("corners", "corners"))),
    Rule.RIVALS_OWN: lambda: when(choosing(), TakeRivalTurn()),
    Rule.ADVANCED_FOR_TWO: lambda: GAME.initial(BOX, Table(3, {"advanced": True})),
}
