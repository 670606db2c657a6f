"""Taking and leaving seats."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flask import Response

from domain.match.actors import seat_name
from domain.match.commands import LeaveSeat, ResumeSeat, TakeSeat
from domain.match.invites import invited_back, invited_to_seat
from service.auth.tokens import digest
from service.http.judgement.callers import (
    find,
    if_match,
    json_body,
    loaded_with,
    only_if_match,
    or_first_answer,
    play,
    sent,
    stranger,
)
from service.http.judgement.token_endings import ending
from service.http.middleware.rate_limits import admit
from service.http.openapi.api import GUARDING_KEY, Blueprint, body_of
from service.http.openapi.requests import TakeSeatRequest
from service.http.openapi.responses import CommandAnswer, CreatedDocument
from service.http.protocol.problems import Problem, invalid, refusing
from service.http.resources.commands import answered, done
from service.http.resources.matches import with_tokens
from service.matches.aggregate import Loaded
from service.matches.joining import Caller, Seated, seated, take_any_seat, take_seat
from service.matches.requests import Result
from service.matches.revision import Revision
from service.matches.views import viewer_of

blueprint = Blueprint("seats", __name__, url_prefix="/v1/matches", description="Seats and their tokens.")
TAKE = TakeSeatRequest()


@blueprint.route("/<match_id>/seats", methods=["POST"])
@blueprint.operation(
    "takeSeat",
    "match_over",
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
    "match_unreadable",
    requestBody=body_of(TakeSeatRequest, "Your name, and the seat you want."),
    headers=[GUARDING_KEY, "If-Match"],
)
@blueprint.response(201, CreatedDocument)
def take(match_id: str) -> Response:
    """Take an open seat.

    The match starts when its last open seat is taken. The token in the answer is shown only once. After the
    start you can take over a seat that its player left. A private match needs an `invite`.

    If you lost the token of your own seat, ask the host for an invite back to it (`reinviteSeat`) and send
    its code as `invite`, without a `name`: the seat keeps its name, and you get a new token.

    Read the match's `seed.by` first. If it is `creator`, the creator can know every draw before it happens,
    including what is dealt to you face down, but cannot see what you choose in secret. If you send `entropy`
    before the start, it is mixed into the draws, so that no one person chose them. It does not hide them from
    anyone who knows the seed.
    """
    loaded = find(match_id)
    admit()
    body = sent()
    caller = stranger(body)
    read = or_first_answer(match_id, caller.asks(""), lambda: (_asked(loaded, body), if_match()))
    made = seated(read, caller) if isinstance(read, Result) else _sit_down(loaded, *read, caller)
    (actor,) = made.tokens
    return with_tokens(made, viewer_of(actor))


def _asked(loaded: Loaded, body: bytes) -> Mapping[str, Any]:
    """The request; a caller without a required invite is refused here, and learns nothing of the match."""
    given: dict[str, Any] = loaded_with(TAKE, json_body(body))
    if "invite" in given:
        given["invite"] = digest(given["invite"])
    if (own := invited_back(loaded.state, given.get("invite"))) is not None:
        return _asked_back(given, own)
    with refusing(loaded):
        invited_to_seat(loaded.state, given.get("invite"), given.get("seat"))
    if "name" not in given:
        raise invalid(("/name", "Missing data for required field."))
    return given


def _asked_back(given: Mapping[str, Any], own: int) -> Mapping[str, Any]:
    """The seat that an invite back is to; it is as its player left it."""
    kept = [name for name in ("name", "entropy") if name in given]
    if kept:
        told = "This invite gives you your own seat back as it was: leave this out."
        raise invalid(*((f"/{name}", told) for name in kept))
    return {"seat": own, **given}


def _sit_down(loaded: Loaded, given: Mapping[str, Any], expected: Revision | None, caller: Caller) -> Seated:
    if "name" not in given:
        with refusing(loaded):
            return take_seat(play(), loaded, ResumeSeat(given["seat"], given["invite"]), caller, expected)
    command = TakeSeat(given.get("seat", 0), given["name"], given.get("entropy"), given.get("invite"))
    take = take_seat if "seat" in given else take_any_seat
    with refusing(loaded):
        return take(play(), loaded, command, caller, expected)


@blueprint.route("/<match_id>/seats/<int:seat>", methods=["DELETE"])
@blueprint.operation(
    "leaveSeat",
    "token_missing",
    "token_unknown",
    "own_seat_required",
    "idempotency_key_invalid",
    "if_match_invalid",
    "content_too_large",
    "match_not_found",
    "match_over",
    "stale_version",
    "idempotency_key_reused",
    "outcome_unknown",
    "store_unavailable",
    "match_unreadable",
    headers=["Authorization", "Idempotency-Key", "If-Match"],
)
@blueprint.response(200, CommandAnswer)
def leave(match_id: str, seat: int) -> Response:
    """Leave your seat.

    Your token is revoked. Before the start the seat is open again. After the start it stays empty: when it is
    its turn, the match waits until someone takes the seat or the host seats a bot there.
    """
    loaded, body = find(match_id), sent()
    asked, own = ending(loaded, body), seat_name(seat)
    if isinstance(asked, Result):
        admit()
        return answered(asked, own, 200)
    if asked.by != own:
        raise Problem("own_seat_required", f"{asked.by} cannot leave seat {seat}.")
    admit()
    expected = or_first_answer(match_id, asked, only_if_match)
    if isinstance(expected, Result):
        return answered(expected, own, 200)
    return answered(done(loaded, [LeaveSeat(seat)], replace(asked, expected=expected)), own, 200)
