"""Every refusal in the code has its heading in the rules that players read; every link leads somewhere."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import domain
from domain.games import AnyGame, games
from domain.rulebook import rules_of_every_match

DOMAIN = Path(domain.__file__).parent
REFUSALS = ("RuleBroken", "NotYourTurn", "MatchOver")


def refused_in(folder: Path) -> set[str]:
    """The codes of all refusals that the files of a folder raise."""
    return {
        code for file in folder.glob("*.py") for code in codes(ast.parse(file.read_text(encoding="utf-8")))
    }


def codes(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if refuses(node) and isinstance(node.args[0], ast.Constant):
            yield node.args[0].value
        yield from (
            word.value
            for word in node.args
            if isinstance(word, ast.Constant) and looks_like_a_code(node, word)
        )


def refuses(node: ast.Call) -> bool:
    """Whether a call makes a refusal: by name, or in the class of one that has its own code."""
    match node.func:
        case ast.Name(name):
            return name in REFUSALS
        case ast.Attribute(ast.Call(ast.Name("super")), "__init__"):
            return len(node.args) == 2
    return False


def looks_like_a_code(node: ast.Call, word: ast.Constant) -> bool:
    """Helpers that raise for their callers take the code as an argument."""
    return (
        isinstance(node.func, ast.Name)
        and node.func.id.startswith("_check")
        and isinstance(word.value, str)
        and "_" in word.value
    )


@pytest.mark.parametrize("game", games().values(), ids=str)
def test_every_refusal_of_a_game_is_explained(game: AnyGame) -> None:
    shared = set(rules_of_every_match().refusals)
    assert refused_in(DOMAIN / "games" / game.name) - shared == set(game.rulebook.refusals)


def test_every_refusal_of_any_match_is_explained() -> None:
    everywhere = (
        refused_in(DOMAIN / "match") | refused_in(DOMAIN) | refused_in(DOMAIN.parent / "service" / "names")
    )
    assert everywhere == set(rules_of_every_match().refusals)


@pytest.mark.parametrize("game", games().values(), ids=str)
def test_every_link_of_the_rules_leads_to_a_heading(game: AnyGame) -> None:
    headings = {heading.lower() for heading in re.findall(r"^#+ (.+)$", game.rulebook.text, re.MULTILINE)}
    links = re.findall(r"\]\(#([^)]+)\)", game.rulebook.text)
    assert links
    assert set(links) <= headings


def test_every_curiosity_wonder_column_and_card_is_explained() -> None:
    explained = {(game.name, row["kind"], row["id"]) for game in games().values() for row in game.glossary}
    whatnot, drawer = games()["whatnot"], games()["drawer"]
    curiosities = {str(row["id"]) for row in whatnot.editions["core"].components["curiosities"]}
    cards = {str(row["id"]) for row in drawer.editions["core"].components["cards"]}
    assert {("whatnot", "curiosity", card) for card in curiosities} <= explained
    assert {("whatnot", "column", str(column)) for column in range(1, 6)} <= explained
    assert {("drawer", "card", card) for card in cards} <= explained


def test_the_points_of_the_glossary_are_those_of_the_components() -> None:
    paid = {row["id"]: row["points"] for row in games()["whatnot"].glossary if row["kind"] == "curiosity"}
    rows = games()["whatnot"].editions["core"].components["curiosities"]
    assert paid == {str(row["id"]): row["points"] for row in rows}
