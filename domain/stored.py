"""How commands and events are known in logs, for ever: a name, a version, and a way up from older versions.

The name is written down above the class, so that renaming the class changes no log. When the fields of a
class change, it gets one more upcaster, and with it the next version: there is no version without its way up.
Objects that are stored already never change.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeAlias, TypeVar

from domain.fields import secrets_of

T = TypeVar("T")
Fields: TypeAlias = Mapping[str, Any]  # of a stored object, as JSON values, without `type` and `v`
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
RESERVED = {"type", "v"}  # say what a stored object is


@dataclass(frozen=True, slots=True)
class Upcaster:
    """Lifts the fields of one version to those of the next.

    `secrets` names the fields that were secret in the version it lifts; None: those of the next version.
    """

    lift: Callable[[Fields], Fields]
    secrets: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class StoredAs:
    """What a class is called in logs; the first upcaster lifts version 1, the next one version 2."""

    name: str
    upcasters: tuple[Upcaster, ...] = ()

    @property
    def version(self) -> int:
        """The version that is written today."""
        return len(self.upcasters) + 1


_STORED: dict[type, StoredAs] = {}


def stored(name: str, *upcasters: Upcaster) -> Callable[[type[T]], type[T]]:
    """Give a dataclass its name in logs, and the upcasters of its older versions; TypeError."""

    def register(kind: type[T]) -> type[T]:
        if not is_dataclass(kind) or not NAME.fullmatch(name):
            raise TypeError(f"{kind.__name__} must be a dataclass, stored under a name in snake case")
        if RESERVED & {item.name for item in fields(kind)}:
            raise TypeError(f"{kind.__name__} has a field `type` or `v`, which say what it is")
        _STORED[kind] = StoredAs(name, upcasters)
        return kind

    return register


def stored_as(kind: type) -> StoredAs:
    """The name and version of a command or event class; TypeError where none is written down."""
    try:
        return _STORED[kind]
    except KeyError:
        raise TypeError(f"{kind.__name__} has no stored name: put @stored(…) above it") from None


def by_name(kinds: Iterable[type]) -> dict[str, type]:
    """Classes by their stored name; TypeError where two share one."""
    named: dict[str, type] = {}
    for kind in kinds:
        other = named.setdefault(stored_as(kind).name, kind)
        if other is not kind:
            both = f"{other.__name__} and {kind.__name__}"
            raise TypeError(f"{both} are both stored as {stored_as(kind).name!r}")
    return named


def secrets_at(kind: type, version: int) -> tuple[str, ...]:
    """The names of the fields that were secret in a version of a class."""
    since = (upcaster.secrets for upcaster in stored_as(kind).upcasters[version - 1 :])
    return next((names for names in since if names is not None), secrets_of(kind))
