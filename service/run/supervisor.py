"""The processes that `bricabrac serve` starts, listens to, ends when they are silent, and starts again."""

import logging
import os
import subprocess
import sys
import time
from collections.abc import Collection
from dataclasses import dataclass

from service.run import child

STOP_PATIENCE_S = 10.0  # for a child to end by itself
STEADY_S = 10.0  # a child that has run so long may fail again without a wait
LONGEST_WAIT_S = 5.0  # between two starts of a child that keeps failing
START_PATIENCE_S = 60.0  # until the first heartbeat
SILENCE_S = 4.0  # that is endured after a heartbeat is overdue
log = logging.getLogger("bricabrac.serve")


@dataclass
class Child:
    """A process that is started again when it ends, and ended when it is silent."""

    name: str
    command: list[str]
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    wait: float = 0.0
    heard: bool = False
    silent: float | None = None  # since when

    def start(self) -> None:
        """Start it."""
        self.started, self.heard, self.silent = time.monotonic(), False, None
        self.process = child.start([sys.executable, *self.command], env=self.environment)

    def tick(self, living: Collection[int] | None) -> None:
        """Do what is due; `living` are the processes whose heartbeat is not overdue, None if nobody knows."""
        if self.process is None:
            return
        if self.process.poll() is not None:
            self._revive(self.process.returncode)
        elif self._is_silent(self.process.pid, living):
            log.warning("The %s does not respond; stopping it.", self.name)
            self.process.kill()

    def stop(self) -> None:
        """Ask it to end, and end it if it does not."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(STOP_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _revive(self, status: int) -> None:
        """Start it again; the wait grows while it keeps ending at once."""
        ran = time.monotonic() - self.started
        if ran < self.wait:
            return
        self.wait = 0.0 if ran > STEADY_S else min(LONGEST_WAIT_S, 2 * self.wait or 0.2)
        log.warning("The %s exited with status %d; restarting it.", self.name, status)
        self.start()

    def _is_silent(self, pid: int, living: Collection[int] | None) -> bool:
        """Whether it has given no sign of life for too long: none at all, or none since it is overdue."""
        now = time.monotonic()
        self.heard = self.heard or pid in (living or ())
        overdue = living is not None and pid not in living
        expected = self.heard or now - self.started > START_PATIENCE_S
        if not _is_stopped(pid) and not (overdue and expected):
            self.silent = None
        elif self.silent is None:
            self.silent = now
        return self.silent is not None and now - self.silent > SILENCE_S


def _is_stopped(pid: int) -> bool:
    """Whether a child was stopped by a signal: the master of the HTTP workers has no heartbeat of its own."""
    return os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
