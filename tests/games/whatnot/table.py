"""A table of The Whatnot Cabinet as a test lays it out, and the words given, when, then for it.

Every tile has a name: its colour and type, and of the three that look alike the first with a star for its
crown, the last with a prime: `rl*`, `rl`, `rl'` are the red leaves, `ba` is a blue animal. The special tiles
are `sweep1` to `sweep5` and `draw1` to `draw5`. A board is four rows of three, a dot is an empty space. Tiles
that a test places nowhere are in the bag, or among the discards if it says what is in the bag.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import reduce
from itertools import count
from typing import Any

import pytest

from domain.chance import Chance
from domain.errors import RuleBroken
from domain.games.whatnot import GAME
from domain.games.whatnot.commands import Command, TakeTile
from domain.games.whatnot.components import Box
from domain.games.whatnot.events import Event
from domain.games.whatnot.state import RIVAL, Cabinet, State, Token

BOX: Box = GAME.box(GAME.editions["core"])
CHANCE = Chance(bytes(32))
LANDSCAPES = {1: "R0R0.", 2: "0110.", 3: "012..", 4: "0123."}  # as Game Setup has it, seat 0 first


def _names() -> Iterable[tuple[str, int]]:
    for tile in BOX.tiles.values():
        alike = [
            other.id
            for other in BOX.tiles.values()
            if (other.kind, other.color, other.type) == (tile.kind, tile.color, tile.type)
        ]
        if tile.color and tile.type:
            yield tile.color[0] + tile.type[0] + ("*", "", "'")[alike.index(tile.id)], tile.id
        else:
            yield f"{tile.kind}{alike.index(tile.id) + 1}", tile.id


TILE: Mapping[str, int] = dict(_names())
NAME = {tile: name for name, tile in TILE.items()}


def ids(names: str) -> tuple[int, ...]:
    """The tiles of these names."""
    return tuple(TILE[name] for name in names.split())


def named(tiles: Iterable[int]) -> str:
    """The names of these tiles, in their order."""
    return " ".join(NAME[tile] for tile in tiles)


def cabinet(board: str = "", **earned: Any) -> Cabinet:
    """A cabinet filled so far; missing rows are empty. `tokens` is points by line, `kept` names of tiles."""
    marks = board.split()
    spaces = (*(None if mark == "." else TILE[mark] for mark in marks), *[None] * (12 - len(marks)))
    tokens = tuple(Token(line, points) for line, points in earned.pop("tokens", {}).items())
    return Cabinet(spaces, tokens, kept=ids(earned.pop("kept", "")), **earned)


def shown(state: State, seat: int = 0) -> list[str]:
    """The rows of a cabinet by the names of its tiles."""
    marks = ["." if tile is None else NAME[tile] for tile in state.cabinets[seat].spaces]
    return [" ".join(marks[start : start + 3]) for start in range(0, 12, 3)]


def drawn(board: str) -> list[str]:
    """A board as a test draws it, to compare with what is shown."""
    lines = [" ".join(line.split()) for line in board.strip().splitlines()]
    return lines + [". . ."] * (4 - len(lines))


def given(*cabinets: Cabinet | str, **setting: Any) -> State:
    """The table before a turn; `outdoors`, `bag` and `discards` are names of tiles, the rest as in a state.

    `landscape` and `columns` show on each of five spaces a seat, or R for the rival, or a dot.
    """
    filled = tuple(cabinet(one) if isinstance(one, str) else one for one in cabinets)
    outdoors, said = ids(setting.pop("outdoors", "")), {k: setting.pop(k, None) for k in ("bag", "discards")}
    lying = [tile for one in filled for tile in (*one.spaces, *one.kept) if tile is not None]
    placed = [*outdoors, *lying, *ids(said["bag"] or ""), *ids(said["discards"] or "")]
    assert len(placed) == len({*placed}), "a tile is in one place"
    rest = frozenset(BOX.tiles) - {*placed}
    bag, thrown = (frozenset(ids(text or "")) for text in (said["bag"], said["discards"]))
    if said["bag"] is None:
        bag = rest
    elif said["discards"] is None:
        thrown = rest
    start = State(BOX, False, len(filled), bag, filled, discards=thrown, outdoors=outdoors, wonder="leaf")
    return replace(
        start,
        landscape=pawns(setting.pop("landscape", LANDSCAPES[len(filled)])),
        columns=pawns(setting.pop("columns", ".....")),
        **setting,
    )


def pawns(text: str) -> tuple[int | None, ...]:
    """Whose pawn is on each of five spaces: `R.0..`."""
    return tuple({".": None, "R": RIVAL}.get(mark, int(mark) if mark.isdigit() else None) for mark in text)


def take(name: str, row: int | None = None, column: int | None = None) -> TakeTile:
    """Take a tile; into a space, unless it is special."""
    return TakeTile(TILE[name], row, column)


def drawing(first: str, bag: Iterable[int], shakes: int = 0) -> Chance:
    """The dice that draw these tiles first from a bag that has been shaken so often."""
    wanted, things = ids(first), [*bag]
    seeds = (Chance(n.to_bytes(32, "big")) for n in count())
    return next(dice for dice in seeds if dice.shuffle(f"bag/{shakes}", things)[: len(wanted)] == wanted)


def when(state: State, command: Command, seat: int | None = None, chance: Chance = CHANCE) -> tuple[Any, ...]:
    """The events of a command of a seat, or of whose turn it is."""
    (acting,) = GAME.to_act(state) or (0,)
    return GAME.decide(state, command, acting if seat is None else seat, chance)


def then(state: State, events: Iterable[Event]) -> State:
    """The state after events."""
    return reduce(GAME.evolve, events, state)


def after(state: State, *commands: Command, chance: Chance = CHANCE) -> State:
    """The state after commands, each of whose turn it is."""
    for command in commands:
        state = then(state, when(state, command, chance=chance))
    return state


def refusal(state: State, command: Command, seat: int | None = None) -> str:
    """The code with which the rules refuse a command."""
    with pytest.raises(RuleBroken) as refused:
        when(state, command, seat)
    assert refused.value.sentence.endswith(".")
    return refused.value.code


def takeable(state: State) -> set[str]:
    """The tiles of which the take that is owed may be."""
    (seat,) = GAME.to_act(state)
    return {named([command.tile]) for command in GAME.legal(state, seat) if isinstance(command, TakeTile)}


def kinds(events: Iterable[Any]) -> list[str]:
    """The names of events."""
    return [type(event).__name__ for event in events]
