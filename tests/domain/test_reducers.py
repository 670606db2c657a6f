"""A reducer applies no rule: what was decided is in the events, so that none changes a stored match."""

import ast
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import orjson
import pytest

from domain.chance import Chance
from domain.game import Table
from domain.games import AnyGame, games, modules
from domain.games.nonsense.events import TurnEnded
from domain.games.whatnot.curiosities import CONDITIONS
from domain.games.whatnot.state import State as WhatnotState
from domain.match.reducer import begin, evolve
from service.log.edition import edition_of
from tests.domain.test_golden import events_of
from tests.golden import path_of, read, recipes
from tests.playing import laid_out

GAMES = pytest.mark.parametrize("game", games().values(), ids=games().keys())
FACTS = {"events", "state", "spaces"}  # what happened, what is, and where; the rest of a game judges


@GAMES
def test_a_reducer_knows_states_and_events_and_nothing_that_judges(game: AnyGame) -> None:
    package = modules()[game.name]
    source = import_module(f"{package}.reducer").__file__
    assert source is not None
    imports = [
        node for node in ast.walk(ast.parse(Path(source).read_text())) if isinstance(node, ast.ImportFrom)
    ]
    own = {
        name
        for node in imports
        if node.module is not None and node.module.startswith(package)
        for name in (
            [each.name for each in node.names]
            if node.module == package
            else [node.module.removeprefix(f"{package}.").split(".")[0]]
        )
    }
    assert {"events", "state"} <= own <= FACTS


@GAMES
def test_a_reducer_asks_a_state_nothing_that_it_works_out(game: AnyGame) -> None:
    """Its properties and methods are questions of the rules; its fields are facts."""
    source = import_module(f"{modules()[game.name]}.reducer").__file__
    assert source is not None
    module = import_module(f"{modules()[game.name]}.state")
    kinds = [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    ]
    questions = {
        name
        for kind in kinds
        for name, member in vars(kind).items()
        if not name.startswith("_") and isinstance(member, property | Callable)  # type: ignore[arg-type]
    }
    asked = {
        node.attr for node in ast.walk(ast.parse(Path(source).read_text())) if isinstance(node, ast.Attribute)
    }
    assert not asked & questions


def positions(game: AnyGame) -> list[Any]:
    """The states of every golden match of a game, event by event."""
    found = []
    for name in recipes(game):
        path = path_of(game, name)
        first, *rest = events_of(game, path)
        match = begin(game, edition_of(orjson.loads(read(path)[0])["edition"]), first)
        for event in rest:
            match = evolve(match, event)
            found.append(orjson.dumps(game.view(match.position, 0), default=sorted))
    return found


def test_corrected_rules_change_no_stored_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other cabinets meet a condition, columns give other tiles, other pawns act."""
    game, columns = games()["whatnot"], import_module("domain.games.whatnot.legal").TAKES
    before = positions(game)
    for card, condition in CONDITIONS.items():
        monkeypatch.setitem(CONDITIONS, card, lambda grid, was=condition: not was(grid))
    for column in columns:
        monkeypatch.setitem(columns, column, ("found", "found"))
    monkeypatch.setattr(WhatnotState, "acting_space", 4)
    assert positions(game) == before


def test_how_a_turn_ended_is_what_the_event_says() -> None:
    game = games()["nonsense"]
    state = replace(laid_out(game, Table(3, {"stall_limit": 200}), Chance(bytes(32))), quiet=5)
    ended = game.evolve(state, TurnEnded(0, next_seat=2, quiet=17))
    assert (ended.turn, ended.quiet) == (2, 17)


def test_what_was_met_is_in_the_event() -> None:
    game = games()["whatnot"]
    events = [event for name in recipes(game) for event in events_of(game, path_of(game, name))]
    assert any(getattr(event, "met", ()) for event in events)
