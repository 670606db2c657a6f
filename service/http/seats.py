"""Sitting down on an open seat."""

from collections.abc import Mapping
from typing import Any

from flask import Response

from domain.match.commands import TakeSeat
from service.asking import CommandRefusedError, Result, StaleVersionError
from service.http.api import GUARDING_KEY, Blueprint, body_of
from service.http.callers import find, if_match, json_body, loaded_with, or_first_answer, play, sent, stranger
from service.http.documents import CreatedDocument
from service.http.matches import with_tokens
from service.http.problems import of_refusal, of_stale
from service.http.requests import TakeSeatRequest
from service.loaded import Loaded
from service.seating import Caller, Seated, seated, take_any_seat, take_seat
from service.views import viewer_of

blueprint = Blueprint("seats", __name__, url_prefix="/v1/matches", description="Seats and their tokens.")
TAKE = TakeSeatRequest()


@blueprint.route("/<match_id>/seats", methods=["POST"])
@blueprint.operation(
    "takeSeat",
    "idempotency_key_invalid",
    "if_match_invalid",
    "match_not_found",
    "illegal_command",
    "stale_version",
    "content_too_large",
    "unsupported_media_type",
    "validation_error",
    "idempotency_key_reused",
    "outcome_unknown",
    "store_unavailable",
    "match_quarantined",
    requestBody=body_of(TakeSeatRequest, "Who sits down, and where."),
    headers=[GUARDING_KEY, "If-Match"],
)
@blueprint.response(201, CreatedDocument)
def take(match_id: str) -> Response:
    """Take an open seat.

    With the last one the match starts. The token in the answer is shown this once.
    """
    loaded, body = find(match_id), sent()
    caller = stranger(body)
    read = or_first_answer(
        match_id, caller.asks(""), lambda: (loaded_with(TAKE, json_body(body)), if_match())
    )
    made = seated(read, caller) if isinstance(read, Result) else _sit_down(loaded, *read, caller)
    (actor,) = made.tokens
    return with_tokens(made, viewer_of(actor))


def _sit_down(loaded: Loaded, given: Mapping[str, Any], expected: int | None, caller: Caller) -> Seated:
    command = TakeSeat(given.get("seat", 0), given["name"], given.get("entropy"))
    take = take_seat if "seat" in given else take_any_seat
    try:
        return take(play(), loaded, command, caller, expected)
    except CommandRefusedError as refused:
        raise of_refusal(refused, loaded.id, batch=1) from refused
    except StaleVersionError as stale:
        raise of_stale(stale, loaded.id, expected) from stale
