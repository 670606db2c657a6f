"""The rules of every game over HTTP, as Markdown and as a page: every refusal leads into them."""

import re
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from domain.games import AnyGame, games
from domain.refusals import MatchRefusal
from domain.rulebook import rules_of_every_match
from service.http.protocol.rule_links import every_rule, rule_members
from service.matches.play import Play
from tests.service.http.contract import Contract
from tests.service.http.table import lay, post, problem

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
    assert rulings
    assert rulings <= page.ids


@GAMES
def test_every_refusal_links_to_its_heading(client: FlaskClient, game: AnyGame) -> None:
    for code in {*game.rulebook.refusals, *rules_of_every_match().refusals}:
        link = rule_members(code, game)["rule_url"]
        answer = client.get(link, headers={"Accept": "text/html"})
        assert link.partition("#")[2] == code
        assert code in Ids(answer.text).ids, link


def test_the_description_lists_every_rule_that_can_refuse(client: FlaskClient) -> None:
    components = Contract(client.application).document["components"]["schemas"]
    own = {refusal.value for game in games().values() for refusal in game.refusals}
    assert components["Rule"]["enum"] == sorted(own | {refusal.value for refusal in MatchRefusal})
    assert components["Rule"]["type"] == "string"
    assert components["ProblemDocument"]["properties"]["rule"] == {"$ref": "#/components/schemas/Rule"}


def test_refusals_name_a_rule_and_link_to_it(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    early = problem(table.send({"type": "take_tile", "tile": 1}, table.acting), 409, "illegal_command")
    assert early["rule_url"] == "/v1/games/whatnot/rules?rules_version=1#not_now"
    other = next(who for who in ("seat:0", "seat:1") if who != table.acting)
    waiting = problem(table.send({"type": "choose_column", "column": 1}, other), 409, "not_your_turn")
    assert waiting["rule_url"] == "/v1/rules#not_your_turn"
    asked = {"game": "whatnot", "seats": [{"name": f"P{n}"} for n in range(4)], "options": {"advanced": True}}
    unfit = problem(post(client, "/v1/matches", asked), 422, "validation_error")
    assert unfit["rule_url"] == "/v1/games/whatnot/rules?rules_version=1#advanced_for_two"
    assert {refused["rule"] for refused in (early, waiting, unfit)} <= set(every_rule())


def test_the_rules_of_every_match_are_a_page_too(client: FlaskClient) -> None:
    answer = client.get("/v1/rules")
    assert (answer.status_code, answer.mimetype) == (200, "text/markdown")
    page = client.get("/v1/rules", headers={"Accept": "text/html"})
    assert set(rules_of_every_match().refusals) <= Ids(page.text).ids


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
