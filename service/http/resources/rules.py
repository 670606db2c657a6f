"""The rules of the games as texts: Markdown for programs and editors, a page for people."""

from typing import Any

from flask import Response

from domain.games import AnyGame
from domain.rulebook import rules_of_every_match
from service.http.judgement.reads import found_game
from service.http.openapi.blueprint import Blueprint
from service.http.openapi.queries import RulesQuery
from service.http.pages.markdown import MARKDOWN, as_markdown, as_page, reads_page, words_with_dashes
from service.http.pages.rendering import HTML

blueprint = Blueprint("rules", __name__, url_prefix="/v1", description="The rules of the games.")


@blueprint.route("/games/<game>/rules")
@blueprint.operation("readRules", headers=["If-None-Match"], any_accept=True)
@blueprint.arguments(RulesQuery(), location="query")
@blueprint.response(200, {"type": "string"}, content_type=MARKDOWN)
@blueprint.alt_response(200, schema={"type": "string"}, content_type=HTML, success=True)
@blueprint.not_modified()
def read_rules(query: dict[str, Any], game: str) -> Response:
    """Read the rules of a game.

    The whole game in our own words. If you accept HTML, you get a page, otherwise Markdown, even if you do
    not accept that. Every ruling and every refusal has a heading: `#column_occupied` explains refusals with
    this `rule`. For older rules, send their `rules_version`.
    """
    found = found_game(game, query)
    return _told(found.title, whole_text(found))


@blueprint.route("/rules")
@blueprint.operation("readCommonRules", headers=["If-None-Match"], any_accept=True)
@blueprint.response(200, {"type": "string"}, content_type=MARKDOWN)
@blueprint.alt_response(200, schema={"type": "string"}, content_type=HTML, success=True)
@blueprint.not_modified()
def read_common_rules() -> Response:
    """Read the rules of every match.

    What holds whatever the game: taking and leaving seats, invites, the start and the end. If you
    accept HTML, you get a page, otherwise Markdown, even if you do not accept that. Every refusal has a
    heading.
    """
    return _told("In every match", rules_of_every_match().text)


def _told(title: str, text: str) -> Response:
    return as_page(title, text, words_with_dashes) if reads_page() else as_markdown(text)


def whole_text(game: AnyGame) -> str:
    """The rules of a game, followed by those of every match."""
    return f"{game.rulebook.text}\n{rules_of_every_match().text}"
