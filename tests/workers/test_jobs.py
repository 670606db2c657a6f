"""Jobs: late, doubled or run again, they change nothing."""

from collections.abc import Callable
from typing import Any

import pytest
from rq import Queue
from rq.utils import import_attribute

from domain.match.state import TASKS
from service import bootstrap
from service.matches.aggregate import Aggregate
from service.matches.play import Play
from service.settings import settings
from workers import jobs
from workers.named_job import job_id
from workers.queues import hand_over, hand_over_again


@pytest.mark.parametrize("task", TASKS)
def test_every_task_a_match_may_call_for_is_a_job_that_exists(task: str) -> None:
    assert callable(import_attribute(f"workers.jobs.{task}"))


def test_the_rivals_turn_is_taken_once_however_often_the_job_runs(
    play: Play, solo: Callable[[], Aggregate]
) -> None:
    match = solo()
    assert jobs.take_turn(match.id, match.version)
    assert not jobs.take_turn(match.id, match.version)
    assert not jobs.take_turn(match.id, match.version + 5)
    assert play.load(match.id).version == match.version + 1
    assert play.load(match.id).state.to_act == (0,)


def test_a_match_that_can_still_be_played_is_not_scored(play: Play, solo: Callable[[], Aggregate]) -> None:
    match = solo()
    assert not jobs.score_match(match.id, match.version)
    assert play.load(match.id).version == match.version


def test_a_job_is_queued_once_for_one_commit(queued: Queue, solo: Callable[[], Aggregate]) -> None:
    match = solo()
    for _ in range(3):
        hand_over(queued, match.id, match.version, "take_turn")
    assert queued.job_ids == [job_id(match.id, match.version, "take_turn")]


def test_a_queued_job_is_alive_and_a_lost_one_is_queued_again(
    store: Any, queued: Queue, solo: Callable[[], Aggregate]
) -> None:
    match = solo()
    assert hand_over_again(queued, match.id, match.version, "take_turn")
    assert not hand_over_again(queued, match.id, match.version, "take_turn")
    queued.empty()  # as if Redis had been emptied of jobs
    assert hand_over_again(queued, match.id, match.version, "take_turn")
    assert len(queued.job_ids) == 1


def test_a_job_that_failed_for_good_is_queued_again_and_done(
    queued: Queue,
    solo: Callable[[], Aggregate],
    work: Callable[[], None],
    play: Play,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = solo()
    hand_over(queued, match.id, match.version, "take_turn")
    with monkeypatch.context() as outage:
        outage.setenv("REDIS_URL", "redis://127.0.0.1:1/0")  # the worker cannot reach the store
        forget_settings()
        work()
    forget_settings()
    assert play.load(match.id).version == match.version
    assert queued.failed_job_registry.get_job_ids() == [job_id(match.id, match.version, "take_turn")]
    assert hand_over_again(queued, match.id, match.version, "take_turn")
    work()
    assert play.load(match.id).version == match.version + 1


def forget_settings() -> None:
    """As in a new process."""
    settings.cache_clear()
    bootstrap.dependencies.cache_clear()
