"""Housekeeping: a match that nobody has touched for days is closed by a commit, and no other match is."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from domain.match.actors import HOST, REFEREE
from domain.match.commands import CloseIdleMatch, RotateToken
from service.log.export import lines
from service.log.verify import verify
from service.matches.aggregate import Aggregate
from service.matches.idle import DAY_MS, close_idle
from service.matches.play import Play
from service.matches.requests import Request, Result
from service.matches.revision import Revision
from service.redis_store.client import connect
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from tests.workers.conftest import PARTITIONS
from workers.idle_matches import MANY, IdleMatchCloser
from workers.relay import Relay

DAYS = 30


@pytest.fixture
def housekeeper(play: Play) -> IdleMatchCloser:
    return IdleMatchCloser(play, DAYS)


def age(play: Any, match: str, days: int) -> None:
    """As if the last commit of a match had come so many days earlier."""
    journal = play.journal
    journal.client.zincrby(journal.keys.shared(match, "idle"), -days * DAY_MS, match)


def touch(play: Play, match: str) -> None:
    play.do(play.load(match), [RotateToken()], Request(HOST))


def statuses(play: Play, matches: Sequence[Aggregate]) -> list[str]:
    return [play.load(match.id).state.status for match in matches]


def test_an_idle_match_is_closed_by_the_referee_who_says_why_and_its_log_is_proved(
    housekeeper: IdleMatchCloser, play: Play, solo: Callable[[], Aggregate]
) -> None:
    idle, fresh = solo(), solo()
    age(play, idle.id, DAYS)
    age(play, fresh.id, DAYS - 1)
    assert housekeeper.run() == 1
    assert statuses(play, [idle, fresh]) == ["closed", "playing"]
    closed = play.load(idle.id)
    entries = play.journal.read(idle.id, 0)
    record = entries[-1].public()
    assert (record["by"], record["command"]) == (REFEREE, {"type": "close_idle_match", "idle_days": DAYS})
    assert [event["type"] for event in record["events"]] == ["match_closed"]
    assert verify(list(lines(idle.id, closed.state, entries, None, closed.names))).complete
    assert housekeeper.run() == 0


class TouchedAfterLoading(Play):
    """Somebody acts between the loading of a match and the look at its idle time."""

    def load(self, match: str) -> Aggregate:
        loaded = super().load(match)
        touch(Play(self.journal), match)
        return loaded


class TouchedBeforeAppending(Play):
    """Somebody acts after a match was found idle, and before it is closed."""

    def do(self, loaded: Aggregate, commands: Sequence[Any], request: Request) -> Result:
        touch(Play(self.journal), loaded.id)
        return super().do(loaded, commands, request)


@pytest.mark.parametrize("overtaken", [TouchedAfterLoading, TouchedBeforeAppending])
def test_a_match_in_which_somebody_is_just_acting_is_left_alone(
    play: Play, solo: Callable[[], Aggregate], overtaken: type[Play]
) -> None:
    match = solo()
    age(play, match.id, DAYS)
    assert not close_idle(overtaken(play.journal), match.id, DAYS)
    assert statuses(play, [match]) == ["playing"]
    age(play, match.id, DAYS)
    assert close_idle(play, match.id, DAYS)


def test_many_housekeepers_at_once_close_each_match_once(
    server: EmbeddedServer, play: Play, solo: Callable[[], Aggregate]
) -> None:
    matches, ready = [solo() for _ in range(6)], Barrier(4)
    for match in matches:
        age(play, match.id, DAYS)

    def run(_: int) -> None:
        own = IdleMatchCloser(Play(RedisJournal(connect(server.url), PARTITIONS)), DAYS)
        ready.wait()
        own.run()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(run, range(4)))
    assert statuses(play, matches) == ["closed"] * 6
    assert [play.load(match.id).version for match in matches] == [match.version + 1 for match in matches]


def test_a_run_is_bounded_and_the_next_goes_on(
    housekeeper: IdleMatchCloser, play: Play, solo: Callable[[], Aggregate]
) -> None:
    matches = [solo() for _ in range(MANY + 3)]
    for match in matches:
        age(play, match.id, DAYS)
    assert [housekeeper.run() for _ in range(3)] == [MANY, 3, 0]
    assert set(statuses(play, matches)) == {"closed"}


def test_matches_that_cannot_be_read_do_not_stand_in_the_way_of_others(
    housekeeper: IdleMatchCloser, play: Any, solo: Callable[[], Aggregate]
) -> None:
    broken, sound = [solo() for _ in range(MANY)], solo()
    for match in broken:
        play.journal.client.delete(play.journal.keys.of_match(match.id, "log"))
        age(play, match.id, 2 * DAYS)
    age(play, sound.id, DAYS)
    fresh = IdleMatchCloser(Play(play.journal), DAYS)
    assert [fresh.run() for _ in range(3)] == [MANY, 1, 0]
    assert statuses(play, [sound]) == ["closed"]


def test_the_relay_keeps_house_and_with_no_days_nothing_is_closed(
    relay: Relay, play: Play, solo: Callable[[], Aggregate]
) -> None:
    match = solo()
    age(play, match.id, 10 * DAYS)
    relay.housekeeper = IdleMatchCloser(play, 0)
    relay.tick()
    assert statuses(play, [match]) == ["playing"]
    relay.housekeeper = IdleMatchCloser(play, DAYS)
    relay.tick()
    assert statuses(play, [match]) == ["closed"]


def test_a_close_that_comes_again_is_done_once(play: Play, solo: Callable[[], Aggregate]) -> None:
    match = solo()
    request = Request(REFEREE, key=f"{match.version}-idle", expected=Revision.of(match))
    first = play.do(match, [CloseIdleMatch(DAYS)], request)
    again = play.do(match, [CloseIdleMatch(DAYS)], request)
    assert (first.replayed, again.replayed, again.loaded.version) == (False, True, match.version + 1)
