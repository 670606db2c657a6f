"""Starting and stopping everything with one command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.running import free_port, running
from tests.servers import lives, until


def _refused(**environment: str) -> str:
    command = [sys.executable, "-m", "service.cli.main", "serve"]
    tried = subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert tried.returncode == 1
    assert len(tried.stderr.strip().splitlines()) == 1, tried.stderr
    return tried.stderr


def test_a_busy_port_and_a_locked_folder_are_each_told_in_one_sentence(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        port = service.url.rsplit(":", 1)[1]
        assert f"Port {port}" in _refused(PORT=port, DATA=str(tmp_path / "other"))
        assert "in use by another server" in _refused(PORT=str(free_port()), DATA=str(tmp_path / "var"))


@pytest.mark.parametrize("setting", ["REDIS_URL", "RQ_REDIS_URL"])
@pytest.mark.parametrize(
    "url", ["redis://:geheim@127.0.0.1:1", "redis://:ge/heim@localhost", "http://x:geheim@host"]
)
def test_a_wrong_address_of_the_store_is_told_in_one_sentence_without_its_password(
    tmp_path: Path, setting: str, url: str
) -> None:
    said = _refused(PORT=str(free_port()), DATA=str(tmp_path / "var"), **{setting: url})
    assert setting in said
    assert "heim" not in said


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for leftovers in /proc: Linux only")
def test_one_ctrl_c_stops_everything_and_leaves_no_process(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        parts = ("gunicorn", "workers.relay", "workers.worker", "valkey-server")
        pids = [pid for words in parts for pid in service.pids(words)]
        assert len(pids) >= len(parts)
        assert service.stop() == 0
        assert "Warning" not in service.output(), "gevent has patched what was not imported yet"
        assert not [pid for pid in pids if lives(pid)]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for leftovers in /proc: Linux only")
def test_nothing_survives_the_killing_of_the_supervisor(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        pids = [pid for words in ("workers", "gunicorn", "valkey-server") for pid in service.pids(words)]
        service.process.kill()
        service.process.wait()
        until(lambda: not [pid for pid in pids if lives(pid)], 30)
