"""The folder of an embedded server: locked by one server at a time, reached by a socket in it.

The socket lies in the folder, which only its owner may enter. So nobody else reaches the server, there is no
password to keep, and a copy of the folder does not lead to the server of the original.
"""

import atexit
import fcntl
import os
import shutil
import socket
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

SOCKET = "valkey.sock"
LOG = "appendonlydir"
MANIFEST = "appendonly.aof.manifest"
FIRST_START = ("appendonly.aof.1.base.rdb", "appendonly.aof.1.incr.aof")
LONGEST_PATH_BYTES = 100  # of a socket: Linux takes 107, macOS 103
LINK = "bricabrac-"
LOCK_PATIENCE_S = 1.0  # a server whose launcher was killed just now is still on its way out
LEFTOVER_PATIENCE_S = 30.0  # a fork that rewrites the log of a killed server holds the lock until it is done
POLL_INTERVAL_S = 0.01
ANSWER_TIMEOUT_S = 1.0


class EmbeddedError(Exception):
    """Why there is no embedded server, in one sentence for a person."""


def never() -> bool:
    """What waits is not interrupted."""
    return False


def prepare(folder: Path, interrupted: Callable[[], bool] = never) -> int:
    """A descriptor that holds the folder's exclusive lock; a process that inherits it holds the lock too."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)  # also if it was there
        lock = os.open(folder / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as refused:
        raise EmbeddedError(f"The data folder {folder} cannot be used: {refused.strerror}.") from refused
    try:
        _acquire(lock, folder, interrupted)
        _check_log(folder)
    except BaseException:
        os.close(lock)
        raise
    return lock


def _acquire(lock: int, folder: Path, interrupted: Callable[[], bool]) -> None:
    began = time.monotonic()
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waited = time.monotonic() - began
            if waited > LEFTOVER_PATIENCE_S or (waited > LOCK_PATIENCE_S and info(folder) is not None):
                raise EmbeddedError(f"The data folder {folder} is in use by another server.") from None
            if interrupted():
                raise EmbeddedError(f"The data folder {folder} was still locked.") from None
            time.sleep(POLL_INTERVAL_S)
        else:
            return


def _check_log(folder: Path) -> None:
    """EmbeddedError where the server would not see the log, and begin an empty one beside it."""
    log = folder / LOG
    if not (log / MANIFEST).exists() and any(_holds_something(file) for file in log.glob("appendonly.aof.*")):
        raise EmbeddedError(
            f"The log in {log} has no {MANIFEST}: put it back from a copy, "
            f"or move {log} away to begin with an empty store."
        )


def _holds_something(file: Path) -> bool:
    """Whether a file is more than what a first start leaves that was killed halfway."""
    return file.name not in FIRST_START or (file.suffix == ".aof" and file.stat().st_size > 0)


@cache
def socket_path(folder: Path) -> Path:
    """Where the socket of a folder is reached: in the folder, or by a short link if its path is long."""
    direct = folder / SOCKET
    if _fits(direct):
        return direct
    for place in (os.environ.get("XDG_RUNTIME_DIR", ""), tempfile.gettempdir(), "/tmp"):  # noqa: S108  mkdtemp below
        if place and os.access(place, os.W_OK) and _fits(Path(place, f"{LINK}12345678", "data", SOCKET)):
            return _linked(folder, Path(tempfile.mkdtemp(prefix=LINK, dir=place))) / SOCKET
    raise EmbeddedError(
        f"The path of the data folder {folder} is too long for a socket: set DATA to a shorter one."
    )


def _fits(path: Path) -> bool:
    return len(os.fsencode(path)) <= LONGEST_PATH_BYTES


def _linked(folder: Path, private: Path) -> Path:
    """A link to the folder in a folder that only we may enter, which goes when this process ends."""
    held = os.open(private, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_SH)  # systemd-tmpfiles, which clears /tmp, leaves alone what is locked
    link = private / "data"
    link.symlink_to(folder, target_is_directory=True)
    atexit.register(_remove, private, os.getpid())
    return link


def _remove(private: Path, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(private, ignore_errors=True)  # a temporary folder that is left behind harms nobody


def info(folder: Path) -> dict[bytes, bytes] | None:
    """What the server of a folder tells about itself, also while it loads; None if none answers."""
    answer = ask(folder, b"INFO")
    if answer is None:
        return None
    lines = (line.partition(b":") for line in answer.splitlines())
    return {name: value for name, colon, value in lines if colon}


def ask(folder: Path, command: bytes) -> bytes | None:
    """What a folder's server answers to a command, as text; None if there is no answer, or an error."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(ANSWER_TIMEOUT_S)
        try:
            line.connect(str(socket_path(folder)))
            with line.makefile("rb") as answers:
                line.sendall(command + b"\r\n")
                first = answers.readline().rstrip()
                return answers.read(int(first[1:])) if first.startswith(b"$") else _simple(first)
        except (OSError, ValueError):
            return None


def _simple(line: bytes) -> bytes | None:
    return line[1:] if line.startswith(b"+") else None
