"""Taking seats, leaving them, and letting bots play; the same before the start and after.

After the start a seat that was left stays empty: when it is its turn, the match waits until someone takes the
seat over as it is, or the host gives it to a bot.
"""

from typing import Any

from domain.errors import MatchOver, RuleBroken
from domain.game import Story
from domain.match.actors import HOST, seat_name
from domain.match.commands import LeaveSeat, SeatBot, StartMatch, TakeSeat
from domain.match.events import BotSeated, InviteUsed, SeatLeft, SeatTaken
from domain.match.invites import invited_to_seat
from domain.match.start import start_if_full
from domain.match.state import Match
from domain.refusals import MatchRefusal


def take_seat(story: Story[Match, Any], command: TakeSeat, by: str, seed: bytes) -> None:
    """Take a free seat; in a private match with an invite, which is used up."""
    match = story.state
    if by != seat_name(command.seat):
        raise RuleBroken(MatchRefusal.OWN_SEAT_ONLY, "Use that seat's own token.")
    invite = invited_to_seat(match, command.invite, command.seat)
    if command.seat not in match.free:
        raise RuleBroken(MatchRefusal.SEAT_TAKEN, _open_seats(match, command.seat))
    _still_played(match)
    if match.started and command.entropy is not None:
        raise RuleBroken(
            MatchRefusal.TOO_LATE_FOR_ENTROPY,
            "The match has started, so the draws are fixed. Leave out entropy.",
        )
    if invite is not None:
        story.tell(InviteUsed(invite))
    story.tell(SeatTaken(command.seat, command.name, command.entropy))
    start_if_full(story, seed)


def leave_seat(match: Match, command: LeaveSeat, by: str) -> SeatLeft:
    """Leave your own seat, before the end."""
    if by != seat_name(command.seat) or not match.admits(by):
        raise RuleBroken(MatchRefusal.OWN_SEAT_ONLY, "Only the player who sits there can leave a seat.")
    _still_played(match)
    return SeatLeft(command.seat)


def seat_bot(story: Story[Match, Any], command: SeatBot, by: str, seed: bytes) -> None:
    """A bot takes an open or empty seat, or a player's place."""
    match = story.state
    if by != HOST:
        raise RuleBroken(MatchRefusal.HOST_ONLY, "Only the host can seat a bot.")
    _still_played(match)
    people = [number for number, seat in enumerate(match.seats) if seat.kind == "human"]
    if command.seat not in people:
        raise RuleBroken(
            MatchRefusal.NO_PLAYERS_SEAT,
            f"A bot cannot take seat {command.seat}. It can take: {', '.join(map(str, people)) or 'none'}.",
        )
    story.tell(BotSeated(command.seat, command.bot))
    start_if_full(story, seed)


def start_match(story: Story[Match, Any], command: StartMatch, by: str, seed: bytes) -> None:
    """Bots take all open seats, and the match starts."""
    match = story.state
    if by != HOST:
        raise RuleBroken(MatchRefusal.HOST_ONLY, "Only the host can start the match before it is full.")
    if match.status != "open":
        raise RuleBroken(
            MatchRefusal.NOT_OPEN, f"The match {'has already started' if match.started else 'is closed'}."
        )
    for seat in match.free:
        story.tell(BotSeated(seat, command.bot))
    start_if_full(story, seed)


def _open_seats(match: Match, asked: int) -> str:
    """Why a seat cannot be taken, and which can."""
    if not match.free:
        return "No seat is open."
    return f"Seat {asked} is not open. Open seats: {', '.join(map(str, match.free))}."


def _still_played(match: Match) -> None:
    if match.status not in ("open", "playing"):
        raise MatchOver("The match is over. Its seats cannot change.")
