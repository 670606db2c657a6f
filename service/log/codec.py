"""Commands and events as JSON objects: the stored name under `type`, then the fields.

A class of version 2 or later also writes its version, as `v`. What an older version wrote is lifted by the
upcasters of its class before it is read, so the rest of the software knows the fields of today alone.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from domain.errors import NotInstalled
from domain.fields import secret_fields
from domain.games import AnyGame
from domain.match.commands import MATCH_COMMANDS, CreateMatch
from domain.match.events import MATCH_EVENTS, MatchCreated
from domain.stored import by_name, secrets_at, stored_as

Raw = Mapping[str, Any]


class UnknownTypeError(ValueError):
    """A record names a command or event that this version of the software does not know."""


class NewerTypeError(UnknownTypeError, NotInstalled):
    """A record has a command or event of a newer version than this software knows."""


def type_name(kind: type) -> str:
    """What a command or event is called in a log."""
    return stored_as(kind).name


def version_of(kind: type) -> int:
    """The version of a command's or event's fields that is written today."""
    return stored_as(kind).version


@cache
def _head(kind: Any) -> Mapping[str, str | int]:
    version = version_of(kind)
    return {"type": type_name(kind)} | ({"v": version} if version > 1 else {})


def dump(thing: Any) -> dict[str, Any]:
    """An event as a JSON object."""
    kind: Any = type(thing)
    return {**_head(kind), **msgspec.to_builtins(thing)}


def dump_command(command: Any) -> dict[str, Any]:
    """A command as the JSON object a client would send: what is None is left out."""
    secret = {name for name, _ in secret_fields(command)}  # that one is left out is as secret as what it is
    return {name: value for name, value in dump(command).items() if value is not None or name in secret}


class Reader:
    """Reads objects of any age as one of some classes."""

    def __init__(self, kinds: Iterable[type]) -> None:
        self._kinds = by_name(kinds)

    def read(self, raw: Raw) -> Any:
        """What an object stands for; UnknownTypeError or msgspec.ValidationError."""
        kind, version = self._known(raw)
        return msgspec.convert(_lifted(raw, kind, version), kind)

    def lift(self, raw: Raw) -> dict[str, Any]:
        """The object as it would be written today; UnknownTypeError."""
        kind, version = self._known(raw)
        return dict(raw) if version == version_of(kind) else {**_head(kind), **_lifted(raw, kind, version)}

    def secrets(self, raw: Raw) -> tuple[str, ...]:
        """The fields of the object that were secret when it was written; UnknownTypeError."""
        return secrets_at(*self._known(raw))

    def _known(self, raw: Raw) -> tuple[type, int]:
        name, version = raw.get("type"), raw.get("v", 1)
        kind = self._kinds.get(name) if isinstance(name, str) else None
        if kind is None or type(version) is not int or version < 1:
            raise UnknownTypeError(f"{name!r} version {version} is not known here")
        if version > version_of(kind):
            raise NewerTypeError(f"{name!r} version {version} is not known here, it is newer")
        return kind, version


def _lifted(raw: Raw, kind: type, version: int) -> Raw:
    fields: Raw = {name: value for name, value in raw.items() if name not in ("type", "v")}
    for upcaster in stored_as(kind).upcasters[version - 1 :]:
        fields = upcaster.lift(fields)
    return fields


class Codec:
    """Reads the commands and events of one game."""

    def __init__(self, game: AnyGame) -> None:
        self.commands = Reader((*MATCH_COMMANDS, *game.commands, *game.automaton_commands))
        self.events = Reader((*MATCH_EVENTS, *game.events))

    def command(self, raw: Raw) -> Any:
        """The command a JSON object stands for; UnknownTypeError or msgspec.ValidationError."""
        return self.commands.read(raw)

    def event(self, raw: Raw) -> Any:
        """The event a JSON object stands for; UnknownTypeError or msgspec.ValidationError."""
        return self.events.read(raw)


@cache
def codec(game: AnyGame) -> Codec:
    """The codec of a game by one version of its rules, built once."""
    return Codec(game)


_CREATED, _CREATION = Reader((MatchCreated,)), Reader((CreateMatch,))


def read_created(raw: Raw) -> MatchCreated:
    """The first event of a log, which says by which game and rules to read the others; as `Codec.event`."""
    created: MatchCreated = _CREATED.read(raw)
    return created


def read_creation(raw: Raw) -> CreateMatch:
    """The first command of a log; as `Codec.command`."""
    creation: CreateMatch = _CREATION.read(raw)
    return creation
