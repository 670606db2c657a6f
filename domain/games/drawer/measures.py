"""What the organization cards count in a compartment, each thing under the words of the card table."""

from collections import Counter
from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import TypeAlias

from domain.games.drawer.spaces import (
    ALL,
    CENTER,
    COLUMNS,
    CORNERS,
    INTERIOR,
    LINES,
    PERIMETER,
    ROWS,
    SIDE,
    Items,
    beside,
    cells_of,
    groups,
)

Measure: TypeAlias = Callable[[Items], int]

LINE_CELLS = tuple(map(cells_of, LINES))
SPANS = tuple((first, last) for first in range(SIDE) for last in range(first, SIDE))
RECTANGLES = sorted(  # along the axes, squares and 1 by n among them (D9), the largest first
    (
        reduce(or_, ROWS[top : bottom + 1]) & reduce(or_, COLUMNS[left : right + 1])
        for top, bottom in SPANS
        for left, right in SPANS
    ),
    key=lambda rectangle: -rectangle.bit_count(),
)


def covered(items: Items) -> int:
    """The covered spaces, as a mask."""
    return reduce(or_, items, 0)


def uncovered(items: Items) -> int:
    """The uncovered spaces, as a mask."""
    return ALL & ~covered(items)


def sizes(masks: Items | list[int]) -> list[int]:
    """How many spaces each has: items or gaps."""
    return [mask.bit_count() for mask in masks]


def gap_sizes(items: Items) -> list[int]:
    """How many spaces each gap has, the largest first; an untouched compartment is one gap of 25 (D7)."""
    return sorted(sizes(groups(uncovered(items))), reverse=True)


def touched(items: Items) -> list[int]:
    """How many other items each item is adjacent to, by side and inside the compartment (D7)."""
    return [sum(bool(beside(item) & other) for other in items if other != item) for item in items]


def covered_in_lines(items: Items) -> list[int]:
    """How many spaces of each row and column are covered."""
    whole = covered(items)
    return [(whole & line).bit_count() for line in LINES]


def largest_gap(items: Items) -> int:
    """The size of the largest gap."""
    return next(iter(gap_sizes(items)), 0)


def second_largest_gap(items: Items) -> int:
    """The size of the second-largest gap, which may equal the largest; 0 with fewer than two (D8)."""
    return next(iter(gap_sizes(items)[1:]), 0)


def largest_enclosed_gap(items: Items) -> int:
    """The size of the largest gap without a perimeter space."""
    return max(sizes([gap for gap in groups(uncovered(items)) if not gap & PERIMETER]), default=0)


def gaps_of_one_size(items: Items) -> int:
    """How many gaps of two spaces or more share the size that most of them have."""
    return max(Counter(size for size in gap_sizes(items) if size > 1).values(), default=0)


def items_of_one_size(items: Items) -> int:
    """How many items share the size that most of them have."""
    return max(Counter(sizes(items)).values(), default=0)


def largest_rectangle(items: Items) -> int:
    """The size of the largest rectangle without an uncovered space; it may span items (D9)."""
    free = uncovered(items)
    return next((rectangle.bit_count() for rectangle in RECTANGLES if not rectangle & free), 0)


def mirrored_lines(items: Items) -> int:
    """How many rows and columns, neither empty nor full, look the same from both ends."""
    whole = covered(items)
    patterns = [[whole >> cell & 1 for cell in line] for line in LINE_CELLS]
    return sum(0 < sum(pattern) < SIDE and pattern == pattern[::-1] for pattern in patterns)


MEASURES: dict[str, Measure] = {
    "covered": lambda items: covered(items).bit_count(),
    "uncovered": lambda items: uncovered(items).bit_count(),
    "uncovered corners": lambda items: (uncovered(items) & CORNERS).bit_count(),
    "center uncovered": lambda items: (uncovered(items) & CENTER).bit_count(),
    "covered corners": lambda items: (covered(items) & CORNERS).bit_count(),
    "center covered": lambda items: (covered(items) & CENTER).bit_count(),
    "covered perimeter": lambda items: (covered(items) & PERIMETER).bit_count(),
    "uncovered perimeter": lambda items: (uncovered(items) & PERIMETER).bit_count(),
    "covered interior": lambda items: (covered(items) & INTERIOR).bit_count(),
    "items": len,
    "items that cover only interior spaces": lambda items: sum(not item & PERIMETER for item in items),
    "items adjacent to no other item (a lone item counts)": lambda items: touched(items).count(0),
    "items adjacent to exactly one other item": lambda items: touched(items).count(1),
    "number of distinct item sizes": lambda items: len({*sizes(items)}),
    "k = most frequent item size's count": items_of_one_size,
    "number of gaps": lambda items: len(gap_sizes(items)),
    "size of largest gap": largest_gap,
    "size of 2nd-largest gap": second_largest_gap,
    "size of the largest gap made only of interior spaces (0 if none)": largest_enclosed_gap,
    "gaps of size exactly 3": lambda items: gap_sizes(items).count(3),
    "over sizes s >= 2, k = largest number of gaps of one same size": gaps_of_one_size,
    "lines with no uncovered space": lambda items: covered_in_lines(items).count(SIDE),
    "lines with at least one uncovered space": lambda items: len(LINES) - covered_in_lines(items).count(SIDE),
    "lines with exactly two covered": lambda items: covered_in_lines(items).count(2),
    "lines with 1-4 covered spaces whose covered pattern is the same read in both directions": mirrored_lines,
    "area of largest axis-parallel all-covered rectangle (1xN and squares count, may span items)": (
        largest_rectangle
    ),
}
