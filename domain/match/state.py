"""A match of any game: who sits where, the game's own position, and how far it has come."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from domain.game import Edition, Table
from domain.games import AnyGame
from domain.match.commands import Seat
from domain.match.events import MatchCreated, MatchScored

Status: TypeAlias = Literal["open", "playing", "scoring", "finished"]
TASKS = ("take_turn", "score_match")  # what a match may call for
STATUSES: tuple[Status, ...] = ("open", "playing", "scoring", "finished")


@dataclass(frozen=True, slots=True)
class Match:
    """The state of a match; `position` is the game's state, `seed` is set (hex) once it is revealed."""

    game: AnyGame
    edition: Edition
    created: MatchCreated
    seats: tuple[Seat, ...]
    position: Any
    started: bool = False
    scored: MatchScored | None = None
    seed: str | None = None

    @property
    def status(self) -> Status:
        """How far the match has come: `open` has a free seat, `scoring` has no move left and no score yet."""
        if not self.started:
            return "open"
        if self.game.outcome(self.position) is None:
            return "playing"
        return "scoring" if self.scored is None else "finished"

    @property
    def over(self) -> bool:
        """Whether nothing more can happen to the table: no move, no score."""
        return self.status == "finished"

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a decision."""
        return self.game.to_act(self.position) if self.started else ()

    @property
    def calls(self) -> str:
        """The job this state calls for: `take_turn` for an automaton, `score_match`, or an empty string."""
        if self.started and any(self.seats[seat].kind == "automaton" for seat in self.to_act):
            return "take_turn"
        return "score_match" if self.status == "scoring" else ""


def table(created: MatchCreated) -> Table:
    """The table a match was laid for: automata are not players."""
    players = sum(seat.kind != "automaton" for seat in created.seats)
    return Table(players, created.options)
