"""The bots, by name: a file each.

A bot gets what a player gets, the view of its own seat and its legal commands, and never a state. What it
chooses is a command of the log like any other: a replay runs no bot.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from workers.bots import any_move

BOTS = MappingProxyType({"random": any_move.choose})


def choose(bot: str, view: Mapping[str, Any], legal: Iterator[Any]) -> Any:
    """The command that a bot chooses; KeyError if there is no bot of this name."""
    return BOTS[bot](view, legal)
