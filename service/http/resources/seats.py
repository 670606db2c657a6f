"""Taking and leaving seats."""

from collections.abc import Mapping
from typing import Any

from flask import Response

from domain.match.actors import seat_name
from domain.match.commands import LeaveSeat, ResumeSeat, TakeSeat
from domain.match.invites import invited_back, invited_to_seat
from service.auth.tokens import digest
from service.http.judgement.answers import CreatedDocument, committed, with_tokens
from service.http.judgement.callers import play
from service.http.judgement.writes import Ending, Write
from service.http.openapi.blueprint import Blueprint, body_of
from service.http.openapi.request_headers import GUARDING_KEY
from service.http.openapi.requests import TakeSeatRequest
from service.http.protocol.problems import Problem, invalid
from service.http.protocol.refusals import refusing
from service.matches.documents import CommandAnswer
from service.matches.joining import shown_tokens, take_any_seat, take_seat
from service.matches.requests import Request, Result
from service.matches.views import viewer_of

blueprint = Blueprint("seats", __name__, url_prefix="/v1/matches", description="Seats and their tokens.")


@blueprint.route("/<match_id>/seats", methods=["POST"])
@blueprint.operation(
    "takeSeat",
    "match_over",
    "illegal_command",
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
    return TakeSeatWrite(match_id).judge()


class TakeSeatWrite(Write[Mapping[str, Any]]):
    """Taking an open seat, or returning to one's own, by somebody without a token."""

    schema = TakeSeatRequest()

    def parse(self) -> Mapping[str, Any]:
        """A caller without a required invite is refused here, and learns nothing of the match."""
        asked = dict(super().parse())
        if "invite" in asked:
            asked["invite"] = digest(asked["invite"])
        if (own := invited_back(self.loaded.state, asked.get("invite"))) is not None:
            return _asked_back(asked, own)
        with refusing(self.loaded):
            invited_to_seat(self.loaded.state, asked.get("invite"), asked.get("seat"))
        if "name" not in asked:
            raise invalid(("/name", "Missing data for required field."))
        return asked

    def decide(self, asked: Mapping[str, Any], request: Request) -> Result:
        if "name" not in asked:
            back = ResumeSeat(asked["seat"], asked["invite"])
            return take_seat(play(), self.loaded, back, self.caller, request.expected)
        command = TakeSeat(asked.get("seat", 0), asked["name"], asked.get("entropy"), asked.get("invite"))
        take = take_seat if "seat" in asked else take_any_seat
        return take(play(), self.loaded, command, self.caller, request.expected)

    def answer(self, result: Result) -> Response:
        (actor,) = shown_tokens(result, self.caller)
        return with_tokens(result, self.caller, viewer_of(actor))


def _asked_back(asked: Mapping[str, Any], own: int) -> Mapping[str, Any]:
    """The seat that an invite back is to; it is as its player left it."""
    kept = [name for name in ("name", "entropy") if name in asked]
    if kept:
        detail = "Leave this out: the seat you return to stays as it is."
        raise invalid(*((f"/{name}", detail) for name in kept))
    return {"seat": own, **asked}


@blueprint.route("/<match_id>/seats/<int:seat>", methods=["DELETE"])
@blueprint.operation(
    "leaveSeat", "own_seat_required", "match_over", headers=["Authorization", "Idempotency-Key", "If-Match"]
)
@blueprint.response(200, CommandAnswer)
def leave(match_id: str, seat: int) -> Response:
    """Leave your seat.

    Your token is revoked. Before the start the seat is open again. After the start it stays empty: when it is
    its turn, the match waits until someone takes the seat or the host seats a bot there.
    """
    return LeaveSeatWrite(match_id, seat).judge()


class LeaveSeatWrite(Ending):
    """Leaving a seat, by whoever sits there."""

    def authorize(self) -> None:
        if self.by != seat_name(self.number):
            raise Problem("own_seat_required", f"{self.by} cannot leave seat {self.number}.")

    def decide(self, _asked: None, request: Request) -> Result:
        return play().do(self.loaded, [LeaveSeat(self.number)], request)

    def answer(self, result: Result) -> Response:
        return committed(result, seat_name(self.number), 200)
