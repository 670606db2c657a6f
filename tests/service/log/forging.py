"""A forger's tools: logs taken apart, altered, and written again with every hash made good."""

import json
import random
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, TypeAlias

import rfc8785

from domain.games.whatnot import GAME
from service.log.record import salt_of
from service.matches.simulate import Plan, simulate

Log: TypeAlias = list[dict[str, Any]]  # the header, then a commit a version
Leaf: TypeAlias = tuple[Any, Any]  # what it stands in, and its name or index there


@cache
def true_log(seats: int = 4, number: int = 0, *, advanced: bool = False) -> bytes:
    """The log of a whole simulated match, every secret open."""
    return simulate(Plan(GAME, seats, {"advanced": advanced}, bytes(32)), number).log


def parsed(log: bytes) -> Log:
    """The lines of a log as objects."""
    return [json.loads(line) for line in log.splitlines()]


def written(log: Sequence[Any]) -> list[bytes]:
    """The objects as the lines of a log."""
    return [rfc8785.dumps(line) + b"\n" for line in log]


def proof(record: dict[str, Any]) -> str:
    """The hash that makes a record look untouched."""
    hashed = {name: value for name, value in record.items() if name not in ("hash", "opened")}
    return sha256(rfc8785.dumps(hashed)).hexdigest()


def rechain(log: Log) -> None:
    """Make every hash good again, as somebody who owns the whole log can."""
    previous = "0" * 64
    for record in log[1:]:
        record["previous"] = previous
        previous = record["hash"] = proof(record)


def reseal(record: dict[str, Any], pointer: str, salt: str, value: Any) -> None:
    """Open something else at a pointer, and make its seal good."""
    record["opened"][pointer] = {"salt": salt, "value": value}
    record["sealed"][pointer] = sha256(bytes.fromhex(salt) + rfc8785.dumps(value)).hexdigest()


def resalt(log: Log, key: bytes) -> None:
    """Salt and seal everything, names too, with another sealing key."""
    for record in log[1:]:
        for pointer, opened in record.get("opened", {}).items():
            salt = salt_of(key, record["match"], record["version"], pointer)
            reseal(record, pointer, salt, opened["value"])


def first_sealed(log: Log) -> tuple[dict[str, Any], str]:
    """The first commit with a secret, and the secret's pointer; names are none."""
    places = ((record, pointer) for record in log[1:] for pointer in record["sealed"])
    return next(place for place in places if not place[1].endswith("/name"))


def leaves(value: Any) -> Iterator[Leaf]:
    """Every number, string and truth value in a value, by where it stands."""
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for step, inner in steps:
        if isinstance(inner, dict | list):
            yield from leaves(inner)
        elif inner is not None:
            yield value, step


def bent(value: Any, chooser: random.Random) -> Any:
    """Another value of the same type."""
    match value:
        case bool():
            return not value
        case int():
            return value + chooser.choice([-1, 1])
        case _:
            return value + "x"
