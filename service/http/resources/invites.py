"""Invites: the host issues codes that let people play, return to their seat, or watch."""

from dataclasses import replace
from typing import Any

from flask import Response

from domain.match.actors import HOST
from domain.match.commands import RevokeInvite
from service.auth.tokens import digest
from service.http.judgement.callers import (
    command_id,
    find,
    fingerprint,
    idempotency_key,
    if_match,
    json_body,
    loaded_with,
    only_if_match,
    or_first_answer,
    play,
    required_actor,
    sent,
    stranger,
    token_digest,
)
from service.http.middleware import rate_limits
from service.http.openapi.api import GUARDING_KEY, Blueprint, body_of, stored
from service.http.openapi.requests import InviteRequest, InvitesQuery, SpectatorRequest
from service.http.openapi.responses import CommandAnswer, CreatedDocument, InviteAnswer, InviteList
from service.http.protocol.problems import Problem, refusing
from service.http.resources.commands import answered, done
from service.http.resources.matches import READ, versioned, with_tokens
from service.matches.access import (
    Invited,
    admit_spectator,
    invite_document,
    invited,
    issue_invite,
    reinvite_seat,
)
from service.matches.aggregate import Loaded
from service.matches.joining import Caller, Seated, seated
from service.matches.requests import Request, Result

blueprint = Blueprint(
    "invites", __name__, url_prefix="/v1/matches", description="Invites to private matches."
)
INVITE, SPECTATOR = InviteRequest(), SpectatorRequest()
OF_HOST = (*READ, "host_required")
WRITE = (
    "idempotency_key_invalid",
    "if_match_invalid",
    "content_too_large",
    "idempotency_key_reused",
    "stale_version",
    "illegal_command",
    "outcome_unknown",
)
WITH_BODY = (*WRITE, "unsupported_media_type", "validation_error")


@blueprint.route("/<match_id>/invites", methods=["POST"])
@blueprint.operation(
    "issueInvite",
    *OF_HOST,
    *WITH_BODY,
    "match_over",
    requestBody=body_of(InviteRequest, "What the invite is for."),
    headers=["Authorization", GUARDING_KEY, "If-Match"],
)
@blueprint.response(201, InviteAnswer)
def issue(match_id: str) -> Response:
    """Invite someone to a private match.

    The invite code in the answer is shown only once, and works once.
    """
    loaded = _of_host(match_id)
    body = sent()
    caller = stranger(body)
    ask = caller.asks(HOST, token=token_digest())
    read = or_first_answer(match_id, ask, lambda: (loaded_with(INVITE, json_body(body)), if_match()))
    if isinstance(read, Result):
        return _issued(invited(read, caller))
    given, expected = read
    with refusing(loaded):
        return _issued(issue_invite(play(), loaded, given, replace(ask, expected=expected), caller))


@blueprint.route("/<match_id>/seats/<int:seat>/invite", methods=["POST"])
@blueprint.operation(
    "reinviteSeat", *OF_HOST, *WRITE, "match_over", headers=["Authorization", GUARDING_KEY, "If-Match"]
)
@blueprint.response(201, InviteAnswer)
def reinvite(match_id: str, seat: int) -> Response:
    """Hand a seat back to a player who has lost its token.

    The old token ends at once, with its streams and webhooks. The code in the answer is shown only once. The
    player sends it as `invite` to `POST …/seats` and gets a new token. The code works once, for this seat, in
    public matches too, and replaces an earlier one. The seat keeps its name, and the match waits for it as
    before. You can hand your own seat back to yourself. Nobody can recover the host token: keep it safe.
    """
    loaded = _of_host(match_id)
    caller = stranger(sent())
    ask = caller.asks(HOST, token=token_digest())
    expected = or_first_answer(match_id, ask, only_if_match)
    if isinstance(expected, Result):
        return _issued(invited(expected, caller))
    with refusing(loaded):
        return _issued(reinvite_seat(play(), loaded, seat, replace(ask, expected=expected), caller))


