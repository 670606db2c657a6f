"""A server that gives one reply to whatever it is asked, but for a client's first words and its settings."""

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread

HOST = "127.0.0.1"
COMMAND = re.compile(rb"^\*\d+\r$", re.MULTILINE)  # its first line; a pipeline has several


@contextmanager
def replying(reply: bytes) -> Iterator[str]:
    """Where it listens, as a URL."""
    listener = socket.create_server((HOST, 0))
    Thread(target=_accept, args=(listener, reply), daemon=True).start()
    try:
        yield f"redis://{HOST}:{listener.getsockname()[1]}/0"
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def _accept(listener: socket.socket, reply: bytes) -> None:
    with suppress(OSError):
        while True:
            client, _ = listener.accept()
            Thread(target=_answer, args=(client, reply), daemon=True).start()


def _answer(client: socket.socket, reply: bytes) -> None:
    with client, suppress(OSError):
        while asked := client.recv(1 << 20):
            one = b"+OK\r\n" if b"SETINFO" in asked else b"-ERR not here\r\n" if b"CONFIG" in asked else reply
            client.sendall(one * len(COMMAND.findall(asked)))
