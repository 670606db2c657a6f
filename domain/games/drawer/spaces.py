"""The 25 spaces of a compartment, numbered row by row from 0; sets of them are masks, one bit a space."""

from collections.abc import Iterable
from typing import TypeAlias

Cells: TypeAlias = tuple[int, ...]  # numbers of spaces, rising
Items: TypeAlias = tuple[int, ...]  # what lies in a compartment: the mask of each item

SIDE = 5
COUNT = SIDE * SIDE
ALL = (1 << COUNT) - 1


def mask_of(cells: Iterable[int]) -> int:
    """The mask of different spaces."""
    return sum(1 << cell for cell in cells)


def cells_of(mask: int) -> Cells:
    """The numbers of the spaces in a mask."""
    return tuple(cell for cell in range(COUNT) if mask >> cell & 1)


ROWS = tuple(mask_of(range(row * SIDE, (row + 1) * SIDE)) for row in range(SIDE))
COLUMNS = tuple(mask_of(range(column, COUNT, SIDE)) for column in range(SIDE))
LINES = ROWS + COLUMNS
PERIMETER = ROWS[0] | ROWS[-1] | COLUMNS[0] | COLUMNS[-1]  # Key Terms
INTERIOR = ALL & ~PERIMETER
CORNERS = (ROWS[0] | ROWS[-1]) & (COLUMNS[0] | COLUMNS[-1])
CENTER = ROWS[SIDE // 2] & COLUMNS[SIDE // 2]


def beside(spaces: int) -> int:
    """The spaces that share a side with one of these; a wall is never crossed (D7)."""
    left, right = spaces & ~COLUMNS[0], spaces & ~COLUMNS[-1]
    return (left >> 1 | right << 1 | spaces >> SIDE | spaces << SIDE) & ALL


def groups(spaces: int) -> list[int]:
    """The spaces as groups that hang together by their sides."""
    found = []
    while spaces:
        group, grown = 0, spaces & -spaces
        while grown != group:
            group, grown = grown, (grown | beside(grown)) & spaces
        found.append(group)
        spaces ^= group
    return found


def drawn(layout: str) -> dict[str, int]:
    """Each letter's mask in a drawing such as `AA.../A..../…`, by the alphabet; ValueError if not 5 by 5."""
    rows = layout.split("/")
    if [len(row) for row in rows] != [SIDE] * SIDE:
        raise ValueError(f"a compartment is {SIDE} rows of {SIDE} spaces, not {layout!r}")
    marks = "".join(rows)
    letters = sorted(set(marks) - {"."})
    return {letter: mask_of(n for n, mark in enumerate(marks) if mark == letter) for letter in letters}
