"""The one byte form of a value that is hashed: RFC 8785, for values without floats and with ASCII keys.

For that set of values sorted, compact UTF-8 JSON is RFC 8785; a property test holds the two equal.
"""

from hashlib import sha256
from typing import Any

import orjson

MOST = 2**53 - 1  # the largest integer that RFC 8785 can write


def canonical(value: Any) -> bytes:
    """The RFC 8785 form of integers, strings, booleans, null, lists and objects with ASCII keys."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def digest(value: Any) -> str:
    """SHA-256 of the canonical form, in hex."""
    return sha256(canonical(value)).hexdigest()


def check_values(value: Any, where: str = "") -> None:
    """ValueError, with a JSON pointer, where a value cannot stand in a record."""
    match value:
        case bool() | str() | None:
            return
        case int() if -MOST <= value <= MOST:
            return
        case list() | tuple():
            for index, item in enumerate(value):
                check_values(item, f"{where}/{index}")
        case dict():
            for name, item in value.items():
                if not name.isascii():
                    raise ValueError(f"{where}: the key {name!r} is not ASCII")
                check_values(item, f"{where}/{name}")
        case _:
            raise ValueError(f"{where}: {value!r} cannot stand in a record")
