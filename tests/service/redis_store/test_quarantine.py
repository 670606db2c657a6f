"""A log with a hole or a false link: nothing is served from it, nothing is added, nobody waits for ever."""

import random
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from service.errors import MatchUnreadableError
from service.matches.aggregate import Aggregate
from service.matches.history import MILESTONE
from service.matches.play import Play
from service.matches.requests import Request
from service.redis_store.journal import RedisJournal
from tests.service.log.tables import choices, lay, move, played
from tests.service.redis_store.restoring import copied

Damage = Callable[[RedisJournal, Aggregate], None]


def log_key(journal: RedisJournal, loaded: Aggregate) -> str:
    return journal.keys.of_match(loaded.id, "log")


def add(journal: RedisJournal, loaded: Aggregate, version: int, **altered: Any) -> None:
    """A commit that no append script has seen."""
    record = journal.read(loaded.id, loaded.version - 1)[0].public()
    record |= {"version": version, "previous": loaded.hash, "hash": "f" * 64, "events": []} | altered
    fields: Any = {"record": orjson.dumps(record), "secrets": b""}
    journal.client.xadd(log_key(journal, loaded), fields, f"{version}-0")


def a_commit_after_a_hole(journal: RedisJournal, loaded: Aggregate) -> None:
    add(journal, loaded, loaded.version + 2)


def a_commit_that_follows_another(journal: RedisJournal, loaded: Aggregate) -> None:
    add(journal, loaded, loaded.version + 1, previous="f" * 64)


def a_commit_of_another_format(journal: RedisJournal, loaded: Aggregate) -> None:
    add(journal, loaded, loaded.version + 1, format=1)


def the_last_commit_lost(journal: RedisJournal, loaded: Aggregate) -> None:
    journal.client.xdel(log_key(journal, loaded), f"{loaded.version}-0")


def a_commit_in_the_middle_lost(journal: RedisJournal, loaded: Aggregate) -> None:
    journal.client.xdel(log_key(journal, loaded), "3-0")


def the_first_commit_lost(journal: RedisJournal, loaded: Aggregate) -> None:
    journal.client.xdel(log_key(journal, loaded), "1-0")


def the_whole_log_lost(journal: RedisJournal, loaded: Aggregate) -> None:
    journal.client.delete(log_key(journal, loaded))


DAMAGES: list[Damage] = [
    a_commit_after_a_hole,
    a_commit_that_follows_another,
    a_commit_of_another_format,
    the_last_commit_lost,
    a_commit_in_the_middle_lost,
    the_first_commit_lost,
    the_whole_log_lost,
]


class Restless:
    """A clock that is not read for ever: a writer who decides again and again is found out."""

    def __init__(self) -> None:
        self.read = 0

    def __call__(self) -> int:
        self.read += 1
        assert self.read < 1000, "decided again and again"
        return 0


def some_way_into_a_match(journal: RedisJournal) -> Aggregate:
    play, player = Play(journal), random.Random(5)
    loaded = lay(play, 2)
    for _ in range(6):
        loaded = move(play, loaded, player).loaded
    return loaded


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_log_is_not_served(journal: RedisJournal, damage: Damage) -> None:
    loaded = some_way_into_a_match(journal)
    assert Play(journal).load(loaded.id).version == loaded.version
    damage(journal, loaded)
    with pytest.raises(MatchUnreadableError):
        Play(journal).load(loaded.id)


@pytest.mark.parametrize("damage", DAMAGES)
def test_nothing_is_added_to_a_damaged_log(journal: RedisJournal, damage: Damage) -> None:
    loaded = some_way_into_a_match(journal)
    by, command = choices(loaded)[0]
    damage(journal, loaded)
    before = journal.read(loaded.id, 0)
    play = Play(journal, Restless())
    with pytest.raises(MatchUnreadableError):
        play.do(play.load(loaded.id), [command], Request(by))
    assert journal.read(loaded.id, 0) == before
    assert journal.head(loaded.id).version == loaded.version


SEEN_BEFORE = [a_commit_after_a_hole, a_commit_that_follows_another]


