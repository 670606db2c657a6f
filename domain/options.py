"""The options of a game: what the creator of a match chooses, and whether a value is a choice."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from domain.errors import OptionRefused
from domain.refusals import MatchRefusal

OptionValue: TypeAlias = bool | int | str | tuple[str, ...]
KINDS: Mapping[type, str] = {  # what a value of an option is called in a refusal
    bool: "true or false",
    int: "an integer",
    str: "a word",
    tuple: "a list of words",
}


@dataclass(frozen=True, slots=True)
class Option:
    """A choice of the match's creator: a boolean, an integer with bounds, a word, or a list of words.

    Its type is that of its default. `choices` are the words it can be or, for a list, each of its words;
    `min_items` and `max_items` say how many words a list has. The default always fits, so that a list that
    may be left out is empty by default, whatever its length is otherwise.
    """

    name: str
    default: OptionValue
    summary: str
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    min_items: int | None = None
    max_items: int | None = None


def fitting(option: Option, value: Any) -> Any:
    """The value, if it is one of the option; RuleBroken says what it must be."""
    if value != option.default or type(value) is not type(option.default):
        for refusal, fault in _faults(option, value):
            raise OptionRefused(option.name, refusal, f"The option {option.name} must {fault}.")
    return value


def _faults(option: Option, value: Any) -> Iterator[tuple[MatchRefusal, str]]:
    """What is wrong with the value of an option, first of all its type."""
    words = value if isinstance(value, tuple) else (value,)
    if type(value) is not type(option.default):
        yield MatchRefusal.OPTION_TYPE, f"be {KINDS[type(option.default)]}"
    if isinstance(value, tuple) and not all(isinstance(word, str) for word in value):
        yield MatchRefusal.OPTION_TYPE, f"be {KINDS[tuple]}"
    if isinstance(value, tuple) and not _within(len(value), option.min_items, option.max_items):
        yield MatchRefusal.OPTION_LENGTH, f"have {_bounds(option.min_items, option.max_items)} words"
    if option.choices and not {*words} <= {*option.choices}:
        each = "have only words" if isinstance(value, tuple) else "be one"
        yield MatchRefusal.OPTION_CHOICE, f"{each} of {', '.join(option.choices)}"
    if isinstance(value, int) and not _within(value, option.minimum, option.maximum):
        yield MatchRefusal.OPTION_RANGE, f"be {_bounds(option.minimum, option.maximum)}"


def _within(value: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= value) and (high is None or value <= high)


def _bounds(low: int | None, high: int | None) -> str:
    return f"{low}" if low == high else f"from {low} to {high}"
