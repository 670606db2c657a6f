"""A line to a server that can be cut before a request arrives, or before its answer does."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Literal

from service.run.data_folder import socket_path
from service.run.embedded import EmbeddedServer
from tests.servers import HOST

Cut = Literal["request", "answer"]


class Line:
    """Passes on what a client and a server say, until it is told to cut what comes next with `of` in it."""

    def __init__(self, server: EmbeddedServer) -> None:
        self.cut: Cut | None = None
        self.of = b""
        self._silenced = 0  # connections up to this one
        self._accepted = 0
        self._server = server
        self._listener = socket.create_server((HOST, 0))
        Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        """Where the server answers by this line."""
        return f"redis://{HOST}:{self._listener.getsockname()[1]}/0"

    def silence(self) -> None:
        """Let nothing more through over the connections that stand, without closing them; new ones work."""
        self._silenced = self._accepted

    def close(self) -> None:
        """Take no more calls."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._accepted += 1
                Thread(target=self._pass_on, args=(client, self._accepted), daemon=True).start()

    def _pass_on(self, client: socket.socket, number: int) -> None:
        """One request, one answer, as our client speaks."""
        with client, socket.socket(socket.AF_UNIX) as server, suppress(OSError):
            server.connect(str(socket_path(self._server.folder)))
            while request := client.recv(1 << 20):
                cut = self.cut if self.of in request else None
                if cut == "request":
                    self.cut = None
                    return
                server.sendall(request)
                answer = server.recv(1 << 20)
                if number <= self._silenced:
                    continue
                if cut == "answer":
                    self.cut = None
                    return
                client.sendall(answer)


@contextmanager
def line_to(server: EmbeddedServer) -> Iterator[Line]:
    """A line, closed in the end."""
    line = Line(server)
    try:
        yield line
    finally:
        line.close()
