"""The shape of an answer is written once, as the TypedDict that a function returns: its schema is made of it.

mypy holds the dict to the TypedDict. In `Annotated[type, …]` a text describes the field, a dict is added to
its JSON Schema (`x-is` names the component that it is), and a TypedDict is the shape of what mypy cannot look
into: bytes of JSON, a row of a table.
"""

from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from marshmallow import Schema, fields, validate

PLAIN: dict[Any, type[fields.Field[Any]]] = {
    str: fields.String,
    int: fields.Integer,
    bool: fields.Boolean,
    Any: fields.Raw,
}


@cache
def response_schema(shape: Any) -> type[Schema]:
    """The schema of a TypedDict, with its name and its docstring."""
    hints = get_type_hints(shape, include_extras=True)
    members = {name: _field(hint, required=name in shape.__required_keys__) for name, hint in hints.items()}
    return type(shape.__name__, (Schema,), {**members, "__doc__": shape.__doc__})


def _field(hint: Any, **how: Any) -> fields.Field[Any]:
    """A field of a type; `how` are words of marshmallow's."""
    hint, said = _bare(hint)
    how |= said
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        choices = [*inner, None] if "allow_none" in how else inner
        return fields.String(validate=validate.OneOf(choices), **how)
    if is_typeddict(hint):
        return fields.Nested(response_schema(hint), **how)
    if origin is None:
        return PLAIN[hint](**how)
    if issubclass(origin, Mapping):
        names, values = inner
        of: dict[str, Any] = {} if values is Any else {"keys": _field(names), "values": _field(values)}
        return fields.Dict(**of, **how)
    return fields.List(_field(inner[0]), **how)


def _bare(hint: Any) -> tuple[Any, dict[str, Any]]:
    """A type without what is said of it, and that in words of marshmallow's."""
    said: dict[str, Any] = {}
    while (origin := get_origin(hint)) in (NotRequired, Annotated, Union, UnionType):
        hint, *more = (choice for choice in get_args(hint) if choice is not type(None))
        if origin is Annotated:
            metadata = said.setdefault("metadata", {})
            for each in more:
                if is_typeddict(each):
                    hint = each
                else:
                    metadata |= {"description": each} if isinstance(each, str) else each
        elif origin is not NotRequired:
            said["allow_none"] = True
    return hint, said
