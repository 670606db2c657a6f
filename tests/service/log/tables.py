"""Matches for the tests of the service: laid, played at random and scored through the one writer."""

import random
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import islice
from typing import Any

from domain.games import AnyGame
from domain.games.whatnot import GAME
from domain.match.commands import CreateMatch, Seat
from domain.match.rules import seat_name
from domain.options import OptionValue
from service.log.canonical import canonical
from service.log.codec import dump_command
from service.matches.aggregate import Aggregate
from service.matches.joining import Caller, create_match
from service.matches.play import Play
from service.matches.requests import Request, Result
from service.matches.views import match_document, score_document
from service.store.memory_journal import MemoryJournal

SEED = bytes(range(32))
NO_OPTIONS: Mapping[str, OptionValue] = {}
CHOICES = 50  # a random player looks at the first so many legal commands


class Named(Caller):
    """Whoever records: the ids of golden logs are made of their names alone."""

    def keyed(self, purpose: str) -> bytes:
        return sha256(f"{purpose}/{self.key}".encode()).digest()


def creation(
    game: AnyGame, seats: int, *, vacant: int = 0, options: Mapping[str, OptionValue] = NO_OPTIONS
) -> CreateMatch:
    """A table for so many players, the last ones' seats still open."""
    people = tuple(Seat("human", f"Player {n + 1}" if n < seats - vacant else None) for n in range(seats))
    return CreateMatch(game.name, game.default_edition, options, people)


def lay(play: Play, seats: int = 2, *, vacant: int = 0, seed: bytes | None = SEED) -> Aggregate:
    """A new match of The Whatnot Cabinet; by default with a seed of the creator."""
    return lay_table(play, GAME, creation(GAME, seats, vacant=vacant), seed)


def lay_table(play: Play, game: AnyGame, command: CreateMatch, seed: bytes | None = SEED) -> Aggregate:
    """A new match of any game."""
    return create_match(play, game, command, Caller(), seed).loaded


def simulated_play() -> Play:
    """A writer of its own, in memory, in a world without time."""
    return Play(MemoryJournal(), clock=lambda: 0)


def choices(loaded: Aggregate) -> list[tuple[str, Any]]:
    """Who may do what: actor and command."""
    match = loaded.state
    return [
        (seat_name(seat), command)
        for seat in match.to_act
        for command in islice(match.game.legal(match.position, seat), CHOICES)
    ]


def move(play: Play, loaded: Aggregate, player: random.Random | None = None) -> Result:
    """One legal command, the first or a random one, of whoever is to act."""
    listed = choices(loaded)
    by, command = listed[0] if player is None else player.choice(listed)
    return play.do(loaded, [command], Request(by, key=f"key-{loaded.version}"))


def played(play: Play, loaded: Aggregate, player: random.Random) -> Iterator[Aggregate]:
    """The match at every further version until its score is written."""
    while loaded.state.status != "finished":
        match = loaded.state
        if match.due_task:
            assert play.run(loaded.id, loaded.version, match.due_task)
            loaded = play.peek(loaded.id)
        else:
            loaded = move(play, loaded, player).loaded
        yield loaded


def finished(play: Play, loaded: Aggregate, player: random.Random) -> Aggregate:
    """The match once its score is written."""
    *_, last = played(play, loaded, player)
    return last


def told(loaded: Aggregate) -> bytes:
    """All that anybody is told of a match."""
    match = loaded.state
    viewers = (None, *range(len(match.seats)))
    stands = [loaded.version, loaded.hash, match.status, match.to_act, match.due_task]
    views = [[match_document(loaded, viewer), score_document(loaded, viewer)] for viewer in viewers]
    return canonical([stands, views, [[by, dump_command(command)] for by, command in choices(loaded)]])
