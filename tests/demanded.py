"""What the golden matches of a game have to show: every choice of every option, and every way to end.

They are demanded of each version of the rules by itself. It follows from what the game offers: nobody has to
remember to ask for a golden match when an option gets another choice. What only certain choices show together
is in the twin, as `VARIANTS`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from domain.games import AnyGame
from domain.options import Option
from domain.stored import stored_as


@dataclass(frozen=True, slots=True)
class Shown:
    """What a golden match shows: its table, the result of its outcome, and what happened in it."""

    seats: int
    options: Mapping[str, Any]
    result: str | None
    kinds: frozenset[type]


Demand: TypeAlias = tuple[str, Callable[[Shown], bool]]


def missing(game: AnyGame, shown: Iterable[Shown], variants: Iterable[Mapping[str, Any]] = ()) -> list[str]:
    """What none of the golden matches of a game shows."""
    matches = list(shown)
    demands = (*demanded(game), *map(_variant, variants))
    return [name for name, shows in demands if not any(map(shows, matches))]


def demanded(game: AnyGame) -> Iterator[Demand]:
    """Everything that has to be shown of a game, by one version of its rules."""
    for seats in (game.seats[0], game.seats[-1]):
        yield _variant({"seats": seats})
    for option in game.options:
        yield from _choices(option)
    for result in game.results:
        yield f"the result {result}", lambda match, result=result: match.result == result
    for kind in game.endings:
        yield f"an end by {stored_as(kind).name}", lambda match, kind=kind: kind in match.kinds


def _choices(option: Option) -> Iterator[Demand]:
    """Each choice of an option; of an integer and a list, which have too many, the first and any other."""
    name = option.name
    if isinstance(option.default, bool):
        yield from (_variant({name: value}) for value in (False, True))
    elif option.choices and isinstance(option.default, str):
        yield from (_variant({name: choice}) for choice in option.choices)
    else:
        first = option.default if option.minimum is None else option.minimum
        yield _variant({name: first})
        yield f"{name} other than {first!r}", lambda match: match.options[name] != first


def _variant(wanted: Mapping[str, Any]) -> Demand:
    told = " with ".join(f"{name}={value!r}" for name, value in wanted.items())
    return told, lambda match: wanted.items() <= {"seats": match.seats, **match.options}.items()
