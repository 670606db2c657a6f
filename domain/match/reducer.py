"""The match after an event: seats, invites, score and end here, everything else by the game's own reducer."""

from collections.abc import Iterable
from functools import reduce
from typing import Any

from domain.changed import replace
from domain.game import Edition
from domain.games import AnyGame
from domain.match.commands import Seat
from domain.match.events import (
    BotSeated,
    InviteIssued,
    InviteRevoked,
    InviteUsed,
    MatchClosed,
    MatchCreated,
    MatchScored,
    MatchStarted,
    SeatLeft,
    SeatReinvited,
    SeatResumed,
    SeatTaken,
    SeedReleased,
    SpectatorAdmitted,
    TokenRotated,
)
from domain.match.state import Invite, Match, table


def begin(game: AnyGame, edition: Edition, created: MatchCreated) -> Match:
    """The match after its first event."""
    position = game.initial(game.box(edition), table(created))
    return Match(game, edition, created, created.seats, position)


def evolve(match: Match, event: Any) -> Match:  # noqa: PLR0911  one arm an event
    """The match after any later event."""
    match event:
        case MatchStarted():
            return replace(match, started=True)
        case MatchScored(seed=seed, sealing_key=key):
            return replace(match, scored=event, seed=seed, sealing_key=key)
        case MatchClosed(seed, key):
            return replace(match, closed=True, seed=seed, sealing_key=key)
        case SeedReleased(seed, key):
            return replace(match, seed=seed, sealing_key=key)
        case TokenRotated():
            return match
        case SeatTaken() | SeatLeft() | BotSeated():
            return _seated(match, event)
        case SeatReinvited(seat, number, digest):
            invites = (*_without_return(match, seat), Invite(number, digest, "return", seat))
            return replace(match, invites=invites, issued=number, away=match.away | {seat})
        case SeatResumed(seat):
            return replace(match, away=match.away - {seat})
        case InviteIssued() | InviteUsed() | InviteRevoked() | SpectatorAdmitted():
            return _invited(match, event)
        case _:
            return replace(match, position=match.game.evolve(match.position, event))


def _seated(match: Match, event: SeatTaken | SeatLeft | BotSeated) -> Match:
    """What a player added to the seed stays with the seat once there were draws."""
    drawn = match.seats[event.seat].entropy if match.started else None
    match event:
        case SeatTaken(_, name, entropy):
            seat = Seat("human", name, entropy or drawn)
        case SeatLeft():
            seat = Seat("human", None, drawn)
        case BotSeated(_, bot):
            seat = Seat("bot", bot, drawn)
    seats = (*match.seats[: event.seat], seat, *match.seats[event.seat + 1 :])
    invites, away = _without_return(match, event.seat), match.away - {event.seat}
    return replace(match, seats=seats, invites=invites, away=away)


def _without_return(match: Match, seat: int) -> tuple[Invite, ...]:
    """The open invites but for the one to return to a seat."""
    return tuple(invite for invite in match.invites if (invite.to, invite.seat) != ("return", seat))


def _invited(match: Match, event: InviteIssued | InviteUsed | InviteRevoked | SpectatorAdmitted) -> Match:
    number = event.invite
    others = tuple(invite for invite in match.invites if invite.number != number)
    match event:
        case InviteIssued(_, digest, to, seat):
            return replace(match, invites=(*others, Invite(number, digest, to, seat)), issued=number)
        case InviteUsed():
            return replace(match, invites=others)
        case InviteRevoked():
            return replace(match, invites=others, spectators=match.spectators - {number})
        case SpectatorAdmitted():
            return replace(match, spectators=match.spectators | {number})


def fold(game: AnyGame, edition: Edition, events: Iterable[Any]) -> Match:
    """The match after all its events, the first of which is MatchCreated."""
    first, *rest = events
    return reduce(evolve, rest, begin(game, edition, first))
