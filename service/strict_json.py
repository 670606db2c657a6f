"""The one reader of JSON from outside: no NaN, no half surrogates, UTF-8 only, no key twice in one object.

Bodies of requests and lines of logs are read alike, so a text means the same to everybody who reads it.
"""

import json
from typing import Any

import orjson

Pairs = list[tuple[str, Any]]


class NotStrictError(ValueError):
    """What is wrong with a text, and where: `pointer` leads to a key that comes twice."""

    def __init__(self, pointer: str, detail: str) -> None:
        super().__init__(detail)
        self.pointer = pointer


def read_json(body: bytes) -> Any:
    """The value of a JSON text; NotStrictError."""
    try:
        value = orjson.loads(body)  # the stricter reader, but it takes the last of two equal keys
    except (ValueError, RecursionError) as flaw:
        raise NotStrictError("", f"not JSON: {flaw}") from flaw
    check_unique_keys(body)
    return value


def check_unique_keys(body: bytes) -> None:
    """NotStrictError where a key comes twice in an object of a JSON text."""
    try:
        UNIQUE_KEYS.decode(body.decode())
    except _DoubledKeyError as doubled:
        raise NotStrictError(_pointer_to_double(body), str(doubled)) from doubled
    except (ValueError, RecursionError) as flaw:
        raise NotStrictError("", f"not JSON: {flaw}") from flaw


class _DoubledKeyError(Exception):
    """A key comes twice."""


class _Object(Pairs):
    """The pairs of an object as they were written."""


def _unique(pairs: Pairs) -> None:
    seen = set[str]()
    for name, _ in pairs:
        if name in seen:
            raise _DoubledKeyError(f"The key {name[:40]!r} appears twice in one object.")
        seen.add(name)


UNIQUE_KEYS = json.JSONDecoder(object_pairs_hook=_unique)  # looks only for keys that come twice
AS_WRITTEN = json.JSONDecoder(object_pairs_hook=_Object)


def pointer_part(name: str) -> str:
    """A name as part of a JSON pointer (RFC 6901, section 3)."""
    return name.replace("~", "~0").replace("/", "~1")


def _pointer_to_double(body: bytes) -> str:
    """Where the key that comes twice is; read once more, for it is rare that anybody asks."""
    waiting: list[tuple[str, Any]] = [("", AS_WRITTEN.decode(body.decode()))]
    while waiting:
        pointer, value = waiting.pop()
        if isinstance(value, _Object):
            seen = set[str]()
            for name, inner in value:
                own = f"{pointer}/{pointer_part(name)}"
                if name in seen:
                    return own
                seen.add(name)
                waiting.append((own, inner))
        elif isinstance(value, list):
            waiting += [(f"{pointer}/{index}", inner) for index, inner in enumerate(value)]
    return ""
