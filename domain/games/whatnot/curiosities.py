"""The conditions of the twelve curiosity cards (Curiosity Card Appendix), questions about a cabinet."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from typing import TypeAlias, cast

from domain.games.whatnot.components import Tile
from domain.games.whatnot.state import LINES

Grid: TypeAlias = Sequence[Tile | None]
ROWS = tuple(spaces for line, spaces in LINES.items() if line.startswith("row"))
COLUMNS = tuple(spaces for line, spaces in LINES.items() if line.startswith("column"))
CORNERS = (0, 2, 9, 11)


def objects(grid: Grid) -> list[Tile]:
    """The tiles in a cabinet."""
    return [tile for tile in grid if tile is not None]


def complete(grid: Grid, lines: Sequence[tuple[int, ...]]) -> list[list[Tile]]:
    """The tiles of each of these lines that has no empty space."""
    found = ([grid[space] for space in spaces] for spaces in lines)
    return [cast("list[Tile]", tiles) for tiles in found if all(tiles)]


def types(tiles: Sequence[Tile]) -> int:
    """How many different types."""
    return len({tile.type for tile in tiles})


def colors(tiles: Sequence[Tile]) -> int:
    """How many different colours."""
    return len({tile.color for tile in tiles})


def four_of_a_type(grid: Grid) -> bool:
    """Four of the same type anywhere."""
    return max(Counter(tile.type for tile in objects(grid)).values(), default=0) >= 4


def corners(grid: Grid) -> bool:
    """An object in each corner."""
    return all(grid[space] for space in CORNERS)


def type_in_each_row(grid: Grid) -> bool:
    """One tile from each row, of four different types (W11)."""
    rows = [{tile.type for space in spaces if (tile := grid[space])} for spaces in ROWS]
    return any(len(set(choice)) == len(ROWS) for choice in product(*rows))


def seven_without_a_line(grid: Grid) -> bool:
    """Seven or more objects and no complete line (W9)."""
    return len(objects(grid)) >= 7 and not complete(grid, ROWS + COLUMNS)


def row_of_one_type_in_three_colors(grid: Grid) -> bool:
    """A row of one type, each tile of another colour."""
    return any(types(row) == 1 and colors(row) == 3 for row in complete(grid, ROWS))


def five_of_a_color(grid: Grid) -> bool:
    """Five of the same colour anywhere."""
    return max(Counter(tile.color for tile in objects(grid)).values(), default=0) >= 5


def four_crowns(grid: Grid) -> bool:
    """Four crowns."""
    return sum(tile.crown for tile in objects(grid)) >= 4


def row_of_each_kind(grid: Grid) -> bool:
    """A row of one type and a row of three."""
    return {1, 3} <= {types(row) for row in complete(grid, ROWS)}


def row_and_column(grid: Grid) -> bool:
    """A complete row and a complete column."""
    return bool(complete(grid, ROWS)) and bool(complete(grid, COLUMNS))


def column_of_one_color_in_four_types(grid: Grid) -> bool:
    """A column of one colour and four types."""
    return any(colors(column) == 1 and types(column) == 4 for column in complete(grid, COLUMNS))


def five_colors(grid: Grid) -> bool:
    """All five colours anywhere."""
    return colors(objects(grid)) == 5


def column_of_each_kind(grid: Grid) -> bool:
    """A column of one colour and a column of four."""
    return {1, 4} <= {colors(column) for column in complete(grid, COLUMNS)}


CONDITIONS: dict[str, Callable[[Grid], bool]] = {
    condition.__name__: condition
    for condition in (
        four_of_a_type,
        corners,
        type_in_each_row,
        seven_without_a_line,
        row_of_one_type_in_three_colors,
        five_of_a_color,
        four_crowns,
        row_of_each_kind,
        row_and_column,
        column_of_one_color_in_four_types,
        five_colors,
        column_of_each_kind,
    )
}
