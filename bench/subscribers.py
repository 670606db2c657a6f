"""A crowd that listens to event streams, in a process of its own, and notes when each commit came."""

import multiprocessing
import resource
import selectors
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self

HOST = "127.0.0.1"
PORTION = 25  # connections that are opened at a time
PATIENCE = 60.0  # seconds without what is waited for
COMMIT = b"event: commit\nid: "


class Crowd:
    """Subscribers of matches, one for each name in the list; all of them listen once it is entered."""

    def __init__(self, port: int, matches: Sequence[str]) -> None:
        spawning = multiprocessing.get_context("spawn")
        self._ours, theirs = spawning.Pipe()
        self._process = spawning.Process(target=_listen, args=(theirs, port, list(matches)), daemon=True)

    def __enter__(self) -> Self:
        self._process.start()
        self._told()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.join()

    def arrivals(self, version: int) -> list[float]:
        """When the commit of this version came to each, by the monotonic clock, once all have it."""
        self._ours.send(version)
        times: list[float] = self._told()
        return times

    def _told(self) -> Any:
        if not self._ours.poll(PATIENCE):
            raise TimeoutError("the crowd has not got what it waits for")
        return self._ours.recv()


@dataclass(eq=False)
class _Subscriber:
    line: socket.socket
    begun: bool = False
    rest: bytes = b""
    came: dict[int, float] = field(default_factory=dict)

    def read(self) -> None:
        """Note what has come; only whole events count."""
        chunk, moment = self.line.recv(65536), time.monotonic()
        if not chunk:
            raise ConnectionError("a stream was closed")
        *events, self.rest = (self.rest + chunk).split(b"\n\n")
        for event in events:
            if not self.begun and b" 200 " not in event.split(b"\r\n", 1)[0]:
                raise ConnectionError(f"refused: {event[:200]!r}")
            self.begun = True
            if COMMIT in event:
                version = event.split(COMMIT, 1)[1].split(b"\n", 1)[0]
                self.came[int(version.partition(b"-")[0])] = moment


def _listen(theirs: Connection, port: int, matches: list[str]) -> None:
    """The process of the crowd."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    ready, crowd = selectors.DefaultSelector(), list[_Subscriber]()
    for start in range(0, len(matches), PORTION):
        portion = [_Subscriber(_connected(port, match)) for match in matches[start : start + PORTION]]
        for one in portion:
            ready.register(one.line, selectors.EVENT_READ, one)
        crowd += portion
        while not all(one.begun for one in portion):
            _read(ready)
    theirs.send(None)
    ready.register(theirs, selectors.EVENT_READ)
    wanted = 0
    while True:
        for key in _read(ready):
            wanted = theirs.recv() if key.fileobj is theirs else wanted
        if wanted and all(wanted in one.came for one in crowd):
            theirs.send([one.came[wanted] for one in crowd])
            wanted = 0


def _read(ready: selectors.BaseSelector) -> list[selectors.SelectorKey]:
    """Whatever has come; the keys that were ready."""
    keys = [key for key, _ in ready.select(PATIENCE)]
    for key in keys:
        if key.data is not None:
            key.data.read()
    return keys


def _connected(port: int, match: str) -> socket.socket:
    line = socket.create_connection((HOST, port), PATIENCE)
    asked = f"GET /v1/matches/{match}/log HTTP/1.1\r\nHost: {HOST}\r\nAccept: text/event-stream\r\n\r\n"
    line.sendall(asked.encode())
    return line
