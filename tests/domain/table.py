"""Matches for the tests of what every match shares: laid without the service, told by what was commanded."""

from functools import reduce
from typing import Any

from domain.game import Table
from domain.games import AnyGame, games
from domain.match.commands import CreateMatch, Seat
from domain.match.reducer import evolve, fold
from domain.match.rules import Premises, Secrets, create, decide
from domain.match.state import Match
from tests.playing import twin_of

SECRETS = Secrets(bytes(range(32)), bytes(range(32, 64)))


def laid(*names: str | None, private: bool = False) -> Match:
    """A match of The Whatnot Cabinet; None is an open seat."""
    return _laid(games()["whatnot"], tuple(Seat("human", name) for name in names), {}, private=private)


def playing(game: AnyGame, table: Table | None = None) -> Match:
    """A match of any game that has started."""
    table = table or next(each for each in twin_of(game).TABLES if each.seats > 1)
    seats = tuple(Seat("human", f"Player {seat}") for seat in range(table.seats))
    return _laid(game, seats, table.options)


def _laid(game: AnyGame, seats: tuple[Seat, ...], options: Any, *, private: bool = False) -> Match:
    edition = game.editions[game.default_edition]
    command = CreateMatch(game.name, edition.name, options, seats, private)
    return fold(game, edition, create(command, Premises(game, edition, "0" * 64, SECRETS, "server")))


def after(match: Match, *commanded: tuple[Any, str]) -> Match:
    """The match after commands, each with who gave it; folding its events gives the same."""
    for command, by in commanded:
        story = decide(match, command, by, SECRETS)
        assert reduce(evolve, story.events, match) == story.state
        match = story.state
    return match
