"""What a match calls for, besides its players: the turns of automata and bots, and the score."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from domain.match.actors import REFEREE, seat_name
from domain.match.commands import ScoreMatch
from domain.match.state import Match

Choose: TypeAlias = Callable[[str, Mapping[str, Any], Iterator[Any]], Any]  # of a bot's name, view, legal


def first_legal(_bot: str, _view: Mapping[str, Any], legal: Iterator[Any]) -> Any:
    """The choice where there are no bots to ask."""
    return next(legal)


def called_for(match: Match, task: str, choose: Choose) -> tuple[str, Any]:
    """Who does what: an automaton its first legal command, a bot what it chooses, the referee the score.

    A bot is asked by its name, and gets nothing but its own seat's view and legal commands.
    """
    if task == "score_match":
        return REFEREE, ScoreMatch()
    seat = next(seat for seat in match.to_act if match.seats[seat].kind != "human")
    player, legal = match.seats[seat], match.game.legal(match.position, seat)
    if player.kind == "automaton":
        return seat_name(seat), next(legal)
    return seat_name(seat), choose(player.name or "", match.game.view(match.position, seat), legal)
