"""The legal list is complete: held against every set of spaces there is, and against pinned counts."""

import random
from itertools import combinations, islice

import pytest

from domain.games.drawer import GAME
from domain.games.drawer.commands import PlaceItem
from domain.games.drawer.state import COMPARTMENTS
from tests.games.drawer.boards import BOX, CHANCE, given
from tests.games.drawer.twin import TABLES, is_legal
from tests.playing import perft, play_out

CROWDED = """
    V....  TTT..  .X...  LLLLL
    V....  .T...  XXX..  ....O
    VVW..  .TZZ.  .XFF.  ....O
    ..WW.  ...Z.  ...FF  YYYY.
    ...WW  ...ZZ  ...F.  .Y...
"""


@pytest.mark.parametrize("seed", range(4))
def test_what_is_listed_is_every_set_of_spaces_that_the_rules_allow(seed: int) -> None:
    steps = play_out(GAME, TABLES[2], bytes([seed]) * 32, random.Random(seed))
    small = (step for step in steps if BOX.items[step.before.row[-1]].size <= 4)
    for step in islice(small, 1, None, 5):
        size = BOX.items[step.before.row[-1]].size
        every = (PlaceItem(name, cells) for name in COMPARTMENTS for cells in combinations(range(25), size))
        allowed = [command for command in every if is_legal(step.before, command, step.seat)]
        assert list(GAME.legal(step.before, step.seat)) == allowed


@pytest.mark.parametrize(
    ("row", "counts"),
    [
        (("L3", "I1"), (59, 1054, 7124)),
        (("P5", "L3"), (66, 1152, 7712)),
        (("S4", "U5", "T4"), (24, 1152, 11044)),
    ],
)
def test_the_number_of_command_sequences_in_a_crowded_drawer_is_pinned(
    row: tuple[str, ...], counts: tuple[int, ...]
) -> None:
    state = given(CROWDED, row=row)
    assert tuple(perft(GAME, state, CHANCE, depth) for depth in (1, 2, 3)) == counts
