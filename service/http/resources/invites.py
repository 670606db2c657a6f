"""Invites: the host issues codes that let people play, return to their seat, or watch."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, TypeVar

from flask import Response

from domain.errors import RuleBroken
from domain.match.actors import HOST
from domain.match.commands import RevokeInvite
from domain.match.invites import invited_to_look_on
from domain.refusals import MatchRefusal
from service.auth.tokens import digest
from service.http.judgement.answers import CreatedDocument, InviteAnswer, committed, with_code, with_tokens
from service.http.judgement.callers import play, shown_digest
from service.http.judgement.reads import hosted, versioned
from service.http.judgement.writes import HostWrite, Write
from service.http.openapi.blueprint import Blueprint, body_of
from service.http.openapi.queries import InvitesQuery
from service.http.openapi.request_headers import GUARDING_KEY
from service.http.openapi.requests import InviteRequest, SpectatorRequest
from service.http.protocol.refusals import refusing
from service.matches.access import (
    InviteDocument,
    admit_spectator,
    invite_document,
    issue_invite,
    reinvite_seat,
)
from service.matches.documents import CommandAnswer, NextPage
from service.matches.requests import Request, Result

Asked = TypeVar("Asked")
blueprint = Blueprint(
    "invites", __name__, url_prefix="/v1/matches", description="Invites to private matches."
)


class InviteList(TypedDict):
    """A page of the open invites of a match, oldest first."""

    items: Sequence[InviteDocument]
    version: int
    next: NextPage


@blueprint.route("/<match_id>/invites", methods=["POST"])
@blueprint.operation(
    "issueInvite",
    "host_required",
    "illegal_command",
    "match_over",
    requestBody=body_of(InviteRequest, "What the invite is for."),
    headers=["Authorization", GUARDING_KEY, "If-Match"],
)
@blueprint.response(201, InviteAnswer)
def issue(match_id: str) -> Response:
    """Invite someone to a private match.

    The invite code in the answer is shown only once, and works once.
    """
    return IssueInviteWrite(match_id).judge()


class IssuingWrite(HostWrite[Asked]):
    """A write of the host's that hands out a code."""

    def request(self) -> Request:
        return self.caller.asks(HOST, token=shown_digest())

    def answer(self, result: Result) -> Response:
        return with_code(result, self.caller)


class IssueInviteWrite(IssuingWrite[Mapping[str, Any]]):
    """A new invite, to a seat or for a spectator."""

    schema = InviteRequest()

    def decide(self, asked: Mapping[str, Any], request: Request) -> Result:
        return issue_invite(play(), self.loaded, asked, request, self.caller)


@blueprint.route("/<match_id>/seats/<int:seat>/invite", methods=["POST"])
@blueprint.operation(
    "reinviteSeat",
    "host_required",
    "illegal_command",
    "match_over",
    headers=["Authorization", GUARDING_KEY, "If-Match"],
)
@blueprint.response(201, InviteAnswer)
def reinvite(match_id: str, seat: int) -> Response:
    """Hand a seat back to a player who has lost its token.

    The old token ends at once, with its streams and webhooks. The code in the answer is shown only once. The
    player sends it as `invite` to `POST …/seats` and gets a new token. The code works once, for this seat, in
    public matches too, and replaces an earlier one. The seat keeps its name, and the match waits for it as
    before. If you are the host, you can hand your own seat back to yourself. Nobody can recover the host
    token: keep it safe.
    """
    return ReinviteSeatWrite(match_id, seat).judge()


class ReinviteSeatWrite(IssuingWrite[None]):
    """An invite back to a seat, whose token ends."""

    def decide(self, _asked: None, request: Request) -> Result:
        return reinvite_seat(play(), self.loaded, self.number, request, self.caller)


@blueprint.route("/<match_id>/invites")
@blueprint.operation("listInvites", "host_required", headers=["Authorization", "If-None-Match"])
@blueprint.arguments(InvitesQuery(), location="query")
@blueprint.response(200, InviteList)
@blueprint.not_modified()
def list_invites(query: dict[str, Any], match_id: str) -> Response:
    """List the open invites.

    An invite is open until it is used or revoked. The codes are not shown again.
    """
    loaded, limit, after = hosted(match_id), query["limit"], int(query.get("cursor", "0"))
    found = [invite for invite in loaded.state.invites if invite.number > after]
    following = str(found[limit - 1].number) if len(found) > limit else None
    items = list(map(invite_document, found[:limit]))
    page: InviteList = {"items": items, "version": loaded.version, "next": following}
    response = versioned(loaded, page)
    if following is not None:
        own = f"/v1/matches/{loaded.id}/invites?limit={limit}&cursor={following}"
        response.headers["Link"] = f'<{own}>; rel="next"'
    return response


@blueprint.route("/<match_id>/invites/<int:invite>", methods=["DELETE"])
@blueprint.operation(
    "revokeInvite",
    "host_required",
    "illegal_command",
    headers=["Authorization", "Idempotency-Key", "If-Match"],
)
@blueprint.response(200, CommandAnswer)
def revoke(match_id: str, invite: int) -> Response:
    """Revoke an invite.

    If a spectator came with it, their token is revoked too. If you revoke an invite back to a seat, the seat
    waits until you hand it back again.
    """
    return RevokeInviteWrite(match_id, invite).judge()


class RevokeInviteWrite(HostWrite[None]):
    """An invite, and the token of a spectator who came with it, are good for nothing any more."""

    def decide(self, _asked: None, request: Request) -> Result:
        return play().do(self.loaded, [RevokeInvite(self.number)], request)

    def answer(self, result: Result) -> Response:
        return committed(result, HOST, 200)


@blueprint.route("/<match_id>/spectators", methods=["POST"])
@blueprint.operation(
    "admitSpectator",
    "illegal_command",
    requestBody=body_of(SpectatorRequest, "Your invite."),
    headers=[GUARDING_KEY],
)
@blueprint.response(201, CreatedDocument)
def admit(match_id: str) -> Response:
    """Watch a private match.

    You need an invite for spectators. The token in the answer is shown only once.
    """
    return AdmitSpectatorWrite(match_id).judge()


class AdmitSpectatorWrite(Write[str]):
    """A token for somebody who comes with an invite to watch, by the digest of its code."""

    conditional = False

    def parse(self) -> str:
        invite = digest(self.body.read(SpectatorRequest())["invite"])
        with refusing(self.loaded):
            if not self.loaded.state.created.private:
                raise RuleBroken(
                    MatchRefusal.NOT_PRIVATE, "The match is public: you need no invite to watch it."
                )
            invited_to_look_on(self.loaded.state, invite)
        return invite

    def decide(self, asked: str, _request: Request) -> Result:
        return admit_spectator(play(), self.loaded, asked, self.caller)

    def answer(self, result: Result) -> Response:
        return with_tokens(result, self.caller, None)
