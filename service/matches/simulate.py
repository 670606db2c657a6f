"""Whole matches without HTTP: random legal players through the same `play`, over a journal in memory."""

import hmac
import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from domain.games import AnyGame
from domain.match.commands import CreateMatch, ReleaseSeed, Seat
from domain.match.rules import HOST, seat_name
from domain.options import OptionValue
from service.log.export import lines
from service.matches.aggregate import Aggregate
from service.matches.joining import Caller, create_match
from service.matches.play import Play
from service.matches.requests import Request
from service.random_bytes import repeatable
from service.store.memory_journal import MemoryJournal

CHOICES = 200  # a random player looks at the first so many legal commands


@dataclass(frozen=True, slots=True)
class Plan:
    """What is simulated: match `n` has the seed HMAC-SHA-256(seed, "match/<n>"); its other secrets follow."""

    game: AnyGame
    seats: int
    options: Mapping[str, OptionValue]
    seed: bytes
    edition: str | None = None


@dataclass(frozen=True, slots=True)
class Simulated:
    """A finished match: how many commits, and its exported log with every secret opened."""

    commits: int
    log: bytes


def simulate(plan: Plan, number: int) -> Simulated:
    """One match from creation to the release of its seed."""
    seed = hmac.digest(plan.seed, f"match/{number}".encode(), "sha256")
    play = Play(MemoryJournal(), lambda: 0, repeatable(seed))
    seats = tuple(Seat("human", f"Player {seat + 1}") for seat in range(plan.seats))
    command = CreateMatch(plan.game.name, plan.edition or plan.game.default_edition, plan.options, seats)
    loaded = create_match(play, plan.game, command, Caller(key=seed.hex(), secret=seed), seed).loaded
    player = random.Random(seed)  # noqa: S311  a player's whim, not a draw of the game
    while loaded.state.status != "finished":
        loaded = _step(play, loaded, player)
    loaded = play.do(loaded, [ReleaseSeed()], Request(HOST, key="release")).loaded
    entries = play.journal.read(loaded.id, 0, count=loaded.version)
    log = b"".join(lines(loaded.id, loaded.state, entries, None, loaded.names))
    return Simulated(loaded.version, log)


def _step(play: Play, loaded: Aggregate, player: random.Random) -> Aggregate:
    match = loaded.state
    if match.due_task:
        play.run(loaded.id, loaded.version, match.due_task)
        return play.peek(loaded.id)
    seat = player.choice(match.to_act)
    command = player.choice(list(islice(match.game.legal(match.position, seat), CHOICES)))
    return play.do(loaded, [command], Request(seat_name(seat), key=f"{loaded.version}")).loaded
