"""A part that hangs is replaced; a store that fails to restart, or has no disk left, ends nothing."""

import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.run.data_folder import LOG
from tests.e2e.running import Service, free_port, running
from tests.servers import until

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="finds its victims in /proc: Linux only"
)
SOLO = {"game": "whatnot", "seats": [{"name": "Ada"}]}
LONG_S = 90.0  # gunicorn gives a worker 30 seconds, and the machine may be slow


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One for all: after each of these tests it is whole again."""
    with running(tmp_path_factory.mktemp("hanging")) as started:
        yield started


def is_ready(client: httpx.Client) -> bool:
    try:
        return client.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False


def plays(client: httpx.Client) -> bool:
    """Whether a match is created and its rival moves."""
    try:
        made = client.post("/v1/matches", json=SOLO)
        if made.status_code != 201:
            return False
        where = f"/v1/matches/{made.json()['match']['id']}"
        until(lambda: client.get(where).json()["version"] > 1, 20)
    except (httpx.TransportError, AssertionError):
        return False
    return True


@pytest.mark.parametrize(
    "part", ["workers.relay", "workers.worker", "workers.webhooks.worker", "valkey-server"]
)
def test_a_part_that_was_stopped_is_replaced_and_matches_go_on(service: Service, part: str) -> None:
    before = len(service.output())
    with service.client() as client:
        victim, *others = service.pids(part)
        os.kill(victim, signal.SIGSTOP)
        until(lambda: victim not in (found := service.pids(part)) and len(found) > len(others), LONG_S)
        until(lambda: is_ready(client), LONG_S)
        until(lambda: plays(client), LONG_S)
    assert "; stopping it" in service.output()[before:]


@pytest.mark.parametrize("which", ["master", "worker"])
def test_an_http_process_that_was_stopped_is_replaced(service: Service, which: str) -> None:
    master, *workers = service.pids("gunicorn")
    victim = {"master": master, "worker": workers[0]}[which]
    os.kill(victim, signal.SIGSTOP)
    until(lambda: victim not in service.pids("gunicorn"), LONG_S)
    with service.client() as client:
        until(lambda: is_ready(client), LONG_S)
        until(lambda: plays(client), LONG_S)


def test_an_http_process_that_hangs_as_it_starts_is_replaced(service: Service) -> None:
    _, *workers = service.pids("gunicorn")
    os.kill(workers[0], signal.SIGKILL)
    born: set[int] = set()
    until(lambda: bool(born.update(set(service.pids("gunicorn")[1:]) - set(workers)) or born), LONG_S)
    (victim,) = born
    os.kill(victim, signal.SIGSTOP)
    until(lambda: victim not in service.pids("gunicorn"), LONG_S)
    with service.client() as client:
        until(lambda: plays(client), LONG_S)


def test_a_store_that_is_killed_again_and_again_as_it_starts_ends_nothing(service: Service) -> None:
    with service.client() as client:
        assert plays(client)
        killed: set[int] = set()

        def killed_enough() -> bool:
            for pid in service.pids("valkey-server"):
                os.kill(pid, signal.SIGKILL)
                killed.add(pid)
            return len(killed) >= 6

        until(killed_enough, LONG_S)
        until(lambda: is_ready(client), LONG_S)
        assert plays(client)
    assert service.process.poll() is None


def limit_files(pids: list[int], size: int) -> None:
    """The longest file that these processes may write: a disk that is full, for them."""
    for pid in pids:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def test_with_a_full_disk_reads_go_on_and_writes_come_back_with_the_room(service: Service) -> None:
    with service.client() as client:
        made = client.post("/v1/matches", json=SOLO).json()["match"]["id"]
        until(lambda: client.get(f"/v1/matches/{made}").json()["version"] > 1)
        log = service.folder / "var" / "valkey" / LOG
        size = max(file.stat().st_size for file in log.glob("*.aof"))
        limit_files([service.process.pid, *service.pids("valkey-server")], size + 10)  # the next write fails
        until(lambda: "is full: " in service.output(), LONG_S)
        until(lambda: client.get(f"/v1/matches/{made}").status_code == 200, LONG_S)
        assert client.get(f"/v1/matches/{made}/log").status_code == 200
        assert client.post("/v1/matches", json=SOLO).status_code >= 500
        until(lambda: "no disk space" in client.get("/readyz").json()["checks"]["write"], LONG_S)
        limit_files([service.process.pid, *service.pids("valkey-server")], resource.RLIM_INFINITY)
        until(lambda: "has space again" in service.output(), LONG_S)
        until(lambda: plays(client), LONG_S)
    assert service.process.poll() is None
    assert "is full: File too large" in service.output()


def test_another_number_of_partitions_does_not_start_on_the_same_store(tmp_path: Path) -> None:
    from tests.e2e.test_serve import _refused

    with running(tmp_path, PARTITIONS="8") as service, service.client() as client:
        assert plays(client)
    data = {"DATA": str(tmp_path / "var"), "PORT": str(free_port())}
    assert "written with PARTITIONS=8 and cannot be used with 16" in _refused(PARTITIONS="16", **data)
