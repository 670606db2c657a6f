"""Matches of bots only: they cost work that no person waits for, so the operator decides who can have them.

By default whoever creates one needs an API key, and each address may have so many a minute. A match that
begins with a person and is left to bots by its host counts as one.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from flask import current_app

from domain.errors import PersonRequired
from domain.match.state import Match
from service.http.protocol.problems import Problem
from service.matches.aggregate import Aggregate

LIMIT = "bot_matches"


def open_to_all() -> bool:
    """Whether a match of bots alone needs no API key."""
    return bool(current_app.config["OPEN_BOT_MATCHES"])


def check_creation(given: Any, owner: str) -> None:
    """403 for a match of bots alone, where that needs an API key and `owner`, who creates it, has none."""
    if _bots_alone(given) and not owner and not open_to_all():
        refused = PersonRequired()
        raise Problem(refused.code, refused.sentence)


def limits_of_creation(given: Any) -> tuple[str, ...]:
    """The limit that counts the creation in a body (its JSON, not validated yet), if it is of bots alone."""
    return (LIMIT,) if _bots_alone(given) else ()


def limits_of_commands(loaded: Aggregate, given: Any) -> tuple[str, ...]:
    """The limit that counts commands which would leave a match to bots alone."""
    commands = [each for each in (given if isinstance(given, list) else [given]) if isinstance(each, Mapping)]
    left = _people_after(loaded.state, commands)
    return (LIMIT,) if loaded.state.peopled and not left else ()


def stays_peopled(loaded: Aggregate) -> bool:
    """Whether a match must keep a person: it was created without the API key that bots alone require."""
    return not loaded.fields.get("owner") and not open_to_all()


def _people_after(match: Match, commands: Iterable[Mapping[str, Any]]) -> set[int]:
    """The seats on which there is, or may come, a person after what the host asks for."""
    left = {number for number, seat in enumerate(match.seats) if seat.kind == "human"}
    for command in commands:
        if command.get("type") == "start_match":
            left -= {*match.free}
        elif command.get("type") == "seat_bot":
            left = {number for number in left if number != command.get("seat")}
    return left


def _bots_alone(given: Any) -> bool:
    seats = given.get("seats") if isinstance(given, Mapping) else None
    bots = isinstance(seats, list) and all(isinstance(seat, Mapping) and {*seat} == {"bot"} for seat in seats)
    return bool(seats) and bots
