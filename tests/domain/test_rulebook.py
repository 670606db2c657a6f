"""Every link of the rules that players read leads somewhere; components are explained in the glossary."""

import re

import pytest

from domain.games import AnyGame, games


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
