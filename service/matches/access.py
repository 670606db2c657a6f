"""Access to a match after its creation: rotated tokens, and invites.

Whatever changes who may do what is a commit, and the digest in the head changes in the same append.
"""

from collections.abc import Mapping
from dataclasses import replace
from secrets import token_hex
from typing import Annotated, Any, Literal, TypedDict

from domain.match.actors import spectator_name
from domain.match.commands import AdmitSpectator, IssueInvite, ReinviteSeat, RotateToken
from domain.match.invites import invited_to_look_on
from domain.match.state import Invite
from service.auth import tokens
from service.matches.aggregate import Aggregate
from service.matches.joining import Caller
from service.matches.play import Play
from service.matches.requests import Request, Result


class InviteDocument(TypedDict):
    """An open invite."""

    id: int
    to: Annotated[
        Literal["seat", "return", "spectator"],
        "What it is for: taking a seat, returning to your own seat, or watching.",
    ]
    seat: Annotated[int | None, "null: for any seat, or for a spectator."]


class IssuedInvite(InviteDocument):
    """An invite with its code, which is shown only once."""

    code: Annotated[str, "The invite code. It works once."]


def rotate_token(play: Play, loaded: Aggregate, request: Request, caller: Caller) -> Result:
    """A new token for the holder of the old one, which is revoked. Raises as `Play.do`."""
    nonce = token_hex(32)
    fields = {tokens.FIELD + request.by: tokens.digest(caller.token(nonce, request.by))}
    return play.do(loaded, [RotateToken()], replace(request, nonce=nonce, fields=fields))


def issue_invite(
    play: Play, loaded: Aggregate, given: Mapping[str, Any], request: Request, caller: Caller
) -> Result:
    """A new invite, `to` a seat or a spectator. As `Play.do`."""
    nonce = token_hex(32)
    command = IssueInvite(tokens.digest(caller.invite_code(nonce)), given["to"], given.get("seat"))
    return play.do(loaded, [command], replace(request, nonce=nonce))


def reinvite_seat(play: Play, loaded: Aggregate, seat: int, request: Request, caller: Caller) -> Result:
    """An invite back to a seat for its player, whose token ends in the same commit. As `Play.do`."""
    nonce = token_hex(32)
    command = ReinviteSeat(seat, tokens.digest(caller.invite_code(nonce)))
    return play.do(loaded, [command], replace(request, nonce=nonce))


def shown_invite(result: Result, caller: Caller) -> IssuedInvite:
    """The invite that a commit issued, with the code, which is shown this once: the first time or again."""
    (issued,) = result.entries[0].public()["events"]
    to = issued.get("to", "return")  # `seat_reinvited` says it by its type
    invite = invite_document(Invite(issued["invite"], issued["digest"], to, issued["seat"]))
    return {**invite, "code": caller.invite_code(result.nonce)}


def invite_document(invite: Invite) -> InviteDocument:
    """An invite as its host may see it, without the code, which nobody keeps."""
    return {"id": invite.number, "to": invite.to, "seat": invite.seat}


def admit_spectator(play: Play, loaded: Aggregate, invite: str, caller: Caller) -> Result:
    """A token for somebody with an invite to watch (by the digest of its code).

    RuleBroken if there is no such invite; otherwise raises as `Play.do`.
    """
    actor, nonce = spectator_name(invited_to_look_on(loaded.state, invite).number), token_hex(32)
    fields = {tokens.FIELD + actor: tokens.digest(caller.token(nonce, actor))}
    request = caller.asks(actor, nonce=nonce, fields=fields)
    return play.do(loaded, [AdmitSpectator(invite)], request)
