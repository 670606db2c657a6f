"""The one way to play a match: commands, judged in the order of the contract, or as a dry run."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import orjson
from flask import Response, request
from marshmallow import ValidationError

from domain.games import AnyGame
from domain.match.commands import HOST_COMMANDS
from domain.match.rules import HOST
from service.http.judgement.bot_matches import limits_of_commands, stays_peopled
from service.http.judgement.callers import (
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
    token_digest,
)
from service.http.middleware.rate_limits import admit
from service.http.openapi.api import RETURN, Blueprint, body_of, json_response, stored
from service.http.openapi.command_schemas import command_schemas, load_command
from service.http.openapi.responses import CommandAnswer, RehearsalDocument
from service.http.protocol.preferences import applied, with_match
from service.http.protocol.problems import Problem, invalid, pointed, refusing
from service.log.codec import type_name
from service.matches.aggregate import Loaded
from service.matches.dry_run import rehearse
from service.matches.requests import Request, Result, StaleVersionError
from service.matches.revision import Revision
from service.matches.views import answer, viewer_of

blueprint = Blueprint("commands", __name__, url_prefix="/v1/matches", description="Send commands.")
LONGEST_BATCH = 50
HOST_TYPES = frozenset(map(type_name, HOST_COMMANDS))


@blueprint.route("/<match_id>/commands", methods=["POST"])
@blueprint.operation(
    "sendCommands",
    "token_missing",
    "token_unknown",
    "seat_required",
    "host_required",
    "person_required",
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
    "batch_reaches_past_chance",
    "outcome_unknown",
    "store_unavailable",
    "match_unreadable",
    requestBody=body_of(
        "Commands",
        "One command, or a list of up to 50. A list is accepted whole, one commit each, or not at all.",
    ),
    headers=["Authorization", "Idempotency-Key", "If-Match", RETURN, "dry_run"],
)
@blueprint.response(201, CommandAnswer)
@blueprint.alt_response(
    200, schema=RehearsalDocument, description="With `dry_run=true`: what would happen.", success=True
)
def send(match_id: str) -> Response:
    """Send commands.

    Send one command, or a list. A list is accepted whole or not at all, and it may only go as far as you can
    foresee: after a command that draws, reveals something or lets another seat act, the next command is
    refused with `batch_reaches_past_chance`, whatever it is. Send a new `Idempotency-Key` with each request.
    If no answer arrives, send the same request again: it takes effect once. A refusal names the rule that was
    broken and changes nothing. With `Prefer: return=representation` the answer also has the match, as you see
    it at the version of the answer. With `dry_run=true` nothing happens, and the Idempotency-Key is ignored.
    """
    rehearsing = request.args.get("dry_run") == "true"
    loaded = find(match_id, newest=rehearsing)
    by, body = required_actor(loaded), sent()
    _check_role(match_id, loaded.state.game, by, body)
    admit(*limits_of_commands(loaded, body))
    key = None if rehearsing else command_id(token_digest(), idempotency_key())
    ask = Request(by, key, fingerprint(body), token=token_digest(), peopled=stays_peopled(loaded))
    read = or_first_answer(match_id, ask, lambda: _asked(loaded.state.game, body))
    if isinstance(read, Result):
        return answered(read, by, whole=True)
    commands, expected = read
    if rehearsing:
        return _rehearsed(loaded, commands, replace(ask, expected=expected))
    return answered(done(loaded, commands, replace(ask, expected=expected)), by, whole=True)


def _check_role(match_id: str, game: AnyGame, by: str, body: bytes) -> None:
    """403 if a command for seats does not come from a seat, or one for the host not from the host.

    Only the type is read, before anything else in the body; an unknown type is refused later.
    """
    for named in _types(body):
        wanted = HOST if named in HOST_TYPES else "seat" if named in command_schemas(game) else by
        if not by.startswith(wanted):
            required_actor(find(match_id))  # a token that another process revoked: 401
            raise Problem(f"{wanted}_required", f"{by} cannot send {named}.")


def _types(body: bytes) -> list[str]:
    try:
        value = orjson.loads(body)
    except ValueError:
        return []
    raws = value if isinstance(value, list) else [value]
    named = (raw.get("type") for raw in raws if isinstance(raw, dict))
    return [word for word in named if isinstance(word, str)]


def _asked(game: AnyGame, body: bytes) -> tuple[list[Any], Revision | None]:
    """The commands, and the version they are for."""
    if request.args.get("dry_run", "false") not in ("true", "false"):
        raise invalid(("/dry_run", "Must be true or false."))
    return commands_of(game, json_body(body)), if_match()


def _rehearsed(loaded: Loaded, commands: Sequence[Any], ask: Request) -> Response:
    """What the commands would cause, or the refusal they would get."""
    with refusing(loaded, len(commands)):
        if ask.expected is not None and not ask.expected.names(loaded):
            raise StaleVersionError(ask.expected, Revision.of(loaded))
        told = rehearse(loaded, commands, ask.by, peopled=ask.peopled)
    document = {
        "dry_run": True,
        "version": loaded.version,
        "accepted": told.accepted,
        "events": told.events,
        "certain": told.certain,
        "status": told.after.status if told.certain else None,
        "to_act": told.after.to_act if told.certain else None,
    }
    return json_response(document, headers={"Cache-Control": "no-store"})


def done(loaded: Loaded, commands: Sequence[Any], ask: Request) -> Result:
    """Plays commands; 409 if a rule refuses one, 412 if the version is not current."""
    with refusing(loaded, len(commands)):
        return play().do(loaded, commands, ask)


def commands_of(game: AnyGame, value: Any) -> list[Any]:
    """The commands of a body, one or a list; 422 with a pointer for each field that is wrong."""
    if not isinstance(value, list):
        return [_command(game, value, "")]
    if not 1 <= len(value) <= LONGEST_BATCH:
        raise invalid(("", f"Send 1 to {LONGEST_BATCH} commands."))
    return [_command(game, raw, f"/{index}") for index, raw in enumerate(value)]


def _command(game: AnyGame, raw: Any, pointer: str) -> Any:
    try:
        return load_command(game, raw)
    except ValidationError as flaw:
        raise invalid(*pointed(flaw.normalized_messages(), pointer)) from flaw


def answered(result: Result, by: str, status: int = 201, *, whole: bool = False) -> Response:
    """The commits of a result, as the caller may see them; `whole`: with the match, if that is preferred."""
    first = result.entries[0].version
    location = f"/v1/matches/{result.loaded.id}/log?after={first - 1}&limit={len(result.entries)}"
    viewer = viewer_of(by)
    document = answer(result.loaded, result.entries, viewer)
    if whole:
        document = with_match(document, result.loaded, viewer)
    return applied(stored(document, result, location, status), document)
