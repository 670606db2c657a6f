"""Refusals by the rules: a stable code, and a sentence that says what is allowed instead."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Any

from domain.refusals import MatchRefusal, Refusal


def listed(things: Iterable[object]) -> str:
    """What would be allowed, as a sentence names it.

    Sets are sorted: the order in which one is stored tells how it came about.
    """
    in_order: Iterable[Any] = sorted(things) if isinstance(things, AbstractSet) else things
    return ", ".join(map(str, in_order)) or "none"


class RuleBroken(Exception):
    """The rules refuse a command; nothing happened."""

    def __init__(self, refusal: Refusal, sentence: str) -> None:
        super().__init__(sentence)
        self.code = refusal.value
        self.sentence = sentence


class NotYourTurn(RuleBroken):
    """It is not this seat's turn."""

    def __init__(self, sentence: str) -> None:
        super().__init__(MatchRefusal.NOT_YOUR_TURN, sentence)


class MatchOver(RuleBroken):
    """The match is over."""

    def __init__(self, sentence: str) -> None:
        super().__init__(MatchRefusal.MATCH_OVER, sentence)


class ReachesPastChance(RuleBroken):
    """A command in a list that follows one whose outcome its sender could not foresee."""

    def __init__(self) -> None:
        super().__init__(
            MatchRefusal.BATCH_REACHES_PAST_CHANCE,
            "The command before this one draws, reveals something, or lets another seat act. Send the list "
            "up to there. Send the rest when you know what happened.",
        )


class PersonRequired(RuleBroken):
    """Only bots would play this match, and the operator does not allow that."""

    def __init__(self) -> None:
        super().__init__(
            MatchRefusal.PERSON_REQUIRED,
            "Only bots would play this match. Keep a seat for a person, or create it with an API key.",
        )


class OptionRefused(RuleBroken):
    """An option that there is not, or a value that it cannot have."""

    def __init__(self, option: str, refusal: Refusal, sentence: str) -> None:
        super().__init__(refusal, sentence)
        self.option = option


class NotInstalled(Exception):
    """A log names something that is not installed here: it may be right, but cannot be read."""


class UnknownGame(NotInstalled):
    """A log is of a game that is not installed."""


class UnknownRulesVersion(NotInstalled):
    """A log was begun by a version of the rules that is not installed."""


class UnknownEdition(NotInstalled):
    """A log names components that this installation does not have."""
