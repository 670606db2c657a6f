"""A command or an option for every refusal of Junk Drawer, and what it is refused with."""

from collections.abc import Callable, Mapping

from domain.games.drawer import GAME
from domain.games.drawer.refusals import DrawerRefusal as Rule
from domain.games.drawer.state import State
from tests.games.drawer.boards import BOX, given, when
from tests.games.drawer.twin import table

BOARD = """
    AA...  .....  .....  .....
    .....  .B...  .....  .....
    .....  .....  .....  .....
    .....  .....  .....  .....
    .....  .....  .....  .....
"""


def placing() -> State:
    """One player is to place the L of three spaces; A has an item of this round, B one of an earlier one."""
    return given(BOARD, row=("I2", "L3"))


REFUSED: Mapping[Rule, Callable[[], object]] = {
    Rule.NO_SUCH_COMPARTMENT: lambda: when(placing(), 0, "E", 10, 15, 16),
    Rule.COMPARTMENT_USED: lambda: when(placing(), 0, "A", 10, 15, 16),
    Rule.NOT_ITS_SHAPE: lambda: when(placing(), 0, "B", 10, 11, 12),
    Rule.SPACE_COVERED: lambda: when(placing(), 0, "B", 6, 11, 12),
    Rule.GOALS_NOT_CHOSEN: lambda: GAME.initial(BOX, table(1, cards=("E1", "E2", "E3", "E4"))),
    Rule.NOT_FOUR_CARDS: lambda: GAME.initial(BOX, table(1, goals="chosen", cards=("E1", "E2", "E3"))),
}
