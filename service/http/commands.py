"""The one way to change a match: commands, judged in the order of the contract."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flask import Response
from marshmallow import ValidationError

from domain.games import AnyGame
from domain.match.commands import ReleaseSeed
from domain.match.rules import HOST
from service.asking import CommandRefusedError, Request, Result, StaleVersionError
from service.http.api import Blueprint, body_of, json_response
from service.http.callers import (
    command_id,
    find,
    fingerprint,
    idempotency_key,
    if_match,
    json_body,
    or_first_answer,
    play,
    required_actor,
    sent,
)
from service.http.documents import CommandAnswer
from service.http.fields import load_command
from service.http.problems import Problem, invalid, of_refusal, of_stale, pointed
from service.loaded import Loaded
from service.log.codec import dump_command
from service.views import answer, viewer_of

blueprint = Blueprint("commands", __name__, url_prefix="/v1/matches", description="Moves.")
LONGEST_BATCH = 50


@blueprint.route("/<match_id>/commands", methods=["POST"])
@blueprint.operation(
    "sendCommands",
    "token_missing",
    "token_unknown",
    "seat_required",
    "host_required",
    "match_not_found",
    "idempotency_key_invalid",
    "if_match_invalid",
    "content_too_large",
    "unsupported_media_type",
    "validation_error",
    "idempotency_key_reused",
    "stale_version",
    "not_your_turn",
    "match_over",
    "illegal_command",
    "outcome_unknown",
    "store_unavailable",
    "match_quarantined",
    requestBody=body_of(
        "Commands", "One command, or a list of them: all are accepted, a commit each, or none."
    ),
    headers=["Authorization", "Idempotency-Key", "If-Match"],
)
@blueprint.response(201, CommandAnswer)
def send(match_id: str) -> Response:
    """Send a command, or a list of them.

    A list is accepted whole or not at all. Send an `Idempotency-Key` of your own with each request, and
    repeat it as it is when no answer comes: it happens once. A refusal names the broken rule and changes
    nothing.
    """
    loaded = find(match_id, newest=False)
    by = required_actor(loaded)
    body = sent()
    ask = Request(by, command_id(by, idempotency_key()), fingerprint(body))
    game = loaded.state.game
    read = or_first_answer(match_id, ask, lambda: (commands_of(game, json_body(body)), if_match()))
    if isinstance(read, Result):
        return _answered(read, by)
    commands, expected = read
    _check_role(by, commands)
    return _answered(_done(loaded, commands, replace(ask, expected=expected)), by)


def _check_role(by: str, commands: Sequence[Any]) -> None:
    """403 where a seat's command comes from the host, or the host's from a seat."""
    for command in commands:
        if isinstance(command, ReleaseSeed) != (by == HOST):
            code = "host_required" if isinstance(command, ReleaseSeed) else "seat_required"
            raise Problem(code, f"{dump_command(command)['type']} is not for {by}.")


def _done(loaded: Loaded, commands: Sequence[Any], ask: Request) -> Result:
    try:
        return play().do(loaded, commands, ask)
    except CommandRefusedError as refused:
        raise of_refusal(refused, loaded.id, len(commands)) from refused
    except StaleVersionError as stale:
        raise of_stale(stale, loaded.id, ask.expected) from stale


def commands_of(game: AnyGame, value: Any) -> list[Any]:
    """The commands of a body, one or a list; 422 with a pointer for each field that is wrong."""
    if not isinstance(value, list):
        return [_command(game, value, "")]
    if not 1 <= len(value) <= LONGEST_BATCH:
        raise invalid(("", f"A batch has 1 to {LONGEST_BATCH} commands."))
    return [_command(game, raw, f"/{index}") for index, raw in enumerate(value)]


def _command(game: AnyGame, raw: Any, pointer: str) -> Any:
    try:
        return load_command(game, raw)
    except ValidationError as flaw:
        raise invalid(*pointed(flaw.normalized_messages(), pointer)) from flaw


def _answered(result: Result, by: str) -> Response:
    first = result.entries[0].version
    headers = {
        "ETag": f'"v{result.loaded.version}"',
        "Location": f"/v1/matches/{result.loaded.id}/log?after={first - 1}&limit={len(result.entries)}",
        "Cache-Control": "no-store",
    }
    if result.replayed:
        headers["Idempotent-Replayed"] = "true"
    return json_response(answer(result.loaded, result.entries, viewer_of(by)), 201, headers)
