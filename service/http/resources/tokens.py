"""Rotating tokens: a new token revokes one that others may have seen."""

from dataclasses import replace

from flask import Response

from service.http.judgement.callers import (
    LONG_KEY,
    find,
    only_if_match,
    or_first_answer,
    play,
    sent,
    stranger,
)
from service.http.judgement.token_endings import ending
from service.http.middleware.rate_limits import admit
from service.http.openapi.api import GUARDING_KEY, Blueprint, stored
from service.http.openapi.responses import RotatedDocument
from service.http.protocol.problems import Problem, refusing
from service.matches.access import rotate_token
from service.matches.aggregate import Loaded
from service.matches.joining import Caller, Seated, seated
from service.matches.requests import Request, Result

blueprint = Blueprint("tokens", __name__, url_prefix="/v1/matches", description="Rotate tokens.")


@blueprint.route("/<match_id>/tokens", methods=["POST"])
@blueprint.operation(
    "rotateToken",
    "token_missing",
    "token_unknown",
    "seat_required",
    "match_not_found",
    "idempotency_key_invalid",
    "if_match_invalid",
    "content_too_large",
    "idempotency_key_reused",
    "stale_version",
    "outcome_unknown",
    "store_unavailable",
    "match_unreadable",
    headers=["Authorization", GUARDING_KEY, "If-Match"],
)
@blueprint.response(201, RotatedDocument)
def rotate(match_id: str) -> Response:
    """Rotate your token.

    You get a new token, which is shown only once, and the one you sent is revoked. To get the same answer
    again, repeat the request with the old token and the same Idempotency-Key: the old token works for nothing
    else.
    """
    loaded, body = find(match_id), sent()
    asked = ending(loaded, body, LONG_KEY)
    caller = stranger(body)
    if isinstance(asked, Result):
        admit()
        return _answered(seated(asked, caller))
    return _answered(_rotate(loaded, asked, caller))


def _rotate(loaded: Loaded, asked: Request, caller: Caller) -> Seated:
    if asked.by.startswith("spectator:"):
        raise Problem(
            "seat_required", "Spectators cannot rotate their token. Ask the host for another invite."
        )
    admit()
    expected = or_first_answer(loaded.id, asked, only_if_match)
    if isinstance(expected, Result):
        return seated(expected, caller)
    with refusing(loaded):
        return rotate_token(play(), loaded, replace(asked, expected=expected), caller)


def _answered(made: Seated) -> Response:
    ((actor, token),) = made.tokens.items()
    loaded = made.result.loaded
    document = {"version": loaded.version, "actor": actor, "token": token}
    return stored(document, made.result, f"/v1/matches/{loaded.id}")
