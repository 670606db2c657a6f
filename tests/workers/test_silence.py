"""A worker whose connection has died without a word notices it within seconds, not minutes."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rq import Queue

from service.matches.aggregate import Aggregate
from service.matches.play import Play
from service.redis_store.client import connect
from service.redis_store.heartbeats import RedisHeartbeats
from service.run.embedded import EmbeddedServer
from service.store.heartbeat import WORKER
from tests.servers import until
from tests.service.redis_store.line import Line, line_to
from tests.workers.conftest import PARTITIONS
from workers.queues import hand_over_again

LONG_S = 60.0


@pytest.fixture
def line(server: EmbeddedServer) -> Iterator[Line]:
    with line_to(server) as made:
        yield made


@pytest.fixture
def revive(server: EmbeddedServer, line: Line, store: Any) -> Iterator[Callable[[], None]]:
    """Starts a worker whose jobs come over the line, again if it has ended, as a supervisor does."""
    urls = {"REDIS_URL": server.url, "RQ_REDIS_URL": line.url, "PARTITIONS": str(PARTITIONS)}
    started: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        if not started or started[-1].poll() is not None:
            command = [sys.executable, "-m", "workers.worker"]
            started.append(subprocess.Popen(command, env=os.environ | urls))

    start()
    until(lambda: store.scard("rq:workers") == 1, LONG_S)
    yield start
    for process in started:
        process.kill()
        process.wait()
    until(
        lambda: store.info("clients")["blocked_clients"] == 0
    )  # the line notices the end when it is answered


def test_a_worker_whose_connection_is_silent_takes_jobs_over_a_new_one(
    line: Line, revive: Callable[[], None], queued: Queue, play: Play, solo: Callable[[], Aggregate]
) -> None:
    """Whether it connects again, or ends and is started again."""
    line.silence()
    match = solo()

    def goes_on() -> bool:
        revive()
        hand_over_again(queued, match.id, match.version, "take_turn")  # what the silent line took with it
        return play.load(match.id).version > match.version

    until(goes_on, LONG_S)


@pytest.mark.usefixtures("revive")
def test_a_worker_that_waits_for_jobs_gives_signs_of_life(server: EmbeddedServer) -> None:
    alive = RedisHeartbeats(connect(server.url)).alive
    until(lambda: [part.name for part in alive()] == [WORKER], LONG_S)
