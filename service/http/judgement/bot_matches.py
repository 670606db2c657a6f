"""Matches of bots only: they cost work that no person waits for, so the operator decides who can have them.

By default whoever creates one needs an API key, and each address may have so many a minute. A match that
begins with a person and is left to bots by its host counts as one.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from flask import current_app
from marshmallow import ValidationError

from domain.errors import PersonRequired
from domain.games import AnyGame
from domain.match.commands import BOTS, SeatBot, StartMatch
from domain.match.state import Match
from service.http.openapi.command_schemas import load_command
from service.http.protocol.problems import Problem
from service.matches.aggregate import Aggregate

LIMIT = "bot_matches"
BOT_SEATS = [{"bot": kind} for kind in BOTS]


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
    left = _people_after(loaded.state, given if isinstance(given, list) else [given])
    return (LIMIT,) if loaded.state.peopled and not left else ()


def stays_peopled(loaded: Aggregate) -> bool:
    """Whether a match must keep a person: it was created without the API key that bots alone require."""
    return not loaded.fields.get("owner") and not open_to_all()


def _people_after(match: Match, asked: Iterable[Any]) -> set[int]:
    """The seats on which there is, or may come, a person after what the host asks for."""
    left = {number for number, seat in enumerate(match.seats) if seat.kind == "human"}
    for command in asked:
        match _of_host(match.game, command):
            case StartMatch():
                left -= {*match.free}
            case SeatBot(seat=number):
                left.discard(number)
    return left


def _of_host(game: AnyGame, command: Any) -> Any:
    """A command that may put bots where people are; None for any other, or if it is not valid."""
    if not isinstance(command, Mapping) or command.get("type") not in ("start_match", "seat_bot"):
        return None
    with suppress(ValidationError):
        return load_command(game, command)
    return None


def _bots_alone(given: Any) -> bool:
    """Whether every seat of a new match is a bot's; a seat that is not valid is refused as such, later."""
    seats = given.get("seats") if isinstance(given, Mapping) else None
    return isinstance(seats, list) and bool(seats) and all(seat in BOT_SEATS for seat in seats)