@pytest.mark.parametrize("damage", SEEN_BEFORE)
def test_a_process_that_saw_the_match_before_is_not_led_astray(journal: RedisJournal, damage: Damage) -> None:
    loaded = some_way_into_a_match(journal)
    play = Play(journal, Restless())
    play.load(loaded.id)
    damage(journal, loaded)
    with pytest.raises(MatchUnreadableError):
        play.load(loaded.id)


def test_a_process_behind_a_log_that_lost_its_end_does_not_decide_for_ever(journal: RedisJournal) -> None:
    behind = some_way_into_a_match(journal)
    play = Play(journal, Restless())
    play.load(behind.id)
    newest = move(Play(journal), behind).loaded
    the_last_commit_lost(journal, newest)
    by, command = choices(behind)[0]
    with pytest.raises(MatchUnreadableError):
        play.do(behind, [command], Request(by))


def backed_up(journal: RedisJournal, loaded: Aggregate) -> Callable[[], None]:
    """What puts the match back to where it stands now, as a backup or a failover does."""
    keys = [journal.keys.of_match(loaded.id, name) for name in ("log", "head")]
    kept: list[bytes] = [journal.client.dump(key) for key in keys]

    def restore() -> None:
        for key, value in zip(keys, kept, strict=True):
            journal.client.restore(key, 0, value, replace=True)

    return restore


def test_a_process_ahead_of_the_store_goes_on_from_what_is_stored_and_does_not_fork_the_log(
    journal: RedisJournal,
) -> None:
    behind = some_way_into_a_match(journal)
    play, put_back = Play(journal, Restless()), backed_up(journal, behind)
    seen = move(play, behind).loaded
    put_back()
    assert play.load(seen.id).hash == behind.hash == Play(journal).load(seen.id).hash
    by, command = choices(behind)[-1]
    done = play.do(seen, [command], Request(by)).loaded
    assert (done.version, done.hash) == (behind.version + 1, Play(journal).load(seen.id).hash)
    assert [entry.version for entry in journal.read(seen.id, 0)] == list(range(1, done.version + 1))


def test_a_process_that_saw_another_end_of_the_log_does_not_serve_it(journal: RedisJournal) -> None:
    behind = some_way_into_a_match(journal)
    play, put_back = Play(journal, Restless()), backed_up(journal, behind)
    seen = move(play, behind).loaded
    put_back()
    by, command = choices(behind)[-1]
    came_instead = Play(journal).do(behind, [command], Request(by)).loaded
    assert (came_instead.version, came_instead.hash != seen.hash) == (seen.version, True)
    for process in (play, Play(journal)):
        assert process.load(seen.id).hash == came_instead.hash
        assert process.at(seen.id, behind.version).hash == behind.hash
    next_by, next_command = choices(came_instead)[0]
    assert play.do(seen, [next_command], Request(next_by)).loaded.version == seen.version + 1


def test_a_past_version_of_a_lost_history_is_not_served_from_a_milestone(journal: RedisJournal) -> None:
    play, player = Play(journal), random.Random(5)
    loaded = lay(play, 4)
    while loaded.version < MILESTONE - 1:
        loaded = next(iter(played(play, loaded, player)))
    put_back, lost = copied(journal), loaded
    for _ in range(3):
        lost = next(iter(played(play, lost, player)))
    seen = play.at(lost.id, MILESTONE)
    put_back()
    play._cache.clear()  # as when many other matches were read: nothing but the milestone is left of it
    other = Play(journal)
    by, command = choices(loaded)[-1]
    now = other.do(other.load(loaded.id), [command], Request(by)).loaded
    now = next(iter(played(other, now, random.Random(9))))
    assert now.version > MILESTONE
    assert play.at(lost.id, MILESTONE).hash == other.at(lost.id, MILESTONE).hash != seen.hash


def test_a_match_whose_seed_is_gone_from_its_head_is_not_played_with_another(journal: RedisJournal) -> None:
    loaded = some_way_into_a_match(journal)
    journal.client.hdel(journal.keys.of_match(loaded.id, "head"), "seed")
    by, command = choices(loaded)[0]
    with pytest.raises(MatchUnreadableError, match="seed"):
        Play(journal).do(Play(journal).load(loaded.id), [command], Request(by))
    assert journal.head(loaded.id).version == loaded.version
