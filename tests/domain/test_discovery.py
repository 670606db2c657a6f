"""Games are found by their folders, and a folder that is no whole game fails loudly."""

import sys
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import domain.games
from domain.errors import UnknownGame, UnknownRulesVersion
from domain.game import Game, Table
from domain.games import GROUP, games, load, modules, rules_of
from domain.refusals import MatchRefusal
from domain.rulebook import Rulebook
from tests.playing import twin_of


def offers(monkeypatch: pytest.MonkeyPatch, **attributes: Any) -> str:
    module = ModuleType("made_up_game")
    vars(module).update(attributes)
    monkeypatch.setitem(sys.modules, "made_up_game", module)
    return "made_up_game"


def test_every_folder_is_a_game_of_its_name() -> None:
    folders = [path.parent.name for path in Path(domain.games.__file__).parent.glob("*/__init__.py")]
    assert {"drawer", "nonsense", "whatnot"} == {*folders} <= {*games()}
    assert list(games()) == sorted(games())
    assert all(game.name == name for name, game in games().items())


def test_a_package_offers_games_from_outside_by_entry_points(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    offer(monkeypatch, tmp_path, "made_up_game = a_module", "another = other_module")
    assert modules()["made_up_game"] == "a_module"
    assert {*modules()} >= {"made_up_game", "another", "whatnot"}
    offer(monkeypatch, tmp_path / "more", "whatnot = better_whatnot")
    with pytest.raises(
        TypeError, match=r"domain\.games\.whatnot and better_whatnot are both the game 'whatnot'"
    ):
        modules()


def offer(monkeypatch: pytest.MonkeyPatch, folder: Path, *entries: str) -> None:
    """A distribution in a folder on the path that offers these games."""
    info = folder / "made_up-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: made-up\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("\n".join((f"[{GROUP}]", *entries, "")))
    monkeypatch.syspath_prepend(folder)


def test_a_folder_without_a_game_or_with_one_of_another_name_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TypeError, match="must offer GAME"):
        load(offers(monkeypatch), "made_up_game")
    with pytest.raises(TypeError, match="must offer GAME"):
        load(offers(monkeypatch, GAME=games()["whatnot"]), "made_up_game")


def test_a_game_without_its_default_edition_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    homeless = replace(games()["whatnot"], name="made_up_game", default_edition="lost")
    with pytest.raises(TypeError, match="no edition"):
        load(offers(monkeypatch, GAME=homeless), "made_up_game")


def test_a_game_whose_rules_explain_other_refusals_than_it_has_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    whatnot = replace(games()["whatnot"], name="made_up_game")
    silent = replace(whatnot, rulebook=Rulebook("# Rules", {}))
    with pytest.raises(TypeError, match="explains other refusals than its own: advanced_for_two, column_occ"):
        load(offers(monkeypatch, GAME=silent), "made_up_game")
    said = {**whatnot.rulebook.refusals, "match_over": "The match is over."}
    refusals = (*whatnot.refusals, MatchRefusal.MATCH_OVER)
    shared = replace(whatnot, rulebook=Rulebook("# Rules", said), refusals=refusals)
    with pytest.raises(TypeError, match="has refusals of every match among its own: match_over"):
        load(offers(monkeypatch, GAME=shared), "made_up_game")


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


@pytest.mark.parametrize(
    ("older", "fault"),
    [
        ((1,), "from the newest to the oldest, not \\[1, 1\\]"),
        ((2,), "from the newest to the oldest, not \\[1, 2\\]"),
        ((0, -1, 0), "from the newest to the oldest, not \\[1, 0, -1, 0\\]"),
    ],
)
def test_a_game_with_rules_out_of_order_or_of_one_version_twice_fails(
    monkeypatch: pytest.MonkeyPatch, older: tuple[int, ...], fault: str
) -> None:
    newest = replace(games()["whatnot"], name="made_up_game")
    rules = tuple(replace(newest, rules_version=version) for version in older)
    with pytest.raises(TypeError, match=fault):
        load(offers(monkeypatch, GAME=replace(newest, older=rules)), "made_up_game")


def test_older_rules_of_another_game_or_without_their_edition_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    newest = replace(games()["whatnot"], name="made_up_game")
    for older, fault in (
        (replace(games()["drawer"], rules_version=0), "rules of another game, 'drawer'"),
        (replace(newest, rules_version=0, default_edition="lost"), "no edition 'lost'"),
    ):
        with pytest.raises(TypeError, match=fault):
            load(offers(monkeypatch, GAME=replace(newest, older=(older,))), "made_up_game")


def test_rules_are_found_by_game_and_version_or_named_as_missing() -> None:
    for name, game in games().items():
        assert rules_of(name, game.rules_version) is game
        with pytest.raises(UnknownRulesVersion, match=f"rules version 99 of {name} is not installed here"):
            rules_of(name, 99)
    with pytest.raises(UnknownGame, match="the game 'chess' is not installed here"):
        rules_of("chess", 1)