def _issued(made: Invited) -> Response:
    loaded = made.result.loaded
    document = {"version": loaded.version, "invite": dict(made.invite)}
    return stored(document, made.result, f"/v1/matches/{loaded.id}/invites")


@blueprint.route("/<match_id>/invites")
@blueprint.operation("listInvites", *OF_HOST, "validation_error", headers=["Authorization", "If-None-Match"])
@blueprint.arguments(InvitesQuery(), location="query")
@blueprint.response(200, InviteList)
@blueprint.not_modified()
def list_invites(query: dict[str, Any], match_id: str) -> Response:
    """List the open invites.

    An invite is open until it is used or revoked. The codes are not shown again.
    """
    loaded, limit, after = _of_host(match_id), query["limit"], int(query.get("cursor", "0"))
    found = [invite for invite in loaded.state.invites if invite.number > after]
    following = str(found[limit - 1].number) if len(found) > limit else None
    items = list(map(invite_document, found[:limit]))
    response = versioned(loaded, {"items": items, "version": loaded.version, "next": following})
    if following is not None:
        own = f"/v1/matches/{loaded.id}/invites?limit={limit}&cursor={following}"
        response.headers["Link"] = f'<{own}>; rel="next"'
    return response


@blueprint.route("/<match_id>/invites/<int:invite>", methods=["DELETE"])
@blueprint.operation(
    "revokeInvite", *OF_HOST, *WRITE, headers=["Authorization", "Idempotency-Key", "If-Match"]
)
@blueprint.response(200, CommandAnswer)
def revoke(match_id: str, invite: int) -> Response:
    """Revoke an invite.

    If a spectator came with it, their token is revoked too. If you revoke an invite back to a seat, the seat
    waits until you hand it back again.
    """
    loaded = _of_host(match_id)
    ask = Request(
        HOST, command_id(token_digest(), idempotency_key()), fingerprint(sent()), token=token_digest()
    )
    expected = or_first_answer(match_id, ask, only_if_match)
    if isinstance(expected, Result):
        return answered(expected, HOST, 200)
    return answered(done(loaded, [RevokeInvite(invite)], replace(ask, expected=expected)), HOST, 200)


@blueprint.route("/<match_id>/spectators", methods=["POST"])
@blueprint.operation(
    "admitSpectator",
    "match_not_found",
    "store_unavailable",
    "match_unreadable",
    *(code for code in WITH_BODY if code not in ("if_match_invalid", "stale_version")),
    requestBody=body_of(SpectatorRequest, "Your invite."),
    headers=[GUARDING_KEY],
)
@blueprint.response(201, CreatedDocument)
def admit(match_id: str) -> Response:
    """Watch a private match.

    You need an invite for spectators. The token in the answer is shown only once.
    """
    loaded = find(match_id)
    rate_limits.admit()
    body = sent()
    caller = stranger(body)
    read = or_first_answer(match_id, caller.asks(""), lambda: loaded_with(SPECTATOR, json_body(body)))
    if isinstance(read, Result):
        return with_tokens(seated(read, caller), None)
    return _admitted(loaded, read, caller)


def _admitted(loaded: Loaded, given: dict[str, Any], caller: Caller) -> Response:
    def come() -> Seated:
        with refusing(loaded):
            return admit_spectator(play(), loaded, digest(given["invite"]), caller)

    made = or_first_answer(loaded.id, caller.asks(""), come)
    return with_tokens(seated(made, caller) if isinstance(made, Result) else made, None)


def _of_host(match_id: str) -> Loaded:
    """The match, if the caller is its host; 401 or 403 otherwise."""
    loaded = find(match_id)
    by = required_actor(loaded)
    if by != HOST:
        raise Problem("host_required", f"Only the host can manage invites; you are {by}.")
    rate_limits.admit()
    return loaded
