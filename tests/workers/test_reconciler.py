"""The reconciler: a match that waits with no job alive gets one, whatever cannot be read, or the clock."""

from collections.abc import Callable
from itertools import count
from time import monotonic
from typing import Any

import pytest

from domain.match.state import Match
from service.matches.aggregate import Aggregate
from service.matches.play import Play
from service.redis_store.dead_letters import DeadLetters
from tests.workers.conftest import PARTITIONS
from workers.named_job import job_id
from workers.queues import BOTS, queue
from workers.reconciler import LONGEST_REST_S, PATIENCE_S, Reconciler
from workers.relay import Relay

START = 1000.0
LATE = START + PATIENCE_S + 0.1


@pytest.fixture
def reconciler(relay: Relay) -> Reconciler:
    return relay.reconciler


def name(match: Aggregate) -> str:
    return job_id(match.id, 1, "take_turn")


def break_log(store: Any, match: Aggregate) -> None:
    """Put something foreign at the end of a match's log."""
    (key,) = store.scan_iter(f"*{match.id}:log")
    store.xadd(key, {"foo": "bar"})


def test_a_match_that_waits_with_no_job_alive_is_handed_over_again(
    reconciler: Reconciler, solo: Callable[[], Aggregate]
) -> None:
    match, people = solo(), reconciler.jobs.people
    reconciler.reconcile(START)
    assert people.job_ids == [], "it has not waited yet"
    reconciler.reconcile(LATE)
    assert people.job_ids == [name(match)]
    people.empty()
    reconciler.reconcile(LATE + PATIENCE_S + 0.1)
    assert people.job_ids == [name(match)]


def test_a_match_that_no_person_plays_in_is_handed_over_to_the_queue_of_the_bots(
    reconciler: Reconciler, bots_alone: Callable[[], Aggregate], store: Any
) -> None:
    match = bots_alone()
    reconciler.reconcile(START)
    reconciler.reconcile(LATE)
    assert queue(store, BOTS).job_ids == [name(match)]
    assert reconciler.jobs.people.job_ids == []


def test_a_match_that_went_on_meanwhile_has_not_waited(
    reconciler: Reconciler, solo: Callable[[], Aggregate], store: Any
) -> None:
    solo()
    reconciler.reconcile(START)
    for number in range(PARTITIONS):
        for match in store.zrange(f"{{p{number}}}:owed", 0, -1):
            store.zincrby(f"{{p{number}}}:owed", 1, match)  # as if it waited for the next thing
    reconciler.reconcile(LATE)
    assert reconciler.jobs.people.job_ids == []


@pytest.mark.parametrize("hours", [-1, 2])
def test_what_the_clocks_say_changes_nothing(
    reconciler: Reconciler, solo: Callable[[], Aggregate], store: Any, hours: int
) -> None:
    match = solo()
    for number in range(PARTITIONS):
        for waiting in store.zrange(f"{{p{number}}}:owed", 0, -1):
            store.zincrby(f"{{p{number}}}:owed", 3_600_000 * hours, waiting)
    reconciler.reconcile(START)
    reconciler.reconcile(LATE)
    assert reconciler.jobs.people.job_ids == [name(match)]


def test_a_hundred_matches_that_cannot_be_read_hold_up_no_other(
    reconciler: Reconciler, solo: Callable[[], Aggregate], store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.redis_store.feed.OWED_BATCH", 10)  # a part of what is owed
    for _ in range(100):
        break_log(store, solo())
    sound = solo()
    reconciler.tick(START)
    for rounds in count():
        if name(sound) in reconciler.jobs.people.job_ids:
            break
        assert rounds <= 101, "each round looks at one, at least"
        began = monotonic()
        reconciler.tick(LATE)
        assert monotonic() - began < 2, "the feed does not wait for all of them"


def test_a_match_that_cannot_be_read_is_looked_at_less_and_less_often(
    reconciler: Reconciler,
    solo: Callable[[], Aggregate],
    store: Any,
    play: Play,
    caplog: pytest.LogCaptureFixture,
) -> None:
    match = solo()
    break_log(store, match)
    play._cache.clear()
    moment = START
    while moment < START + 24 * 3600:
        reconciler.reconcile(moment)
        moment += 60
    looks = sum("could not read" in record.message for record in caplog.records)
    assert 24 <= looks <= 32, "every hour, but for the first"


def test_a_match_that_is_readable_again_is_handed_over(
    reconciler: Reconciler, solo: Callable[[], Aggregate], store: Any, play: Play
) -> None:
    match = solo()
    (key,) = store.scan_iter(f"*{match.id}:log")
    play._cache.clear()
    store.rename(key, "away")
    store.xadd(key, {"foo": "bar"})
    reconciler.reconcile(START)
    reconciler.reconcile(LATE)
    assert reconciler.jobs.people.job_ids == []
    store.rename("away", key)
    reconciler.reconcile(LATE + LONGEST_REST_S)
    assert reconciler.jobs.people.job_ids == [name(match)]


def test_what_is_owed_to_a_match_that_does_not_exist_is_put_aside(
    reconciler: Reconciler, solo: Callable[[], Aggregate], store: Any
) -> None:
    match = solo()
    store.delete(*store.scan_iter(f"*{match.id}:*"))
    reconciler.play._cache.clear()
    reconciler.reconcile(START)
    reconciler.reconcile(LATE)
    assert [letter.name for letter in DeadLetters(store).newest()] == [match.id]
    assert list(reconciler.feed.owed()) == []


def test_who_sits_at_a_table_is_waited_for(
    solo: Callable[[], Aggregate], bots_alone: Callable[[], Aggregate]
) -> None:
    tables: list[Match] = [solo().state, bots_alone().state]
    assert [table.attended for table in tables] == [True, False]
