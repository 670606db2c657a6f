"""What a match needs done besides its players' turns: those of automata and bots, and the score."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from domain.match.actors import REFEREE, seat_name
from domain.match.commands import ScoreMatch
from domain.match.state import Match

Choose: TypeAlias = Callable[[str, Mapping[str, Any], Iterator[Any]], Any]  # of a bot's name, view, legal


def first_legal(_bot: str, _view: Mapping[str, Any], legal: Iterator[Any]) -> Any:
    """Chooses the first legal command."""
    return next(legal)


def due_command(match: Match, task: str, choose: Choose) -> tuple[str, Any]:
    """The actor and the command of a due task: an automaton's, a bot's, or the referee's score.

    A bot is asked by its name, and gets nothing but its own seat's view and legal commands.
    """
    if task == "score_match":
        return REFEREE, ScoreMatch()
    seat = next(seat for seat in match.to_act if match.seats[seat].kind != "human")
    player, legal = match.seats[seat], match.game.legal(match.position, seat)
    if player.kind == "automaton":
        return seat_name(seat), next(legal)
    return seat_name(seat), choose(player.name or "", match.game.view(match.position, seat), legal)
