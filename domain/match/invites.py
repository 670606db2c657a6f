"""Invites: the host issues and revokes them, and each is good for one use.

In a private match, an invite lets somebody take a seat or watch. In any match, it lets a player who lost the
token of a seat return to it.
"""

from typing import Any

from domain.errors import MatchOver, RuleBroken, listed
from domain.game import Story
from domain.match.actors import HOST, seat_name, spectator_name
from domain.match.commands import AdmitSpectator, IssueInvite, ReinviteSeat, ResumeSeat, RevokeInvite
from domain.match.events import (
    InviteIssued,
    InviteRevoked,
    InviteUsed,
    SeatReinvited,
    SeatResumed,
    SpectatorAdmitted,
)
from domain.match.state import Invite, Match
from domain.refusals import MatchRefusal

PURPOSES = {"seat": "for a seat", "return": "to return to a seat", "spectator": "for a spectator"}


def issue_invite(match: Match, command: IssueInvite, by: str) -> InviteIssued:
    """A new invite, numbered in the order of issue."""
    if by != HOST:
        raise RuleBroken(MatchRefusal.HOST_ONLY, "Only the host can issue invites.")
    if not match.created.private:
        raise RuleBroken(MatchRefusal.NOT_PRIVATE, "The match is public, so you need no invites.")
    players = [number for number, seat in enumerate(match.seats) if seat.kind != "automaton"]
    if command.seat is not None and (command.to != "seat" or command.seat not in players):
        raise RuleBroken(
            MatchRefusal.NO_SUCH_SEAT,
            f"An invite is for a spectator, or for one of these seats: {listed(players)}.",
        )
    if command.to == "seat" and match.status not in ("open", "playing"):
        raise MatchOver("The match is over. You can only invite spectators.")
    _check_new(match, command.digest)
    return InviteIssued(match.issued + 1, command.digest, command.to, command.seat)


def reinvite_seat(match: Match, command: ReinviteSeat, by: str) -> SeatReinvited:
    """An invite back for the player of a seat, whose token and earlier invite back end."""
    if by != HOST:
        raise RuleBroken(MatchRefusal.HOST_ONLY, "Only the host can hand a seat back to a player.")
    if match.status not in ("open", "playing"):
        raise MatchOver("The match is over. Its seats cannot change.")
    players = [number for number, seat in enumerate(match.seats) if seat.player]
    if command.seat not in players:
        raise RuleBroken(
            MatchRefusal.NO_PLAYER_SEATED,
            f"No player sits on seat {command.seat}. Seats of players: {listed(players)}.",
        )
    _check_new(match, command.digest)
    return SeatReinvited(command.seat, match.issued + 1, command.digest)


def resume_seat(story: Story[Match, Any], command: ResumeSeat, by: str) -> None:
    """The player who has the code of an invite back returns to the seat, which is as it was."""
    match = story.state
    if by != seat_name(command.seat):
        raise RuleBroken(MatchRefusal.OWN_SEAT_ONLY, "Use that seat's own token.")
    invite = _open_invite(match, command.invite, "return")
    if invite.seat != command.seat:
        raise RuleBroken(MatchRefusal.INVITE_FOR_OTHER_SEAT, f"This invite is for seat {invite.seat}.")
    if match.status not in ("open", "playing"):
        raise MatchOver("The match is over. Its seats cannot change.")
    story.tell(InviteUsed(invite.number))
    story.tell(SeatResumed(command.seat))


def revoke_invite(match: Match, command: RevokeInvite, by: str) -> InviteRevoked:
    """Revoke an invite that is open, or that a spectator came with."""
    if by != HOST:
        raise RuleBroken(MatchRefusal.HOST_ONLY, "Only the host can revoke an invite.")
    revocable = sorted({*(invite.number for invite in match.invites), *match.spectators})
    if command.invite not in revocable:
        raise RuleBroken(
            MatchRefusal.INVITE_UNKNOWN, f"There is no such invite. You can revoke: {listed(revocable)}."
        )
    return InviteRevoked(command.invite)


def admit_spectator(story: Story[Match, Any], command: AdmitSpectator, by: str) -> None:
    """The holder of an invite for a spectator becomes the spectator of its number."""
    invite = invited_to_look_on(story.state, command.invite)
    if by != spectator_name(invite.number):
        raise RuleBroken(
            MatchRefusal.OWN_INVITE_ONLY,
            f"Invite {invite.number} is for {spectator_name(invite.number)} only.",
        )
    story.tell(InviteUsed(invite.number))
    story.tell(SpectatorAdmitted(invite.number))


def invited_to_seat(match: Match, digest: str | None, seat: int | None) -> int | None:
    """The number of the invite for taking a seat (None: any seat); None if no invite is required."""
    if digest is None:
        if match.created.private:
            raise RuleBroken(
                MatchRefusal.INVITE_REQUIRED, "The match is private. Ask its host for an invite code."
            )
        return None
    invite = _open_invite(match, digest, "seat")
    if seat is not None and invite.seat not in (None, seat):
        raise RuleBroken(MatchRefusal.INVITE_FOR_OTHER_SEAT, f"This invite is for seat {invite.seat}.")
    return invite.number


def invited_to_look_on(match: Match, digest: str) -> Invite:
    """The open invite for a spectator with this digest."""
    return _open_invite(match, digest, "spectator")


def invited_back(match: Match, digest: str | None) -> int | None:
    """The seat that an invite lets its player return to; None where it is not an open invite back."""
    return next((each.seat for each in match.invites if (each.digest, each.to) == (digest, "return")), None)


def _check_new(match: Match, digest: str) -> None:
    if any(invite.digest == digest for invite in match.invites):
        raise RuleBroken(MatchRefusal.INVITE_KNOWN, "An invite with this code already exists.")


def _open_invite(match: Match, digest: str, to: str) -> Invite:
    for invite in match.invites:
        if (invite.digest, invite.to) == (digest, to):
            return invite
    raise RuleBroken(
        MatchRefusal.INVITE_UNKNOWN, f"This is not an invite {PURPOSES[to]}, or it was used or revoked."
    )
