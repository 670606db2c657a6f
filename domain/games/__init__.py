"""Finds the games: every folder here is one, and installed packages may offer more from outside.

A package offers games as entry points of the group `bricabrac.games`: the name is that of the game, the value
the module that has it as `GAME`. What is not a whole game fails loudly, wherever it comes from.

A new match is begun by the newest rules of a game. Whatever concerns a match that exists looks its rules up
with `rules_of`, by the version that commit 1 states.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any, TypeAlias

from domain.errors import UnknownGame, UnknownRulesVersion
from domain.game import Game
from domain.match.commands import MATCH_COMMANDS
from domain.match.events import MATCH_EVENTS
from domain.refusals import MatchRefusal
from domain.stored import by_name

AnyGame: TypeAlias = Game[Any, Any, Any]
GROUP = "bricabrac.games"  # of entry points


@cache
def games() -> Mapping[str, AnyGame]:
    """Every game by its name, in the order of the names, each by its newest rules."""
    return MappingProxyType({name: load(module, name) for name, module in sorted(modules().items())})


def modules() -> dict[str, str]:
    """The module of every game, by the game's name; TypeError where two games have one name."""
    found = {name: f"{__name__}.{name}" for _, name, _ in iter_modules(__path__)}
    for offered in entry_points(group=GROUP):
        if (other := found.setdefault(offered.name, offered.value)) != offered.value:
            raise TypeError(f"{other} and {offered.value} are both the game {offered.name!r}")
    return found


def rules_of(name: str, version: int) -> AnyGame:
    """A game by the rules of a version; UnknownGame or UnknownRulesVersion where they are not installed."""
    game = games().get(name)
    if game is None:
        raise UnknownGame(f"the game {name!r} is not installed here")
    if version not in game.versions:
        raise UnknownRulesVersion(f"rules version {version} of {name} is not installed here")
    return game.versions[version]


def load(module: str, name: str) -> AnyGame:
    """The game in a module; TypeError if it offers none, one of another name, or one that is not whole."""
    game = getattr(import_module(module), "GAME", None)
    if not isinstance(game, Game) or game.name != name:
        raise TypeError(f"{module} must offer GAME, a domain.game.Game named {name!r}")
    for fault in _faults(game):
        raise TypeError(f"{module} {fault}")
    for rules in game.versions.values():
        by_name((*MATCH_COMMANDS, *rules.commands, *rules.automaton_commands))
        by_name((*MATCH_EVENTS, *rules.events))
    return game


def _faults(game: AnyGame) -> Iterator[str]:
    newest_first = (game, *game.older)
    numbers = [rules.rules_version for rules in newest_first]
    if numbers != sorted(set(numbers), reverse=True):
        yield f"must list its older rules from the newest to the oldest, not {numbers}"
    for rules in newest_first:
        if rules.name != game.name:
            yield f"has rules of another game, {rules.name!r}"
        explained = {*rules.rulebook.refusals}
        if explained != {*rules.refusals}:
            yield f"explains other refusals than its own: {', '.join(sorted(explained ^ {*rules.refusals}))}"
        if shared := {*rules.refusals} & {*MatchRefusal}:
            yield f"has refusals of every match among its own: {', '.join(sorted(shared))}"
        if rules.default_edition not in rules.editions:
            yield f"has no edition {rules.default_edition!r}"
