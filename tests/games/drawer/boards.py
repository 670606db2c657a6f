"""Boards drawn as text, and states made of them: the words of the rule tests."""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from itertools import count
from typing import Any

from domain.chance import Chance
from domain.games.drawer import GAME
from domain.games.drawer.commands import PlaceItem
from domain.games.drawer.components import Box
from domain.games.drawer.spaces import cells_of, drawn
from domain.games.drawer.state import Compartment, State, Tile
from tests.games.drawer.twin import table

BOX: Box = GAME.box(GAME.editions["core"])
NAMES = {item.id: item.name for item in BOX.items.values()}
EMPTY = "/".join(["....."] * 5)
CHANCE = Chance(bytes(32))


def items_in(board: str) -> tuple[int, ...]:
    """One compartment, five lines of five: the mask of each letter's item; `/` may stand for a new line."""
    return tuple(drawn("/".join(board.replace("/", " ").split())).values())


def item_of(spaces: int) -> str:
    """The item that covers just these spaces."""
    return next(item.id for item in BOX.items.values() if cells_of(spaces) in item.placements)


def compartments(board: str) -> tuple[Compartment, ...]:
    """Four compartments side by side, A to D; every letter is the item of its shape."""
    lines = [line.split() for line in board.strip().splitlines()]
    found = [
        [Tile(item_of(mask), mask) for mask in items_in("/".join(four))] for four in zip(*lines, strict=True)
    ]
    assert len(found) == 4, "a drawer has four compartments"
    items = [tile.item for tiles in found for tile in tiles]
    assert len(set(items)) == len(items), "a player has one tile of each item"
    return tuple(tuple(sorted(tiles)) for tiles in found)


def given(*boards: str, row: Iterable[str], deck: Iterable[str] | None = None, **options: Any) -> State:
    """A match in which these drawers are filled so far; the last card of the row is to be placed.

    An empty string is an empty drawer. Without a deck, the cards that lie nowhere are in it.
    """
    goals: dict[str, Any] = {"goals": "chosen", "cards": ("E1", "E2", "M5", "E5")} | options
    start = GAME.initial(BOX, table(len(boards), **goals))
    row, filled = tuple(row), [compartments(board) if board else ((),) * 4 for board in boards]
    lying = [{tile.item for tiles in drawer for tile in tiles} for drawer in filled]
    discards = set[str]().union(*lying) - {*row}
    drawers = tuple(
        replace(
            start.drawers[seat], compartments=filled[seat], supply=start.drawers[seat].supply - lying[seat]
        )
        for seat in range(len(boards))
    )
    left = start.deck - {*row} - discards if deck is None else frozenset(deck)
    return replace(
        start,
        drawers=drawers,
        row=row,
        discards=tuple(sorted(discards)),
        deck=left,
        round=1 + len(discards) // 4,
    )


def happened(state: State, *events: Any) -> State:
    """The state after these events."""
    return reduce(GAME.evolve, events, state)


def when(state: State, seat: int, compartment: Any, *cells: int, chance: Chance = CHANCE) -> tuple[Any, ...]:
    """The events of a placement."""
    return GAME.decide(state, PlaceItem(compartment, cells), seat, chance)


def turning(item: str, state: State) -> Chance:
    """The dice that turn up this item next."""
    seeds = (Chance(n.to_bytes(32, "big")) for n in count())
    return next(chance for chance in seeds if chance.draw("items/0", state.deck) == item)
