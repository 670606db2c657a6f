"""Invites to a private match: issued and revoked by the host, each good for one seat or one spectator."""

from typing import Any

from domain.errors import MatchOver, RuleBroken
from domain.game import Story
from domain.match.actors import HOST, spectator_name
from domain.match.commands import AdmitSpectator, IssueInvite, RevokeInvite
from domain.match.events import InviteIssued, InviteRevoked, InviteUsed, SpectatorAdmitted
from domain.match.state import Invite, Match


def issue_invite(match: Match, command: IssueInvite, by: str) -> InviteIssued:
    """A new invite, numbered in the order of issue."""
    if by != HOST:
        raise RuleBroken("host_only", "Only who created the match invites to it.")
    if not match.created.private:
        raise RuleBroken("not_private", "The match is public: nobody needs an invite.")
    players = [number for number, seat in enumerate(match.seats) if seat.kind != "automaton"]
    if command.seat is not None and (command.to != "seat" or command.seat not in players):
        raise RuleBroken("no_such_seat", f"Invite to look on, or to a seat of {players}.")
    if command.to == "seat" and match.status not in ("open", "playing"):
        raise MatchOver("match_over", "The match is over; one can be invited to look on only.")
    if any(invite.digest == command.digest for invite in match.invites):
        raise RuleBroken("invite_known", "There is an invite with this code already.")
    return InviteIssued(match.issued + 1, command.digest, command.to, command.seat)


def revoke_invite(match: Match, command: RevokeInvite, by: str) -> InviteRevoked:
    """An open invite, or one that somebody looks on with, is good for nothing any more."""
    if by != HOST:
        raise RuleBroken("host_only", "Only who created the match takes back an invite.")
    revocable = sorted({*(invite.number for invite in match.invites), *match.spectators})
    if command.invite not in revocable:
        raise RuleBroken("invite_unknown", f"Invites that can be revoked: {revocable or 'none'}.")
    return InviteRevoked(command.invite)


def admit_spectator(story: Story[Match, Any], command: AdmitSpectator, by: str) -> None:
    """Whoever has the code of an invite to look on becomes the spectator of its number."""
    invite = invited_to_look_on(story.state, command.invite)
    if by != spectator_name(invite.number):
        raise RuleBroken("own_invite_only", "Who comes with an invite acts under its number.")
    story.tell(InviteUsed(invite.number))
    story.tell(SpectatorAdmitted(invite.number))


def invited_to_seat(match: Match, digest: str | None, seat: int | None) -> int | None:
    """The number of the invite that lets somebody take a seat (None: any); None where none is needed."""
    if digest is None:
        if match.created.private:
            raise RuleBroken("invite_required", "The match is private: its host gives out invite codes.")
        return None
    invite = _open_invite(match, digest, "seat")
    if seat is not None and invite.seat not in (None, seat):
        raise RuleBroken("invite_for_other_seat", f"The invite is to seat {invite.seat}.")
    return invite.number


def invited_to_look_on(match: Match, digest: str) -> Invite:
    """The open invite to look on with this digest."""
    return _open_invite(match, digest, "spectator")


def _open_invite(match: Match, digest: str, to: str) -> Invite:
    for invite in match.invites:
        if (invite.digest, invite.to) == (digest, to):
            return invite
    raise RuleBroken("invite_unknown", f"This is no invite to a {to}, or it was used or revoked.")
