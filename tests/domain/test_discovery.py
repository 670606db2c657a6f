"""Games are found by their folders, and a folder that is no whole game fails loudly."""

import sys
from dataclasses import fields, replace
from types import ModuleType
from typing import Any

import pytest

import domain.games
from domain.game import Game, Table
from domain.games import games, load
from tests.playing import twin_of


def _offers(monkeypatch: pytest.MonkeyPatch, **attributes: Any) -> str:
    module = ModuleType("made_up_game")
    vars(module).update(attributes)
    monkeypatch.setitem(sys.modules, "made_up_game", module)
    return "made_up_game"


def test_every_folder_is_a_game_of_its_name() -> None:
    assert list(games()) == ["drawer", "nonsense", "whatnot"]
    assert all(game.name == name for name, game in games().items())


def test_a_folder_without_a_game_or_with_one_of_another_name_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TypeError, match="must offer GAME"):
        load(_offers(monkeypatch), "made_up_game")
    with pytest.raises(TypeError, match="must offer GAME"):
        load(_offers(monkeypatch, GAME=games()["whatnot"]), "made_up_game")


def test_a_game_without_its_default_edition_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    homeless = replace(games()["whatnot"], name="made_up_game", default_edition="lost")
    with pytest.raises(TypeError, match="no edition"):
        load(_offers(monkeypatch, GAME=homeless), "made_up_game")


def test_a_folder_that_cannot_be_imported_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModuleNotFoundError):
        load("domain.games.no_such_game", "no_such_game")
    assert domain.games.__doc__


@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_every_score_part_is_explained_in_the_catalogue(game: Game[Any, Any, Any]) -> None:
    for table in twin_of(game).TABLES:
        state = game.initial(game.box(game.editions[game.default_edition]), table)
        for sheet in game.score(state, None):
            assert {part.name for part in sheet.parts} <= set(game.score_parts)


@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_every_component_says_where_it_is_known_from(game: Game[Any, Any, Any]) -> None:
    for edition in game.editions.values():
        for rows in edition.components.values():
            assert rows
            assert all(row.get("source") or row.get("name_source") for row in rows)


def test_the_contract_has_no_member_with_a_default() -> None:
    """A game that leaves a member out is a TypeError, not a surprise later."""
    with pytest.raises(TypeError, match="missing"):
        Game(name="half")  # type: ignore[call-arg]
    assert all(field.init for field in fields(Game))
    assert Table(1, {}) == Table(1, {})
