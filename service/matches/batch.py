"""A batch of commands, decided one after the other as far as its sender could foresee what came before."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from domain.errors import PersonRequired, ReachesPastChance, RuleBroken
from domain.game import Story
from domain.match.commitment import Secrets
from domain.match.foresight import foreseen
from domain.match.rules import decide
from domain.match.state import Match
from service.matches.requests import CommandRefusedError
from service.matches.views import viewer_of


def check_people(before: Match, after: Match) -> None:
    """PersonRequired where bots alone are left of a match in which there was, or could come, a person."""
    if before.peopled and not after.peopled:
        raise PersonRequired


class Batch:
    """The commands of one sender, decided on a match at a version; `known`: all so far could be foreseen.

    Where the match is to stay `peopled`, a command that leaves it to bots alone is refused.
    """

    def __init__(self, by: str, version: int, *, peopled: bool = False) -> None:
        self.by, self.version, self.peopled = by, version, peopled
        self.index, self.known = -1, True

    @contextmanager
    def following(self) -> Iterator[None]:
        """The next command: what refuses it within becomes a CommandRefusedError that names it.

        After a command whose outcome its sender could not foresee it is refused without a look at it.
        """
        self.index += 1
        try:
            if not self.known:
                raise ReachesPastChance
            yield
        except RuleBroken as rule:
            raise CommandRefusedError(rule, self.index, self.version) from rule

    def decide(self, match: Match, command: Any, secrets: Secrets) -> Story[Match, Any]:
        """What the command causes; RuleBroken."""
        story = decide(match, command, self.by, secrets)
        if self.peopled:
            check_people(match, story.state)
        self.known = self.known and foreseen(match, story, viewer_of(self.by))
        return story
