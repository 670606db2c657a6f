"""The match after an event: seats and score here, everything else by the game's own reducer."""

from collections.abc import Iterable
from functools import reduce
from typing import Any

from domain.changed import replace
from domain.game import Edition
from domain.games import AnyGame
from domain.match.commands import Seat
from domain.match.events import MatchCreated, MatchScored, MatchStarted, SeatTaken, SeedReleased
from domain.match.state import Match, table


def begin(game: AnyGame, edition: Edition, created: MatchCreated) -> Match:
    """The match after its first event."""
    position = game.initial(game.box(edition), table(created))
    return Match(game, edition, created, created.seats, position)


def evolve(match: Match, event: Any) -> Match:
    """The match after any later event."""
    match event:
        case SeatTaken(seat, name, entropy):
            seats = (*match.seats[:seat], Seat("human", name, entropy), *match.seats[seat + 1 :])
            return replace(match, seats=seats)
        case MatchStarted():
            return replace(match, started=True)
        case MatchScored(seed=seed):
            return replace(match, scored=event, seed=seed)
        case SeedReleased(seed):
            return replace(match, seed=seed)
        case _:
            return replace(match, position=match.game.evolve(match.position, event))


def fold(game: AnyGame, edition: Edition, events: Iterable[Any]) -> Match:
    """The match after all its events, the first of which is MatchCreated."""
    first, *rest = events
    return reduce(evolve, rest, begin(game, edition, first))
