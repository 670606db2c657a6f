"""What the contract suite needs to know of Junk Drawer."""

from collections.abc import Iterator
from typing import Any

from domain.editions import read_editions
from domain.game import Table
from domain.games.drawer.state import State


def table(seats: int, **options: Any) -> Table:
    """A table with the options that differ from the usual ones."""
    usual: dict[str, Any] = {
        "variant": "standard",
        "goals": "random",
        "cards": (),
        "two_large_gaps": "second",
    }
    return Table(seats, usual | options)


def first_table(seats: int, **options: Any) -> Table:
    """A table by the rules of version 1, where the cards are one string."""
    return table(seats, **{"cards": ""} | options)


TABLES = (
    table(1),
    table(1, variant="individual", goals="slim_pickings", two_large_gaps="largest"),
    table(2, goals="easy"),
    table(2, variant="individual", goals="chosen", cards=("H8", "M1", "E7", "H5")),
    table(3, goals="more_more_more"),
    table(4, goals="hard"),
    table(4, variant="individual", goals="medium"),
)
PERFT: tuple[tuple[Table, str, tuple[int, ...]], ...] = (
    (table(1), "16eb" * 16, (36, 1728, 34560)),
    (table(1, variant="individual"), "24ed" * 16, (36, 1080, 34560)),
    (table(2), "00fa" * 16, (72, 2592, 155520)),
)
SHORT: dict[str, Any] = {}  # options of a match that is soon over
VARIANTS: tuple[dict[str, Any], ...] = (
    {"seats": 1},
    {"seats": 4, "variant": "standard"},
    {"seats": 4, "variant": "individual"},
)


def __getattr__(name: str) -> Any:
    """`GOLDEN`, read when it is asked for: its recipes are laid on the tables of this file."""
    if name != "GOLDEN":
        raise AttributeError(name)
    from tests.games.drawer.scenarios import RECIPES

    return RECIPES


SHAPES = {
    str(row["id"]): [
        complex(down, right)
        for down, line in enumerate(str(row["shape"]).split("/"))
        for right, mark in enumerate(line)
        if mark == "#"
    ]
    for row in read_editions("domain.games.drawer")["core"].components["items"]
}


def is_legal(state: State, command: Any, seat: int) -> bool:
    """Whether the rules allow a placement, read from the table's drawings and not from the legal list."""
    drawer, cells = state.drawers[seat], command.cells
    if drawer.pending or drawer.aside or state.over or command.compartment not in ("A", "B", "C", "D"):
        return False
    tiles = drawer.compartments["ABCD".index(command.compartment)]
    if any(tile.item in state.row for tile in tiles) or list(cells) != sorted(set(cells) & {*range(25)}):
        return False
    if any(tile.spaces >> cell & 1 for tile in tiles for cell in cells):
        return False
    wanted = cornered(SHAPES[state.row[-1]])
    return any(cornered(way) == wanted for way in turned([complex(*divmod(cell, 5)) for cell in cells]))


def turned(squares: list[complex]) -> Iterator[list[complex]]:
    """The squares in all eight ways, rotated and flipped."""
    for turn in (1, 1j, -1, -1j):
        yield [square * turn for square in squares]
        yield [square.conjugate() * turn for square in squares]


def cornered(squares: list[complex]) -> set[complex]:
    """The squares pushed into the corner."""
    corner = complex(min((s.real for s in squares), default=0), min((s.imag for s in squares), default=0))
    return {square - corner for square in squares}


def pieces(state: State) -> Iterator[str]:
    """Every item card, and every player's item tiles, wherever they are."""
    yield from (f"card {item}" for item in (*state.deck, *state.row, *state.discards))
    for seat, drawer in enumerate(state.drawers):
        lying = (tile.item for tiles in drawer.compartments for tile in tiles)
        pending = () if drawer.pending is None else state.row[-1:]
        aside = () if drawer.aside is None else (drawer.aside,)
        yield from (f"tile {seat} {item}" for item in (*drawer.supply, *lying, *pending, *aside))


def piece_count(state: State, table: Table) -> int:
    """21 item cards and 21 item tiles a player."""
    return 21 + 21 * table.seats
