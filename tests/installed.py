"""Other installations, as far as games go: a folder offers something else, or nothing comes from outside."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from unittest.mock import patch

import domain.games
from domain.games import AnyGame, games, modules


@contextmanager
def installed(game: AnyGame) -> Iterator[None]:
    """Let the folder of a game offer this one instead of its own, as after a new deployment."""
    folder = import_module(modules()[game.name])
    own = folder.GAME
    folder.GAME = game  # type: ignore[attr-defined]
    games.cache_clear()
    try:
        games()
        yield
    finally:
        folder.GAME = own  # type: ignore[attr-defined]
        games.cache_clear()


@contextmanager
def only_ours() -> Iterator[None]:
    """As if no package offered games from outside."""
    with patch.object(domain.games, "entry_points", lambda **_: ()):
        games.cache_clear()
        yield
    games.cache_clear()
