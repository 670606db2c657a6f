"""The feed for readers of no group, over a server and over a cluster: from any place on, each commit once."""

import threading

import pytest

from service.latest import Positions, moved
from service.store.redis_journal import RedisJournal
from service.store.redis_tail import RedisTail
from tests.service.store.appends import appending, head_after

MATCHES = [f"m_{number}" for number in range(20)]


@pytest.fixture
def tail(stored_journal: RedisJournal) -> RedisTail:
    """What a process reads of the journal's commits."""
    return RedisTail(stored_journal.client, stored_journal.keys.partitions)


def test_the_ends_are_after_everything_and_before_whatever_comes(
    stored_journal: RedisJournal, tail: RedisTail
) -> None:
    start = tail.ends()
    for match in MATCHES:
        stored_journal.append(appending(match))
    here = tail.ends()
    assert tail.read(here, 100) == []
    assert tail.wait(here, 0.05) == []
    found = tail.read(start, 100)
    assert sorted((pointer.match, pointer.version) for pointer in found) == sorted((m, 1) for m in MATCHES)
    assert moved(start, found) == here


def test_reading_on_gives_every_commit_once_and_each_match_in_order(
    stored_journal: RedisJournal, tail: RedisTail
) -> None:
    place: Positions = (b"0-0",) * tail.partitions
    for match in MATCHES:
        first = appending(match)
        stored_journal.append(first)
        stored_journal.append(appending(match, head_after(first), count=4))
    found: dict[str, list[int]] = {}
    while pointers := tail.read(place, 2):
        place = moved(place, pointers)
        for pointer in pointers:
            found.setdefault(pointer.match, []).append(pointer.version)
    assert found == {match: [1, 2, 3, 4, 5] for match in MATCHES}


def test_who_waits_is_told_of_what_comes(stored_journal: RedisJournal, tail: RedisTail) -> None:
    writer = threading.Timer(0.1, lambda: stored_journal.append(appending("m_one")))
    here = tail.ends()
    writer.start()
    found = tail.wait(here, 5)
    writer.join()
    assert [(pointer.match, pointer.version) for pointer in found] == [("m_one", 1)]
