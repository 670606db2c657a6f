"""Finds the games: every folder here is one, and a folder that is not a whole game fails loudly."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any, TypeAlias

from domain.game import Game

AnyGame: TypeAlias = Game[Any, Any, Any]


@cache
def games() -> Mapping[str, AnyGame]:
    """Every game by its name, in the order of the names."""
    return MappingProxyType({name: load(f"{__name__}.{name}", name) for _, name, _ in iter_modules(__path__)})


def load(module: str, name: str) -> AnyGame:
    """The game in a module; TypeError if it offers none, or one of another name."""
    game = getattr(import_module(module), "GAME", None)
    if not isinstance(game, Game) or game.name != name:
        raise TypeError(f"{module} must offer GAME, a domain.game.Game named {name!r}")
    if game.default_edition not in game.editions:
        raise TypeError(f"{module} has no edition {game.default_edition!r}")
    return game
