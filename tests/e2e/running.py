"""A whole service for a test: `bricabrac serve` in processes of its own, on a free port."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.servers import until


@dataclass
class Service:
    """A running service."""

    url: str
    process: subprocess.Popen[bytes]
    folder: Path
    environment: Mapping[str, str]

    def client(self) -> httpx.Client:
        """A client of the public API."""
        return httpx.Client(base_url=self.url, timeout=20)

    def pids(self, words: str) -> list[int]:
        """The processes below the service whose command line has these words; Linux only."""
        return [pid for pid in _below(self.process.pid) if words in _command(pid)]

    def output(self) -> str:
        """What it has written."""
        return (self.folder / "serve.log").read_text()

    def stop(self) -> int:
        """One Ctrl-C; the exit status."""
        self.process.send_signal(2)
        return self.process.wait(60)


@contextmanager
def running(folder: Path, **environment: str) -> Iterator[Service]:
    """Start a service and wait until it answers."""
    port = environment.get("PORT") or str(free_port())
    given = os.environ | {"PORT": port, "DATA": str(folder / "var")} | environment
    with (folder / "serve.log").open("ab") as log:
        command = [sys.executable, "-m", "service.cli.main", "serve"]
        process = subprocess.Popen(command, env=given, stdout=log, stderr=log, start_new_session=True)
    service = Service(f"http://127.0.0.1:{port}", process, folder, environment)
    try:
        until(lambda: process.poll() is not None or "is ready" in service.output(), 60)
        assert process.poll() is None, service.output()
        yield service
    finally:
        if process.poll() is None:
            service.stop()


def free_port() -> int:
    """A port that nobody has right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _below(pid: int) -> list[int]:
    children = [
        int(word)
        for task in Path(f"/proc/{pid}/task").glob("*/children")
        for word in task.read_text().split()
    ]
    return [each for child in children for each in (child, *_below(child))]


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except FileNotFoundError:
        return ""
