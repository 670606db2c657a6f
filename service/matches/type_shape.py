"""The shape of a type: the names and types of its fields, and of theirs; what is no dataclass is its name."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

from service.log.canonical import digest


def shape_hash(kinds: Mapping[str, Any]) -> str:
    """A hash of named types, another one once any field at any depth is new, gone, renamed or retyped."""
    return digest([[name, shape(kind)] for name, kind in kinds.items()])


def shape(kind: Any, within: tuple[Any, ...] = ()) -> Any:
    """The shape of a type hint as JSON; a type within itself is its name there."""
    if is_dataclass(kind) and kind not in within:
        hints = get_type_hints(kind)
        return [[item.name, shape(hints[item.name], (*within, kind))] for item in fields(kind)]
    if (origin := get_origin(kind)) is not None:
        return [str(origin), *(shape(inner, within) for inner in get_args(kind))]
    return f"{kind.__module__}.{kind.__qualname__}" if isinstance(kind, type) else repr(kind)
