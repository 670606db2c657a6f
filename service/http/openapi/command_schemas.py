"""Command dataclasses as marshmallow schemas: the shape of a command is written once, in the domain."""

import types
from collections.abc import Mapping
from dataclasses import MISSING, Field
from dataclasses import fields as fields_of
from functools import cache
from inspect import cleandoc
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from marshmallow import RAISE, Schema, ValidationError, fields, post_load, validate

from domain.games import AnyGame
from domain.match.commands import HOST_COMMANDS
from service.log.codec import type_name, version_of

MOST = 2**53 - 1
LONGEST = 200  # characters in a word of a command
MANY = 100  # things in a list of a command
LONGEST_BATCH = 50  # commands


class Whole(fields.Integer):
    """An integer, written as one: no string, no float, no boolean."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:
        if type(value) is not int:
            raise self.make_error("invalid", input=value)
        return value


class Truth(fields.Boolean):
    """true or false, nothing that looks like it."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return value


class CommandSchema(Schema):
    """Base of the schemas of commands: loads a JSON object into a command, refuses unknown fields."""

    class Meta:
        unknown = RAISE

    kind: type[Any]

    @post_load
    def made(self, loaded: Mapping[str, Any], **_: Any) -> Any:
        """The command."""
        given = {name: _frozen(value) for name, value in loaded.items() if name not in ("type", "v")}
        return self.kind(**given)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


@cache
def schema_of(kind: Any) -> CommandSchema:
    """The schema of one command type, built once."""
    hints = get_type_hints(kind)
    members: dict[str, Any] = {"kind": kind}
    name = type_name(kind)
    members["type"] = fields.String(required=True, validate=validate.Equal(name), metadata={"const": name})
    if (version := version_of(kind)) > 1:
        members["v"] = Whole(required=True, validate=validate.Equal(version))
    for item in fields_of(kind):
        members[item.name] = _field(hints[item.name], item)
    made: type[CommandSchema] = type(f"{kind.__name__}Schema", (CommandSchema,), members)
    made.__doc__ = cleandoc(kind.__doc__ or "")
    return made()


def _field(hint: Any, item: Field[Any]) -> fields.Field[Any]:
    required = item.default is MISSING and item.default_factory is MISSING
    if get_origin(hint) in (Union, types.UnionType):
        (hint,) = (choice for choice in get_args(hint) if choice is not type(None))
    if get_origin(hint) is tuple:
        many = validate.Length(max=item.metadata.get("most") or MANY)
        return fields.List(_scalar(get_args(hint)[0], item, required=True), validate=many, required=required)
    return _scalar(hint, item, required=required)


def _scalar(hint: Any, item: Field[Any], *, required: bool) -> fields.Field[Any]:
    if get_origin(hint) is Literal:
        return fields.String(validate=validate.OneOf(get_args(hint)), required=required)
    if hint is bool:
        return Truth(required=required)
    if hint is int:
        low, high = item.metadata.get("minimum", -MOST), item.metadata.get("maximum", MOST)
        return Whole(validate=validate.Range(low, high), required=required)
    if hint is str:
        known = item.metadata.get("choices")
        fit = validate.OneOf(known) if known else validate.Length(min=1, max=LONGEST)
        return fields.String(validate=fit, required=required)
    raise TypeError(f"a command cannot have a field of type {hint}")


@cache
def command_schemas(game: AnyGame) -> dict[str, CommandSchema]:
    """The schemas of all commands that may be sent in a match of a game, by type."""
    return {type_name(kind): schema_of(kind) for kind in (*game.commands, *HOST_COMMANDS)}


def load_command(game: AnyGame, raw: Any) -> Any:
    """A command from a JSON value; ValidationError with messages by field."""
    if not isinstance(raw, dict):
        raise ValidationError("A command must be an object with a `type`.")
    schemas = command_schemas(game)
    if "type" not in raw:
        raise ValidationError({"type": ["Missing data for required field."]})
    named = raw["type"]
    schema = schemas.get(named) if isinstance(named, str) else None
    if schema is None:
        raise ValidationError({"type": [f"Must be one of: {', '.join(schemas)}."]})
    return schema.load(raw)
