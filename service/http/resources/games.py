"""The catalogue of games: options, editions, commands, events, score parts, glossary and refusals."""

from collections.abc import Mapping
from functools import cache
from inspect import cleandoc
from typing import Any

import msgspec
from flask import Response
from flask_smorest import current_api

from domain.fields import personal_fields, secrets_of
from domain.games import AnyGame, games
from domain.match.commands import BOTS, Seat
from domain.match.events import MATCH_EVENTS
from domain.rulebook import rules_of_every_match
from service.http.judgement.reads import PUBLIC, found_game
from service.http.openapi.api import Blueprint, tagged
from service.http.openapi.command_schemas import command_schemas
from service.http.openapi.requests import RulesQuery
from service.http.openapi.responses import GameDocument, GameList
from service.log.codec import type_name, version_of
from service.log.edition import edition_content, edition_hashes

blueprint = Blueprint("games", __name__, url_prefix="/v1/games", description="The catalogue of games.")


@blueprint.route("")
@blueprint.operation("listGames", headers=["If-None-Match"])
@blueprint.response(200, GameList)
@blueprint.not_modified()
def list_games() -> Response:
    """List the games.

    You get the title of each game, its numbers of players and its bots.
    """
    return tagged({"items": [summary(game) for game in games().values()]}, PUBLIC)


@blueprint.route("/<game>")
@blueprint.operation("getGame", "game_not_found", "validation_error", headers=["If-None-Match"])
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


def summary(game: AnyGame) -> dict[str, Any]:
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


def full(game: AnyGame) -> dict[str, Any]:
    """A game with all that its players choose from."""
    hashes = edition_hashes(game)
    return summary(game) | {
        "options": [
            {
                "name": option.name,
                "summary": option.summary,
                "default": option.default,
                "choices": option.choices,
                "minimum": option.minimum,
                "maximum": option.maximum,
                "min_items": option.min_items,
                "max_items": option.max_items,
            }
            for option in game.options
        ],
        "default_edition": game.default_edition,
        "editions": [
            edition_content(edition) | {"hash": hashes[name]} for name, edition in game.editions.items()
        ],
        "commands": command_json_schemas(game),
        "events": event_json_schemas(game),
        "score_parts": dict(game.score_parts),
        "glossary": list(game.glossary),
        "refusals": {**game.rulebook.refusals, **rules_of_every_match().refusals},
    }


@cache
def event_json_schemas(game: AnyGame) -> dict[str, Any]:
    """The JSON Schema of every event that can stand in a log, by type; `x-sealed` fields may be left out."""
    return {type_name(kind): _event_schema(kind) for kind in (*MATCH_EVENTS, *game.events)}


def _event_schema(kind: Any) -> dict[str, Any]:
    _, parts = msgspec.json.schema_components([kind], ref_template="{name}")
    if Seat.__name__ in parts:
        parts[Seat.__name__]["x-sealed"] = list(personal_fields(Seat))
    own, version = _inlined(parts[kind.__name__], parts), version_of(kind)
    hidden = (*secrets_of(kind), *personal_fields(kind))
    written = {
        "type": "object",
        "description": cleandoc(kind.__doc__ or ""),
        "properties": {"type": {"const": type_name(kind)}, "v": {"const": version}, **own["properties"]},
        "required": [
            "type",
            *(["v"] if version > 1 else []),
            *(name for name in own.get("required", ()) if name not in hidden),
        ],
    }
    return written | ({"x-sealed": list(hidden)} if hidden else {})


def _inlined(schema: Any, parts: Mapping[str, Any]) -> Any:
    """A schema with what it refers to in its place."""
    match schema:
        case {"$ref": str(name)}:
            return _inlined(parts[name], parts)
        case dict():
            named = {
                word: inner for word, inner in schema.items() if word != "title" or isinstance(inner, dict)
            }
            return {word: _inlined(inner, parts) for word, inner in named.items()}
        case list():
            return [_inlined(inner, parts) for inner in schema]
    return schema


def command_json_schemas(game: AnyGame) -> dict[str, Any]:
    """The JSON Schema of every command that may be sent, by type."""
    written = current_api.ma_plugin.converter
    return {
        name: written.schema2jsonschema(schema) | {"description": schema.__doc__}
        for name, schema in command_schemas(game).items()
    }
