"""Another release of the software, as far as a game goes: its folder offers something else."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from domain.games import AnyGame, games


@contextmanager
def installed(game: AnyGame) -> Iterator[None]:
    """Let the folder of a game offer this one instead of its own, as after a new deployment."""
    folder = import_module(f"domain.games.{game.name}")
    own = folder.GAME
    folder.GAME = game  # type: ignore[attr-defined]
    games.cache_clear()
    try:
        games()
        yield
    finally:
        folder.GAME = own  # type: ignore[attr-defined]
        games.cache_clear()
