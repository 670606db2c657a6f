"""The rules of every game over HTTP, as Markdown and as a page: every refusal leads into them."""

import re
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from domain.games import AnyGame, games
from domain.rulebook import rules_of_every_match

GAMES = pytest.mark.parametrize("game", games().values(), ids=str)


class Ids(HTMLParser):
    """Collects the ids of a page and the fragments that its links lead to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.fragments: set[str] = set()
        self.feed(page)

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                assert value not in self.ids, f"{value} stands twice"
                self.ids.add(value)
            if name == "href" and value and value.startswith("#"):
                self.fragments.add(value[1:])


@GAMES
def test_rules_are_markdown_unless_a_browser_asks(client: FlaskClient, game: AnyGame) -> None:
    answer = client.get(f"/v1/games/{game.name}/rules")
    assert (answer.status_code, answer.mimetype) == (200, "text/markdown")
    assert answer.text.startswith(f"# {game.title}\n")
    again = client.get(f"/v1/games/{game.name}/rules", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


@GAMES
def test_the_page_has_an_anchor_for_every_ruling_and_every_refusal(
    client: FlaskClient, game: AnyGame
) -> None:
    answer = client.get(f"/v1/games/{game.name}/rules", headers={"Accept": "text/html,*/*;q=0.8"})
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    page = Ids(answer.text)
    assert page.fragments <= page.ids
    assert {*game.rulebook.refusals, *rules_of_every_match().refusals} <= page.ids
    rulings = {ruling.lower() for ruling in re.findall(r"^### ([A-Z]\d+)$", game.rulebook.text, re.MULTILINE)}
    assert len(rulings) >= 12
    assert rulings <= page.ids


@GAMES
def test_the_catalogue_explains_components_and_refusals(client: FlaskClient, game: AnyGame) -> None:
    document = client.get(f"/v1/games/{game.name}").json
    assert document is not None
    assert document["rules"] == f"/v1/games/{game.name}/rules"
    assert document["refusals"]["not_your_turn"]
    assert all(entry["text"] for entry in document["glossary"])


def test_an_unknown_game_has_no_rules(client: FlaskClient) -> None:
    answer = client.get("/v1/games/chess/rules")
    assert (answer.status_code, answer.json and answer.json["code"]) == (404, "game_not_found")
