"""Every field of a position stands in the rules that players read, under the heading `Position`."""

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from domain.chance import Chance
from domain.game import Table
from domain.games import AnyGame, games
from tests.playing import laid_out, play_out, twin_of

SECTION = re.compile(r"^## Position\n(.+?)(?=^## )", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^\| `(\S+)` \|", re.MULTILINE)
every_game = pytest.mark.parametrize("game", games().values(), ids=str)


def explained(game: AnyGame) -> str:
    """What the rules of a game say of its position."""
    found = SECTION.search(game.rulebook.text)
    assert found is not None, f"the rules of {game.name} have no section on the position"
    return found[1]


@cache
def shown(game: AnyGame) -> frozenset[str]:
    """The path of every field, such as `turn.drawn.size` or `cabinets[].kept`, in whole matches."""
    return frozenset(path for table in twin_of(game).TABLES for path in shown_at(game, table))


def shown_at(game: AnyGame, table: Table) -> Iterator[str]:
    seed = bytes(32)
    states = [laid_out(game, table, Chance(seed))]
    states += [step.after for step in play_out(game, table, seed, random.Random(7))]
    for state in states:
        for viewer in (None, *range(table.seats)):
            yield from paths(game.view(state, viewer))


def paths(value: Any, above: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            path = f"{above}.{name}" if above else name
            yield path
            yield from paths(inner, path)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from paths(inner, f"{above}[]")


@every_game
def test_every_field_of_a_position_is_explained(game: AnyGame) -> None:
    quoted = re.findall(r"`([^`]+)`", explained(game))
    words = {word for quote in quoted for word in re.split(r"[.\[\]]+", quote)}
    assert {path.rpartition(".")[2] for path in shown(game)} <= words


@every_game
def test_the_table_of_a_position_has_every_field_but_names_of_components_and_no_other(game: AnyGame) -> None:
    table = FIELD.findall(explained(game))
    missing = shown(game) - {*table}
    assert sorted(table) == sorted({*table} & shown(game))
    assert {path.rpartition(".")[0] for path in missing} <= BY_COMPONENT


BY_COMPONENT = {"shops", "dials", "goals", "drawers[].compartments"}  # their keys are in the meaning
