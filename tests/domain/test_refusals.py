"""The refusals of a game are one enumeration: explained, all of them raised by its code, and each reached."""

import ast
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

import domain
import service
from domain.errors import RuleBroken, listed
from domain.games import AnyGame, games, modules
from domain.refusals import MatchRefusal, Refusal
from domain.rulebook import rules_of_every_match
from tests.playing import part_of

GAMES = pytest.mark.parametrize("game", games().values(), ids=games().keys())
DOMAIN, SERVICE = Path(domain.__file__).parent, Path(service.__file__).parent


def named(files: Iterable[Path], enumeration: str) -> Iterator[str]:
    """The members of an enumeration that the code of these files names."""
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Attribute(ast.Name(kind), member) if kind == enumeration:
                    yield member


@GAMES
def test_every_refusal_is_explained_in_the_rules_under_its_code(game: AnyGame) -> None:
    assert list(game.rulebook.refusals) == [refusal.value for refusal in game.refusals]
    assert all(said.endswith(".") for said in game.rulebook.refusals.values())


@GAMES
def test_every_refusal_of_a_game_is_raised_by_its_code(game: AnyGame) -> None:
    files = list(Path(import_module(modules()[game.name]).__file__).parent.rglob("*.py"))
    raised = {
        (kind.__name__, name)
        for kind in {type(refusal) for refusal in game.refusals}
        for name in named(files, kind.__name__)
    }
    assert raised == {(type(refusal).__name__, refusal.name) for refusal in game.refusals}


@GAMES
def test_every_refusal_of_a_game_is_reached(game: AnyGame) -> None:
    refused = part_of(game, "refused").REFUSED
    missing = {refusal.value for refusal in game.refusals} - {refusal.value for refusal in refused}
    assert not missing, f"no test is refused with {', '.join(sorted(missing))}"
    for refusal, attempt in refused.items():
        with pytest.raises(RuleBroken) as broken:
            attempt()
        assert (broken.value.code, broken.value.sentence[-1]) == (refusal.value, ".")


def test_every_refusal_of_any_match_is_explained_and_raised() -> None:
    folders = (DOMAIN, DOMAIN / "match", SERVICE / "matches")
    files = [file for folder in folders for file in folder.glob("*.py")]
    assert {*named(files, "MatchRefusal")} == {refusal.name for refusal in MatchRefusal}
    assert list(rules_of_every_match().refusals) == [refusal.value for refusal in MatchRefusal]


def test_a_refusal_is_one_of_an_enumeration() -> None:
    assert RuleBroken(MatchRefusal.SEATS, "There is none.").code == "seats"
    with pytest.raises(AttributeError):
        RuleBroken("seats", "There is none.")  # type: ignore[arg-type]
    assert issubclass(MatchRefusal, Refusal)


def test_no_sentence_tells_how_a_set_came_about() -> None:
    one, other = frozenset([9, 25]), frozenset([25, 9])
    assert [*one] != [*other], "what is stored differently"
    assert listed(one) == listed(other) == "9, 25"
