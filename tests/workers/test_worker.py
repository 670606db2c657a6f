"""A worker of jobs: it stops when it is asked to, whatever it is doing."""

import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rq.exceptions import StopRequested

from service.matches.aggregate import Aggregate
from service.matches.play import Play
from workers.queues import hand_over
from workers.worker import worker


@pytest.fixture
def _own_signals() -> Iterator[None]:
    """RQ takes these for itself."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("_own_signals")
def test_a_stop_that_was_swallowed_is_kept_in_mind(
    store: Any, solo: Callable[[], Aggregate], play: Play
) -> None:
    match = solo()
    stopped = worker(store)
    with pytest.raises(StopRequested):  # which somebody else's `except Exception` takes
        stopped.request_stop(signal.SIGTERM, None)
    hand_over(stopped.queues[0], match.id, 1, "take_turn")
    stopped.work(burst=True, logging_level="ERROR")
    assert play.load(match.id).version == 1
    worker(store).work(burst=True, logging_level="ERROR")
    assert play.load(match.id).version == 2
