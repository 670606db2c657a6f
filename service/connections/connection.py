"""A connection with deadlines: for a whole head and for a whole body, however many bytes come in between.

gunicorn reads from it as from a socket: a head (timed from the first byte, or from the beginning of the
connection), then a body, and after the answer the next head. A deadline is absolute: dripping buys no time.
"""

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gevent import get_hub, spawn

from service.connections.errors import RequestTimeoutError, TooManyUnfinishedError
from service.connections.unfinished import Unfinished

READABLE = 1  # of an event loop's watcher
SILENT = b""  # what a connection says that is closed


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds for a head, for a body, and for taking the last answer."""

    head_s: float
    body_s: float
    linger_s: float = 2.0


class Line:
    """One connection; everything but reading is the socket's own."""

    def __init__(self, sock: Any, peer: str | None, deadlines: Deadlines, unfinished: Unfinished) -> None:
        self.since = time.monotonic()
        self._sock, self._peer, self._deadlines, self._unfinished = sock, peer, deadlines, unfinished
        self._caller = peer
        self._deadline: float | None = self.since + deadlines.head_s
        self._begun = self._in_body = self._lingers = self._cut = False
        unfinished.add(self, peer)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def recv(self, size: int, flags: int = 0) -> bytes:
        """What comes next; b"" at the end. RequestTimeoutError, TooManyUnfinishedError."""
        if self._in_body:
            self._unfinished.add(self, self._caller)
        try:
            received = self._receive(size, flags)
        finally:
            if self._in_body:
                self._unfinished.remove(self)
        if self._cut and self._begun and not self._lingers:
            raise TooManyUnfinishedError("Too many requests of yours are unfinished: finish one first.")
        if received and not self._begun:
            self._begun, self.since = True, time.monotonic()
            self._deadline = self._deadline or self.since + self._deadlines.head_s
        return received

    def _receive(self, size: int, flags: int) -> bytes:
        left = None if self._deadline is None else self._deadline - time.monotonic()
        if self._cut or (left is not None and left <= 0):
            return self._late()
        self._sock.settimeout(left)
        try:
            received: bytes = self._sock.recv(size, flags)
        except TimeoutError:
            return self._late()
        except OSError:
            if self._cut:  # so gevent tells who waits that the socket was shut
                return SILENT
            raise
        return received

    def _late(self) -> bytes:
        """The deadline has passed: a caller who has sent nothing gets no answer."""
        silent, self._cut = self._cut or self._lingers or not self._begun, True
        if silent:
            return SILENT
        part, seconds = (
            ("body", self._deadlines.body_s) if self._in_body else ("head", self._deadlines.head_s)
        )
        raise RequestTimeoutError(f"The {part} of a request must arrive in full within {seconds:g} seconds.")

    def head_read(self, caller: str | None) -> None:
        """The head has come, from `caller` (behind a proxy not the peer): a body may follow."""
        self._unfinished.remove(self)
        self._caller, self._in_body = caller, True
        self._deadline = time.monotonic() + self._deadlines.body_s
        self._sock.settimeout(None)

    def answered(self) -> None:
        """The request is answered; the next one is owed from its first byte on."""
        self._begun = self._in_body = False
        self.since, self._deadline = time.monotonic(), None
        self._unfinished.add(self, self._peer)

    def watch(self, gone: Callable[[], None]) -> Callable[[], None]:
        """Call `gone`, once, when the caller closes the connection while we work; returns how to stop it.

        A caller who only says that no more will come counts as gone: what waits for news is answered at once.
        """
        watcher = get_hub().loop.io(self._sock.fileno(), READABLE)

        def look() -> None:
            try:
                more = self._sock._sock.recv(1, socket.MSG_PEEK)  # noqa: SLF001  the plain one, which never waits
            except BlockingIOError:
                return
            except OSError:
                more = SILENT
            watcher.stop()  # after the next request has come, too: it would be seen again and again
            if not more:
                spawn(gone)

        def unwatch() -> None:
            watcher.stop()
            watcher.close()

        watcher.start(look)
        return unwatch

    def cut(self) -> None:
        """Wait no longer for what is owed."""
        self._cut = True
        try:
            self._sock.shutdown(socket.SHUT_RD)
        except OSError:
            return  # gone already

    def end(self, most_drained: int) -> None:
        """Close it, so that the last answer is not lost with what was not read; at once where it was cut."""
        try:
            if not self._cut:
                self._linger(most_drained)
        except OSError:
            return  # gone already
        finally:
            self._unfinished.remove(self)
            self._sock.close()

    def _linger(self, most_drained: int) -> None:
        self.since = time.monotonic()
        self._in_body, self._lingers, self._deadline = False, True, self.since + self._deadlines.linger_s
        self._unfinished.add(self, self._peer)
        self._sock.shutdown(socket.SHUT_WR)
        drained = 0
        while drained < most_drained and (read := self.recv(4096)):
            drained += len(read)
