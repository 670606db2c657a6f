"""The JSON Schemas of a game's commands and events, as the catalogue shows them."""

from collections.abc import Mapping
from functools import cache
from inspect import cleandoc
from typing import Any

import msgspec
from flask_smorest import current_api

from domain.fields import personal_fields, secrets_of
from domain.games import AnyGame
from domain.match.commands import Seat
from domain.match.events import MATCH_EVENTS
from service.http.openapi.command_schemas import command_schemas
from service.log.codec import type_name, version_of


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
