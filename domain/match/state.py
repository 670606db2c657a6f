"""A match of any game: who sits where, the game's own position, and how far it has come."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from domain.game import Edition, Table
from domain.games import AnyGame
from domain.match import actors
from domain.match.actors import read_actor
from domain.match.commands import Seat
from domain.match.events import MatchCreated, MatchScored

Status: TypeAlias = Literal["open", "playing", "scoring", "finished", "closed"]
TASKS = ("take_turn", "score_match")  # what a match may call for
STATUSES: tuple[Status, ...] = ("open", "playing", "scoring", "finished", "closed")


@dataclass(frozen=True, slots=True)
class Invite:
    """An open invite: its number, the digest of its code, and what it is for."""

    number: int
    digest: str
    to: Literal["seat", "return", "spectator"]
    seat: int | None


@dataclass(frozen=True, slots=True)
class Match:
    """The state of a match; `position` is the game's state.

    `seed` and `sealing_key` (hex) are set once they are revealed, both at once.

    `invites` are the open ones, `issued` counts all there have been, `spectators` are the invites that
    spectators came with. `away` are the seats that the host handed back to players who have not returned yet:
    nobody has a token for them.
    """

    game: AnyGame
    edition: Edition
    created: MatchCreated
    seats: tuple[Seat, ...]
    position: Any
    started: bool = False
    scored: MatchScored | None = None
    seed: str | None = None
    sealing_key: str | None = None
    closed: bool = False
    invites: tuple[Invite, ...] = ()
    issued: int = 0
    spectators: frozenset[int] = frozenset()
    away: frozenset[int] = frozenset()

    @property
    def status(self) -> Status:
        """How far the match has come: `open` has a free seat, `scoring` has no move left and no score yet."""
        if self.closed:
            return "closed"
        if not self.started:
            return "open"
        if self.game.outcome(self.position) is None:
            return "playing"
        return "scoring" if self.scored is None else "finished"

    @property
    def over(self) -> bool:
        """Whether nothing more can happen in the match: no move, no score."""
        return self.closed or self.scored is not None

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats whose turn it is."""
        return self.game.to_act(self.position) if self.started and not self.closed else ()

    @property
    def free(self) -> tuple[int, ...]:
        """The seats that nobody plays: open ones, or, after the start, those that were left."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.name is None)

    @property
    def peopled(self) -> bool:
        """Whether a person plays, or may come to play, on any seat."""
        return any(seat.kind == "human" for seat in self.seats)

    @property
    def due_task(self) -> str:
        """The job this state calls for: `take_turn` (automaton, bot), `score_match`, or an empty string."""
        if self.started and any(self.seats[seat].kind != "human" for seat in self.to_act):
            return "take_turn"
        return "score_match" if self.status == "scoring" else ""

    @property
    def attended(self) -> bool:
        """Whether a person sits at the table: then somebody waits for what automata and bots do."""
        return any(seat.kind == "human" and seat.name is not None for seat in self.seats)

    def admits(self, actor: str) -> bool:
        """Whether this match has such an actor: the host, a seated player, an admitted spectator."""
        match read_actor(actor):
            case actors.Host():
                return True
            case actors.Seat(number):
                known = number < len(self.seats) and number not in self.away
                return known and self.seats[number].player
            case actors.Spectator(invite):
                return invite in self.spectators
            case actors.Referee() | None:
                return False


def table(created: MatchCreated) -> Table:
    """The table of a match: automata are not players."""
    players = sum(seat.kind != "automaton" for seat in created.seats)
    return Table(players, created.options)
