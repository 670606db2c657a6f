"""The catalogue of games: options, editions, commands, events, score parts, glossary and refusals."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypedDict

from flask import Response

from domain.game import Row
from domain.games import AnyGame, games
from domain.match.commands import BOTS
from domain.options import Option
from domain.rulebook import rules_of_every_match
from service.http.judgement.reads import PUBLIC, found_game
from service.http.openapi.blueprint import Blueprint
from service.http.openapi.json_schemas import command_json_schemas, event_json_schemas
from service.http.openapi.queries import RulesQuery
from service.http.protocol.json_answers import tagged
from service.log.edition import edition_hashes
from service.matches.documents import EditionName

blueprint = Blueprint("games", __name__, url_prefix="/v1/games", description="The catalogue of games.")
LENGTH = "How many words the option has if it is a list, unless it is left at its default."


class OptionDocument(TypedDict):
    """An option of a game."""

    name: str
    summary: str
    default: Annotated[
        Any, "The value without your choice. Its type is that of the option, and it always fits."
    ]
    choices: Annotated[
        Sequence[str], "The words that the option can be. If it is a list, those that can be in it."
    ]
    minimum: int | None
    maximum: int | None
    min_items: Annotated[int | None, LENGTH]
    max_items: Annotated[int | None, LENGTH]


class GameSummary(TypedDict):
    """A game of the catalogue."""

    name: str
    title: str
    rules_version: int
    rules_versions: Annotated[
        Sequence[int],
        "The versions of the rules that you can play, newest first. A match never changes its version.",
    ]
    seats: Annotated[Sequence[int], "The possible numbers of players."]
    bots: Annotated[Sequence[str], 'The bots that can play a seat: `{"bot": …}`.']
    self: str
    rules: Annotated[str, "The rules of the game, as Markdown or as a page."]


class EditionDocument(EditionName):
    """An edition with its components."""

    components: Annotated[Mapping[str, Any], "Tables of rows, each row with its `source`."]


class GlossaryEntry(TypedDict):
    """What a component or a term of a game means."""

    kind: Annotated[str, "What it is: a `column`, a `curiosity`, a `card`, …"]
    id: Annotated[str, "Its id among those of its kind."]
    points: Annotated[int | None, "The points it scores, if it scores."]
    text: str


class GameDocument(GameSummary):
    """A game in full."""

    options: Sequence[OptionDocument]
    default_edition: str
    editions: Sequence[EditionDocument]
    commands: Annotated[Mapping[str, Any], "The JSON Schema of every command, by type."]
    events: Annotated[
        Mapping[str, Any],
        "The JSON Schema of every event of a log, by type, as written today. `v` is the version of its"
        " fields, and is left out if it is 1. Fields under `x-sealed` are left out where they are sealed; you"
        " find them under `opened` if you may see them.",
    ]
    score_parts: Mapping[str, str]
    glossary: Sequence[Annotated[Row, GlossaryEntry]]
    refusals: Annotated[
        Mapping[str, str], "Every `rule` that can refuse a command in this game, and what it means."
    ]


class GameList(TypedDict):
    """The catalogue."""

    items: Sequence[GameSummary]


@blueprint.route("")
@blueprint.operation("listGames", headers=["If-None-Match"])
@blueprint.response(200, GameList)
@blueprint.not_modified()
def list_games() -> Response:
    """List the games.

    You get the title of each game, its numbers of players and its bots.
    """
    catalogue: GameList = {"items": [summary(game) for game in games().values()]}
    return tagged(catalogue, PUBLIC)


@blueprint.route("/<game>")
@blueprint.operation("getGame", headers=["If-None-Match"])
@blueprint.arguments(RulesQuery(), location="query")
@blueprint.response(200, GameDocument)
@blueprint.not_modified()
def get_game(query: dict[str, Any], game: str) -> Response:
    """Read a game.

    You get everything a client needs: seats, options, editions with every component, the JSON Schema of every
    command and event, the parts of a score, and what components and refusals mean. For a match that is played
    by older rules, send its `rules_version`.
    """
    return tagged(full(found_game(game, query)), PUBLIC)


def summary(game: AnyGame) -> GameSummary:
    """A game in a line."""
    return {
        "name": game.name,
        "title": game.title,
        "rules_version": game.rules_version,
        "rules_versions": list(games()[game.name].versions),
        "seats": list(game.seats),
        "bots": list(BOTS),
        "self": f"/v1/games/{game.name}",
        "rules": f"/v1/games/{game.name}/rules",
    }


def full(game: AnyGame) -> GameDocument:
    """A game with all that its players choose from."""
    hashes = edition_hashes(game)
    return {
        **summary(game),
        "options": list(map(_option, game.options)),
        "default_edition": game.default_edition,
        "editions": [
            {"name": name, "components": dict(edition.components), "hash": hashes[name]}
            for name, edition in game.editions.items()
        ],
        "commands": command_json_schemas(game),
        "events": event_json_schemas(game),
        "score_parts": dict(game.score_parts),
        "glossary": list(game.glossary),
        "refusals": {**game.rulebook.refusals, **rules_of_every_match().refusals},
    }


def _option(option: Option) -> OptionDocument:
    return {
        "name": option.name,
        "summary": option.summary,
        "default": option.default,
        "choices": option.choices,
        "minimum": option.minimum,
        "maximum": option.maximum,
        "min_items": option.min_items,
        "max_items": option.max_items,
    }
