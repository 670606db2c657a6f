"""Heartbeats and the number of partitions, as the store keeps them; on one server and on a cluster."""

from collections.abc import Callable

import pytest

from service.redis_store.deployment import RedisDeployment
from service.redis_store.heartbeats import RedisHeartbeats
from service.redis_store.journal import RedisJournal
from service.store import heartbeat
from service.store.deployment import OtherPartitionsError
from service.store.heartbeat import RELAY, WORKER, Part, Pulse
from tests.servers import until
from tests.service.redis_store.appends import appending


def test_a_part_lives_until_its_heartbeat_is_overdue(stored_journal: RedisJournal) -> None:
    beats = RedisHeartbeats(stored_journal.client)
    relay, worker = Part(RELAY, 1, "here"), Part(WORKER, 2, "there/or/so")
    beats.beat(relay, 60)
    beats.beat(worker, 0.3)
    assert sorted(beats.alive(), key=lambda part: part.pid) == [relay, worker]
    until(lambda: beats.alive() == [relay])


def test_a_heartbeat_that_the_store_refuses_is_remembered_and_tried_again(
    journal: RedisJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "INTERVAL_S", 0.0)
    pulse = Pulse(RedisHeartbeats(journal.client), Part(RELAY))
    journal.client.config_set("maxmemory", 1)
    try:
        pulse()
        assert pulse.refusal == "it is full"
    finally:
        journal.client.config_set("maxmemory", 0)
    pulse()
    assert (pulse.refusal, RedisHeartbeats(journal.client).alive()) == ("", [pulse.part])


def test_a_pulse_writes_no_more_often_than_it_has_to(journal: RedisJournal) -> None:
    journal.client.config_resetstat()
    pulse = Pulse(RedisHeartbeats(journal.client), Part(RELAY))
    for _ in range(100):
        pulse()
    assert journal.client.info("commandstats")["cmdstat_zadd"]["calls"] == 1


@pytest.fixture
def old(stored_journal: RedisJournal) -> Callable[[int], RedisDeployment]:
    """A store with matches and without a number of partitions, as before there was one."""

    def make(partitions: int) -> RedisDeployment:
        journal = RedisJournal(stored_journal.client, partitions)
        for number in range(30):
            journal.append(appending(f"m_{number}"))
        return RedisDeployment(stored_journal.client)

    return make


@pytest.mark.parametrize("asked", [8, 32, 63, 65, 128])
def test_a_store_from_before_the_number_was_kept_is_recognized(
    old: Callable[[int], RedisDeployment], asked: int
) -> None:
    deployment = old(64)
    for refuses in (deployment.check, deployment.claim):
        with pytest.raises(OtherPartitionsError, match="PARTITIONS=64"):
            refuses(asked)
    deployment.claim(64)
    with pytest.raises(OtherPartitionsError, match="PARTITIONS=64"):
        deployment.check(asked)


def test_a_check_writes_nothing_down(stored_journal: RedisJournal) -> None:
    RedisDeployment(stored_journal.client).check(16)
    RedisDeployment(stored_journal.client).claim(32)


def test_a_full_store_is_claimed_by_who_comes_with_its_number(journal: RedisJournal) -> None:
    RedisDeployment(journal.client).claim(64)
    journal.client.config_set("maxmemory", 1)
    try:
        RedisDeployment(journal.client).claim(64)
    finally:
        journal.client.config_set("maxmemory", 0)
