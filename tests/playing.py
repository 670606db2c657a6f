"""Whole matches of any game for the tests, straight through its contract."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, reduce
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import domain.games
from domain.chance import Chance
from domain.game import Table, check_options
from domain.games import AnyGame, modules

MANY = 200  # legal lists may be long: choose among the first so many


@dataclass(frozen=True, slots=True)
class Step:
    """A command with the state before it, its events, and the state after them."""

    before: Any
    seat: int
    command: Any
    events: tuple[Any, ...]
    after: Any


def twin_of(game: AnyGame) -> ModuleType:
    """What the tests know of a game."""
    return part_of(game, "twin")


def part_of(game: AnyGame, part: str) -> ModuleType:
    """A module of a game's tests: in `tests/games/<game>`, or from outside in `<module>_tests`, beside it."""
    folder = f"tests.games.{game.name}" if is_ours(game) else f"{_module(game.name)}_tests"
    return import_module(f"{folder}.{part}")


def is_ours(game: AnyGame) -> bool:
    """Whether a game is a folder in `domain/games`, and not from outside."""
    return _module(game.name).startswith(f"{domain.games.__name__}.")


@cache  # to look for entry points, all that is installed is read
def _module(name: str) -> str:
    return modules()[name]


def folder_of(game: AnyGame) -> Path:
    """Where the tests of a game are: its twin, its golden matches and the order of its legal commands."""
    return Path(str(twin_of(game).__file__)).parent


def seated(game: AnyGame, seats: int, **options: Any) -> Table:
    """A table with all options filled in."""
    return Table(seats, check_options(game, options))


def laid_out(game: AnyGame, table: Table, chance: Chance) -> Any:
    """The state after set-up."""
    state = game.initial(game.box(game.editions[game.default_edition]), table)
    return reduce(game.evolve, game.setup(state, chance), state)


def commands_of(game: AnyGame, state: Any) -> list[tuple[int, Any]]:
    """The first legal commands of everyone who is to act."""
    return [(seat, c) for seat in game.to_act(state) for c in islice(game.legal(state, seat), MANY)]


def play_out(game: AnyGame, table: Table, seed: bytes, player: random.Random) -> Iterator[Step]:
    """A match of random legal moves, step by step."""
    chance = Chance(seed)
    state = laid_out(game, table, chance)
    while choices := commands_of(game, state):
        seat, command = player.choice(choices)
        events = game.decide(state, command, seat, chance)
        after = reduce(game.evolve, events, state)
        yield Step(state, seat, command, events, after)
        state = after


def perft(game: AnyGame, state: Any, chance: Chance, depth: int) -> int:
    """How many sequences of `depth` legal commands there are."""
    if depth == 0:
        return 1
    count = 0
    for seat in game.to_act(state):
        for command in game.legal(state, seat):
            after = reduce(game.evolve, game.decide(state, command, seat, chance), state)
            count += perft(game, after, chance, depth - 1)
    return count
