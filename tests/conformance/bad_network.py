"""A bad network: whatever goes through it is cut off now and then, in either direction, in mid-sentence."""

import random
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

CHUNK = 65536


@dataclass
class BadNetwork:
    """A way to a port of this machine, at `url`, that cuts so many of a hundred pieces."""

    port: int
    percent: int
    cuts: int = 0
    dice: random.Random = field(default_factory=lambda: random.Random(7))
    listener: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def serve(self) -> None:
        """Let connections in until the listener is closed."""
        with suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                far = socket.create_connection(("127.0.0.1", self.port))
                for here, there in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(here, there), daemon=True).start()

    def _pass_on(self, here: socket.socket, there: socket.socket) -> None:
        with suppress(OSError):
            while piece := here.recv(CHUNK):
                if self.dice.randrange(100) < self.percent:
                    self.cuts += 1
                    there.sendall(piece[: self.dice.randrange(len(piece))])
                    break
                there.sendall(piece)
        for end in (here, there):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@contextmanager
def bad_network(url: str, percent: int = 5) -> Iterator[BadNetwork]:
    """A bad network before a service."""
    network = BadNetwork(int(url.rsplit(":", 1)[1]), percent)
    threading.Thread(target=network.serve, daemon=True).start()
    try:
        yield network
    finally:
        network.listener.shutdown(socket.SHUT_RDWR)  # wakes who waits for a connection
        network.listener.close()
