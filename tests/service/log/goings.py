"""Matches whose people come and go, each kept for ever: one to its end, one closed early."""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice

from domain.game import Table
from domain.games import AnyGame, games
from domain.match.actors import HOST, seat_name
from domain.match.commands import CloseMatch, ReinviteSeat, ResumeSeat
from service.log.export import lines
from service.matches.aggregate import Aggregate
from service.matches.joining import create_match
from service.matches.play import Play
from service.matches.requests import Request
from service.random_bytes import repeatable
from service.store.memory_journal import MemoryJournal
from tests.service.log.forging import Log, parsed
from tests.service.log.restless import restless
from tests.service.log.tables import Named, creation, finished, played

CLOSED_AFTER = 27  # commits
NEW = {
    "seat_left", "seat_taken", "bot_seated", "token_rotated", "invite_issued", "invite_used",
    "invite_revoked", "spectator_admitted",
}  # fmt: skip
HANDED_BACK = {"seat_reinvited", "seat_resumed"}


def log_of(play: Play, loaded: Aggregate) -> list[bytes]:
    """The export of a match, with all that is open to everybody."""
    entries = play.journal.read(loaded.id, 0, count=10**6)
    return list(lines(loaded.id, loaded.state, entries, None, loaded.names))


def kinds(log: Log) -> set[str]:
    """The types of all that happened in a log."""
    return {event["type"] for record in log[1:] for event in record["events"]}


def closed() -> list[bytes]:
    """A match that its host closes early."""
    play, loaded = _laid("closed", games()["drawer"].versions[1], Table(3, {}))
    *_, loaded = islice(restless(play, loaded, random.Random(1)), CLOSED_AFTER)
    return log_of(play, play.do(loaded, [CloseMatch()], Request(HOST)).loaded)


def coming_and_going() -> list[bytes]:
    """A match with everything that can happen to who sits where."""
    for whim in range(100):
        play, loaded = _laid("coming_and_going", games()["whatnot"], Table(4, {}))
        *_, loaded = restless(play, loaded, random.Random(whim))
        log = log_of(play, loaded)
        if kinds(parsed(b"".join(log))) >= NEW:
            return log
    raise AssertionError("none of a hundred")


def handed_back() -> list[bytes]:
    """A match in which each player loses the token of their seat in turn, one of them twice."""
    play, loaded = _laid("handed_back", games()["drawer"].versions[1], Table(3, {}))
    whims = random.Random(1)
    for number, seat in enumerate((0, 1, 1, 2)):
        loaded = play.do(loaded, [ReinviteSeat(seat, f"{number:064}")], Request(HOST)).loaded
        if number != 1:
            returning = ResumeSeat(seat, f"{number:064}")
            loaded = play.do(loaded, [returning], Request(seat_name(seat))).loaded
            *_, loaded = islice(played(play, loaded, whims), 5)
    return log_of(play, finished(play, loaded, whims))


GOINGS: Mapping[str, Callable[[], list[bytes]]] = {
    "closed": closed,
    "coming_and_going": coming_and_going,
    "handed_back": handed_back,
}


def _laid(name: str, game: AnyGame, table: Table) -> tuple[Play, Aggregate]:
    play = Play(MemoryJournal(), lambda: 0, repeatable(f"golden/{name}".encode()))
    command = replace(creation(game, table.seats, options=table.options), private=True)
    return play, create_match(play, game, command, Named(key=f"golden/{name}", secret=bytes(32)), None).loaded
