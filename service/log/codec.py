"""Commands and events as JSON objects: the class name in snake case under `type`, then the fields.

A class whose fields have changed since logs exist carries `VERSION = 2` (3, …), written as `v`; upcasters
lift older objects before they are read here.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any

import msgspec

from domain.fields import secret_fields
from domain.games import AnyGame
from domain.match.commands import MATCH_COMMANDS
from domain.match.events import MATCH_EVENTS


@cache
def type_name(kind: Any) -> str:
    """`TakeTile` is written `take_tile`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def version_of(kind: type) -> int:
    """The version of a command's or event's fields."""
    return getattr(kind, "VERSION", 1)


@cache
def _head(kind: Any) -> Mapping[str, str | int]:
    version = version_of(kind)
    return {"type": type_name(kind)} | ({"v": version} if version > 1 else {})


@cache
def _names(kind: Any) -> tuple[str, ...]:
    names = tuple(field.name for field in fields(kind))
    if {"type", "v"} & set(names):
        raise TypeError(f"{kind.__name__} has a field `type` or `v`, which say what it is")
    return names


def dump(thing: Any) -> dict[str, Any]:
    """An event as a JSON object."""
    kind: Any = type(thing)
    return {**_head(kind), **msgspec.to_builtins(thing)}


def dump_command(command: Any) -> dict[str, Any]:
    """A command as the JSON object a client would send: what is None is left out."""
    secret = {name for name, _ in secret_fields(command)}  # that one is left out is as secret as what it is
    return {name: value for name, value in dump(command).items() if value is not None or name in secret}


class UnknownTypeError(ValueError):
    """A record names a command or event that this version of the software does not know."""


class Codec:
    """Reads the commands and events of one game."""

    def __init__(self, game: AnyGame) -> None:
        self._commands = _by_name((*MATCH_COMMANDS, *game.commands, *game.automaton_commands))
        self._events = _by_name((*MATCH_EVENTS, *game.events))

    def command(self, raw: Mapping[str, Any]) -> Any:
        """The command a JSON object stands for; UnknownTypeError or msgspec.ValidationError."""
        return _load(raw, self._commands)

    def event(self, raw: Mapping[str, Any]) -> Any:
        """The event a JSON object stands for; UnknownTypeError or msgspec.ValidationError."""
        return _load(raw, self._events)


@cache
def codec(game: AnyGame) -> Codec:
    """The codec of a game, built once."""
    return Codec(game)


def _by_name(kinds: Iterable[type]) -> dict[tuple[str, int], type]:
    return {(type_name(kind), version_of(kind)): kind for kind in kinds if _names(kind) is not None}


def _load(raw: Mapping[str, Any], known: Mapping[tuple[str, int], type]) -> Any:
    name, version = raw.get("type"), raw.get("v", 1)
    kind = known.get((name, version)) if isinstance(name, str) and type(version) is int else None
    if kind is None:
        raise UnknownTypeError(f"{name!r} version {version} is not known here")
    return msgspec.convert({key: raw[key] for key in raw if key not in ("type", "v")}, kind)
