"""Matches of Whatnot with every command known before the first is sent.

The creator's seed decides all draws, so a match can be played to its end in memory first; the same commands
are then right in a match with that seed in any store.
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

import orjson

from bench.load import Task, post
from domain.games import games
from domain.match.commands import CreateMatch, Seat
from domain.match.rules import seat_name
from service.log.codec import dump_command
from service.matches.aggregate import Aggregate
from service.matches.joining import Caller, create_match, shown_tokens
from service.matches.play import Play
from service.matches.requests import Request, Result
from service.redis_store.client import connect
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from service.store.memory_journal import MemoryJournal

SEATS = 4
CHOICES = 200  # a random player looks at the first so many legal commands


@dataclass(frozen=True, slots=True)
class Step:
    """One commit of a match: a seat's command as a body, or the job that the match calls for then."""

    seat: int
    body: bytes
    job: str = ""


class Seated(NamedTuple):
    """A new match, and the tokens of all who sit at it."""

    result: Result
    tokens: Mapping[str, str]


def over(store: EmbeddedServer) -> Play:
    """The use cases over a real server."""
    return Play(RedisJournal(connect(store.url)))


def lay(play: Play, seats: int, number: int, name: str = "") -> Seated:
    """The match of this number, in any store; each has a seed of its own, and an id by its name."""
    game = games()["whatnot"]
    taken = tuple(Seat("human", f"Player {seat + 1}") for seat in range(seats))
    command = CreateMatch(game.name, game.default_edition, {}, taken)
    fingerprint = sha256(name.encode()).hexdigest()
    caller = Caller(f"{name}/{seats}/{number}", fingerprint, secret=bytes(32))
    result = create_match(play, game, command, caller, _seed(number))
    return Seated(result, shown_tokens(result, caller))


@cache
def script(seats: int, number: int) -> tuple[Step, ...]:
    """All commits of the match of this number after the first, played by random legal players."""
    play = Play(MemoryJournal(), clock=lambda: 0)
    return tuple(play_out(play, lay(play, seats, number).result.loaded, number))


def play_out(play: Play, loaded: Aggregate, number: int) -> Iterator[Step]:
    """Play the match of this number to its end."""
    player = random.Random(_seed(number))
    while loaded.state.status != "finished":
        match = loaded.state
        if match.due_task:
            yield Step(-1, b"", match.due_task)
            play.run(loaded.id, loaded.version, match.due_task)
            loaded = play.peek(loaded.id)
            continue
        seat = player.choice(match.to_act)
        chosen = player.choice(list(islice(match.game.legal(match.position, seat), CHOICES)))
        yield Step(seat, orjson.dumps(dump_command(chosen)))
        loaded = play.do(loaded, [chosen], Request(seat_name(seat))).loaded


def commands(play: Play, name: str, numbers: Iterable[int]) -> list[Task]:
    """For each of these matches, newly created, all its commands as requests, by the seats that send them."""
    return [_requests(lay(play, SEATS, number, name), script(SEATS, number)) for number in numbers]


def _requests(seated: Seated, steps: tuple[Step, ...]) -> Task:
    match, tokens = seated.result.loaded.id, seated.tokens
    return [
        (step.seat, command(match, tokens[seat_name(step.seat)], f"{match}-{n}", step.body))
        for n, step in enumerate(steps)
        if not step.job
    ]


def command(match: str, token: str, key: str, body: bytes) -> bytes:
    """One command, or a batch, as a request."""
    return post(f"/v1/matches/{match}/commands", body, Authorization=f"Bearer {token}", Idempotency_Key=key)


def _seed(number: int) -> bytes:
    return sha256(f"bench/{number}".encode()).digest()
