"""An attempt in progress: what has arrived of the answer, and its connections, which can be cut.

Time-outs of sockets count from byte to byte: who drips a byte a second is never late. So an attempt is cut
off by the clock, and what had come by then counts: the status above all, whose line comes first.
"""

import socket
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from http.client import HTTPResponse
from threading import Lock
from typing import Any, TypeAlias

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

SNIPPET = 200  # characters of an answer that are kept
ENOUGH = 4 * SNIPPET  # bytes that hold so many
FIRST_FINAL = 200  # a status below this is followed by another
LATE = "There was no complete answer in time."
Pools: TypeAlias = dict[str, type[HTTPConnectionPool]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt went: the status (None without an answer), a snippet, the wait that was asked for."""

    status: int | None
    snippet: str
    wait_ms: int = 0

    @property
    def taken(self) -> bool:
        """Whether it counts: any 2xx."""
        return self.status is not None and 200 <= self.status < 300


class UnderWay:
    """One attempt; `began` is when (ms). Its own thread writes; others cut it off and ask how it went."""

    def __init__(self, began: int) -> None:
        self.began, self.wait_ms = began, 0
        self.status: int | None = None
        self.body = b""
        self.flaw = LATE
        self._lock, self._late = Lock(), False
        self._lines = list[socket.socket]()

    def hold(self, line: socket.socket) -> None:
        """Remember a connection; TimeoutError if it comes too late."""
        with self._lock:
            if self._late:
                raise TimeoutError(LATE)
            self._lines.append(line.dup())  # TLS takes the socket itself away

    def cut(self) -> None:
        """The time is up: end its connections."""
        with self._lock:
            self._late = True
            for line in self._lines:
                with suppress(OSError):  # the other side was faster
                    line.shutdown(socket.SHUT_RDWR)

    def fail(self, flaw: str) -> None:
        """Why there is no answer; what comes of a connection that was cut is that it was late."""
        with self._lock:
            if not self._late:
                self.flaw = flaw

    def close(self) -> None:
        """It has ended."""
        with self._lock:
            self._late = True
            while self._lines:
                self._lines.pop().close()

    def outcome(self) -> Outcome:
        """How it went, or how far it has come."""
        if self.status is None:
            return Outcome(None, self.flaw)
        return Outcome(self.status, self.body.decode(errors="replace")[:SNIPPET], self.wait_ms)


UNDER_WAY: ContextVar[UnderWay] = ContextVar("under_way")


class _Answer(HTTPResponse):
    """An answer that tells its status before its headers are complete."""

    def _read_status(self) -> tuple[str, int, str]:
        version, status, reason = super()._read_status()  # type: ignore[misc]  # typeshed leaves it out
        if status >= FIRST_FINAL:
            UNDER_WAY.get().status = status
        return version, status, reason


def _held(line: Any) -> Any:
    """A fresh connection that can be cut."""
    try:
        UNDER_WAY.get().hold(line)
    except TimeoutError:
        line.close()
        raise
    return line


class _Http(HTTPConnection):
    response_class = _Answer

    def _new_conn(self) -> socket.socket:
        return _held(super()._new_conn())  # type: ignore[no-any-return]


class _Https(HTTPSConnection):
    response_class = _Answer

    def _new_conn(self) -> socket.socket:
        return _held(super()._new_conn())  # type: ignore[no-any-return]


class _HttpPool(HTTPConnectionPool):
    ConnectionCls = _Http


class _HttpsPool(HTTPSConnectionPool):
    ConnectionCls = _Https


POOLS: Pools = {"http": _HttpPool, "https": _HttpsPool}
