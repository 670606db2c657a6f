"""Rotating tokens: a new token revokes one that others may have seen."""

from typing import Annotated, TypedDict

from flask import Response

from domain.match.actors import Spectator, read_actor
from service.http.judgement.callers import play
from service.http.judgement.sent import LONG_KEY
from service.http.judgement.writes import Ending
from service.http.openapi.blueprint import Blueprint
from service.http.openapi.request_headers import GUARDING_KEY
from service.http.protocol.json_answers import stored
from service.http.protocol.problems import Problem
from service.matches.access import rotate_token
from service.matches.joining import shown_tokens
from service.matches.requests import Request, Result

blueprint = Blueprint("tokens", __name__, url_prefix="/v1/matches", description="Rotate tokens.")


class RotatedDocument(TypedDict):
    """A new token, which is shown only once. The old one is revoked."""

    version: int
    actor: Annotated[str, "Whose token it is: `host`, `seat:0`, …"]
    token: str


@blueprint.route("/<match_id>/tokens", methods=["POST"])
@blueprint.operation("rotateToken", "seat_required", headers=["Authorization", GUARDING_KEY, "If-Match"])
@blueprint.response(201, RotatedDocument)
def rotate(match_id: str) -> Response:
    """Rotate your token.

    You get a new token, which is shown only once, and the one you sent is revoked. To get the same answer
    again, repeat the request with the old token and the same Idempotency-Key: the old token works for nothing
    else.
    """
    return RotateTokenWrite(match_id).judge()


class RotateTokenWrite(Ending):
    """A new token for the one that it comes with."""

    least_key = LONG_KEY

    def authorize(self) -> None:
        if isinstance(read_actor(self.by), Spectator):
            detail = "Spectators cannot rotate their token. Ask the host for another invite."
            raise Problem("seat_required", detail)

    def decide(self, _asked: None, request: Request) -> Result:
        return rotate_token(play(), self.loaded, request, self.caller)

    def answer(self, result: Result) -> Response:
        ((actor, token),) = shown_tokens(result, self.caller).items()
        document: RotatedDocument = {"version": result.loaded.version, "actor": actor, "token": token}
        return stored(document, result, f"/v1/matches/{result.loaded.id}")
