"""The shapes of the items, made and not typed in: free polyominoes, how they turn, where they fit (D1)."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from domain.games.drawer.spaces import SIDE, Cells, mask_of

Square: TypeAlias = tuple[int, int]  # row, column
Shape: TypeAlias = tuple[Square, ...]  # rising, pushed into the corner (0, 0)

MOST_SQUARES = 5


def free_polyominoes(most: int = MOST_SQUARES) -> tuple[Shape, ...]:
    """Every shape of 1 to `most` squares that hang together, however it lies once, small ones first."""
    shapes, found = {canonical([(0, 0)])}, list[Shape]()
    for _ in range(most):
        found += sorted(shapes)
        shapes = {canonical([*shape, square]) for shape in shapes for square in _around(shape)}
    return tuple(found)


def orientations(shape: Iterable[Square]) -> tuple[Shape, ...]:
    """The different ways a shape can lie, rotated and flipped, in rising order."""
    ways, turned = set[Shape](), list(shape)
    for _ in range(4):
        turned = [(column, -row) for row, column in turned]
        ways |= {_cornered(turned), _cornered((row, -column) for row, column in turned)}
    return tuple(sorted(ways))


def canonical(shape: Iterable[Square]) -> Shape:
    """The one orientation that stands for a shape."""
    return orientations(shape)[0]


def placements(shape: Shape) -> dict[Cells, int]:
    """Every set of spaces of a compartment that the shape can cover, rising, with its mask."""
    cells = sorted({cells for way in orientations(shape) for cells in _shifted(way)})
    return {spaces: mask_of(spaces) for spaces in cells}


def read(text: str) -> Shape:
    """A drawing such as `##/#.` as a shape."""
    rows = enumerate(text.split("/"))
    return canonical((row, column) for row, line in rows for column, mark in enumerate(line) if mark == "#")


def _around(shape: Shape) -> set[Square]:
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
    return {(row + down, column + right) for row, column in shape for down, right in steps} - {*shape}


def _cornered(squares: Iterable[Square]) -> Shape:
    rows, columns = zip(*squares, strict=True)
    top, left = min(rows), min(columns)
    return tuple(sorted((row - top, column - left) for row, column in zip(rows, columns, strict=True)))


def _shifted(way: Shape) -> Iterator[Cells]:
    height, width = (max(side) + 1 for side in zip(*way, strict=True))
    for top in range(SIDE - height + 1):
        for left in range(SIDE - width + 1):
            yield tuple((top + row) * SIDE + left + column for row, column in way)
