"""A receiver that takes a request and answers a byte at a time, for ever."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread

EVERY_S = 0.05


class Dripping:
    """Answers `begins` to whoever calls, and then a `z` now and then; `open` lines are answered right now."""

    def __init__(self, begins: bytes, listening: socket.socket) -> None:
        self.begins, self.listening = begins, listening
        self.url = f"http://localhost:{listening.getsockname()[1]}/"
        self.due_task = self.open = self.most = 0
        self.stop, self._lock = Event(), Lock()

    def accept(self) -> None:
        """Take calls until the listening ends."""
        with suppress(OSError):
            while True:
                line, _ = self.listening.accept()
                Thread(target=self._drip, args=(line,), daemon=True).start()

    def _drip(self, line: socket.socket) -> None:
        self._count(1)
        with line, suppress(OSError):
            line.recv(65536)
            line.sendall(self.begins)
            while not self.stop.wait(EVERY_S):
                line.sendall(b"z")
        self._count(-1)

    def _count(self, more: int) -> None:
        with self._lock:
            self.open += more
            self.due_task += more > 0
            self.most = max(self.most, self.open)


@contextmanager
def dripping(begins: bytes) -> Iterator[Dripping]:
    """A dripping receiver on a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        slow = Dripping(begins, listening)
        taking = Thread(target=slow.accept, daemon=True)
        taking.start()
        try:
            yield slow
        finally:
            slow.stop.set()
            listening.shutdown(socket.SHUT_RDWR)
            taking.join()
