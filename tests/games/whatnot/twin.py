"""What the contract suite needs to know of The Whatnot Cabinet."""

from collections.abc import Iterator
from typing import Any

from domain.game import Table
from domain.games.whatnot.state import State
from tests.games.whatnot.scenarios import RECIPES

TABLES = (
    Table(1, {"advanced": False}),
    Table(1, {"advanced": True}),
    Table(2, {"advanced": False}),
    Table(2, {"advanced": True}),
    Table(3, {"advanced": False}),
    Table(4, {"advanced": False}),
)
PERFT: tuple[tuple[Table, str, tuple[int, ...]], ...] = (
    (TABLES[0], "00" * 32, (1, 4, 216)),
    (TABLES[3], "01" * 32, (5, 240, 10296)),
    (TABLES[5], "01" * 32, (5, 185, 6228)),
)
GOLDEN = RECIPES
SHORT: dict[str, Any] = {}  # options of a match that is soon over
VARIANTS: tuple[dict[str, Any], ...] = tuple({"seats": table.seats, **table.options} for table in TABLES)


def is_legal(state: State, command: Any, seat: int) -> bool:
    """Whether the rules allow a command; here the legal list is short and complete."""
    from domain.games.whatnot import GAME
    from domain.games.whatnot.commands import RetireCuriosities

    listed = set(GAME.legal(state, seat))
    if isinstance(command, RetireCuriosities):
        return command in listed or RetireCuriosities(command.cards[::-1]) in listed
    return command in listed


def pieces(state: State) -> Iterator[str]:
    """Every tile and card, wherever it is."""
    for tile in (*state.bag, *state.discards, *state.outdoors):
        yield f"tile {tile:02}"
    for cabinet in state.cabinets:
        yield from (f"tile {tile:02}" for tile in (*cabinet.spaces, *cabinet.kept) if tile is not None)
        yield from (f"card {card}" for card in cabinet.curiosities)
    if state.turn is not None:
        found = () if state.turn.found is None else (state.turn.found,)
        yield from (f"tile {tile:02}" for tile in (*state.turn.drawn, *state.turn.used, *found))
    yield from (f"card {card}" for card in (*state.curiosities, *state.retired))


def piece_count(state: State, table: Table) -> int:
    """85 tiles, or those without a flower, and five curiosity cards."""
    flowers = sum(tile.flower for tile in state.box.tiles.values())
    return len(state.box.tiles) - (flowers if table.options["advanced"] else 0) + 5
