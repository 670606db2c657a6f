"""Sitting down on an open seat."""

from flask import Response, request

from domain.match.commands import TakeSeat
from service.http.api import Blueprint, body_of, header
from service.http.callers import find, if_match, json_body, loaded_with, play, stranger
from service.http.matches import with_tokens
from service.http.problems import of_refusal, of_stale
from service.http.schemas import CreatedDocument, TakeSeatRequest
from service.play import CommandRefusedError, StaleVersionError
from service.seating import take_seat
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
    "match_quarantined",
    requestBody=body_of(TakeSeatRequest, "Who sits down, and where."),
    parameters=[header("Idempotency-Key"), header("If-Match")],
)
@blueprint.response(201, CreatedDocument)
def take(match_id: str) -> Response:
    """Take an open seat; with the last one the match starts. The token in the answer is shown this once."""
    loaded, body = find(match_id), request.get_data()
    caller = stranger(body)
    given = loaded_with(TAKE, json_body(body))
    expected = if_match()
    open_seats = (number for number, seat in enumerate(loaded.state.seats) if seat.name is None)
    seat = given["seat"] if "seat" in given else next(open_seats, 0)
    command = TakeSeat(seat, given["name"], given.get("entropy"))
    try:
        seated = take_seat(play(), loaded, command, caller, expected)
    except CommandRefusedError as refused:
        raise of_refusal(refused, match_id, batch=1) from refused
    except StaleVersionError as stale:
        raise of_stale(stale, match_id, expected) from stale
    (actor,) = seated.tokens
    tokens = dict(seated.tokens)
    return with_tokens(seated.result.loaded, tokens, viewer_of(actor), replayed=seated.result.replayed)
