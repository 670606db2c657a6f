"""Whatever is killed, every match goes on, and nothing acknowledged is lost or doubled."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import orjson
import pytest

from service.log.verify import verify
from tests.e2e.players import Table, play_in_parallel
from tests.e2e.running import Service, free_port, running

KILLS = 3
pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="finds its victims in /proc: Linux only"
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("killed")) as started:
        yield started


@contextmanager
def killing(service: Service, words: str, pause: float) -> Iterator[list[int]]:
    """Kill a process with these words in its command line a few times while the block runs."""
    stop, dice, killed = threading.Event(), Random(7), list[int]()

    def kill() -> None:
        while not stop.wait(pause) and len(killed) < KILLS:
            victims = service.pids(words)
            if victims:
                victim = dice.choice(victims)
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield killed
    finally:
        stop.set()
        killer.join()


@pytest.mark.parametrize(
    ("words", "pause"),
    [("workers.relay", 0.7), ("workers.worker", 1.5), ("gunicorn", 1.0), ("valkey-server", 1.0)],
)
def test_killing_a_part_delays_matches_and_never_stops_them(
    service: Service, words: str, pause: float
) -> None:
    with service.client() as client:
        tables = []
        with killing(service, words, pause) as killed:
            for number in range(200):
                table = Table(client, "whatnot", ["Ada"])
                play_in_parallel(table, number)
                tables.append(table)
                if len(killed) == KILLS:
                    break
        assert len(killed) == KILLS
        for table in tables:
            assert verify(table.log()).complete
            ids = [orjson.loads(line)["command_id"] for line in table.log()[1:]]
            assert len(set(ids)) == len(ids), "a command was stored twice"


def test_a_match_goes_on_after_everything_was_killed_at_once(tmp_path: Path) -> None:
    port = str(free_port())
    with running(tmp_path, PORT=port) as service, service.client() as client:
        table = Table(client, "whatnot", ["Ada", "Ben"])
        seat = table.read()["to_act"][0]
        told = table.send(seat, table.legal(seat)[0], "first").json()
        service.process.kill()
        service.process.wait()
    (tmp_path / "serve.log").unlink()
    with running(tmp_path, PORT=port) as service, service.client() as client:
        table.client = client
        assert table.read()["hash"] == told["commits"][-1]["hash"]
        assert (
            table.send(seat, told["commits"][0]["command"], "first").headers["Idempotent-Replayed"] == "true"
        )
        play_in_parallel(table)
        assert verify(table.log()).complete
