"""A load generator that costs little: closed loops over kept connections, requests built beforehand.

It runs in a process of its own and does nothing but send and wait. A task is a list of requests that have to
be sent in order, as the commands of a match; every lane works on one task at a time. With several
connections a lane, each request names the one it goes by, as the players of a match would.
"""

import re
import selectors
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Self, TypeAlias

HOST = "127.0.0.1"
PATIENCE = 20.0  # seconds without any answer
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
CLOSING = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)

Request: TypeAlias = tuple[int, bytes]
Task: TypeAlias = Sequence[Request]


@dataclass(frozen=True, slots=True)
class Driven:
    """Requests answered, answers a second while all lanes were busy, seconds that each answer took.

    The first answer of each lane is not timed: nowhere else does everybody begin at once.
    """

    done: int
    rate: float
    latencies: list[float]


def post(path: str, body: bytes, **headers: str) -> bytes:
    """A request as it goes over the wire; `_` in a header's name stands for `-`."""
    lines = [f"POST {path} HTTP/1.1", f"Host: {HOST}", "Content-Type: application/json"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body


def drive(port: int, tasks: Sequence[Task], lanes: int, connections: int = 1) -> Driven:
    """Do all the tasks; every answer has to be a 2xx."""
    with _Drive(port, tasks) as driving:
        return driving.run(lanes, connections)


@dataclass(eq=False)
class _Lane:
    lines: list[socket.socket | None]
    task: Iterator[Request] = field(default_factory=lambda: iter(()))
    line: int = 0
    sent: float = 0.0
    timed: bool = False
    answer: bytes = b""


class _Drive(ExitStack):
    """One run of the generator."""

    def __init__(self, port: int, tasks: Sequence[Task]) -> None:
        super().__init__()
        self.port, self.tasks = port, iter(tasks)
        self.busy = self.done = 0
        self.rate = 0.0
        self.began = time.perf_counter()
        self.latencies: list[float] = []

    def __enter__(self) -> Self:
        super().__enter__()
        self.ready = self.enter_context(selectors.DefaultSelector())
        return self

    def run(self, lanes: int, connections: int) -> Driven:
        """Keep every lane busy until its work is over."""
        for _ in range(lanes):  # each sends at once, so that whoever accepted one is busy when the next comes
            self._send(_Lane([None] * connections))
        while self.busy:
            ready = self.ready.select(PATIENCE)
            if not ready:
                raise TimeoutError(f"no answer within {PATIENCE:.0f} seconds")
            for key, _ in ready:
                self._receive(key.data)
        return Driven(self.done, self.rate, self.latencies)

    def _send(self, lane: _Lane) -> None:
        request = self._next(lane)
        if request is None:
            self.rate = self.rate or self.done / (time.perf_counter() - self.began)
            return
        lane.line, written = request[0] % len(lane.lines), request[1]
        line = lane.lines[lane.line] = lane.lines[lane.line] or self._connect(lane)
        lane.answer, lane.sent = b"", time.perf_counter()
        line.sendall(written)
        self.busy += 1

    def _next(self, lane: _Lane) -> Request | None:
        while (request := next(lane.task, None)) is None:
            task = next(self.tasks, None)
            if task is None:
                return None
            lane.task = iter(task)
        return request

    def _receive(self, lane: _Lane) -> None:
        line = lane.lines[lane.line]
        assert line is not None  # it was sent to
        chunk = line.recv(65536)
        if not chunk:
            raise ConnectionError("the connection was closed before the answer was whole")
        lane.answer += chunk
        head, separator, body = lane.answer.partition(b"\r\n\r\n")
        if not separator or len(body) < int(_length(head)):
            return
        if not head.startswith(b"HTTP/1.1 2"):
            raise ValueError(f"refused: {lane.answer.decode(errors='replace')}")
        if lane.timed:
            self.latencies.append(time.perf_counter() - lane.sent)
        lane.timed = True
        self.done += 1
        self.busy -= 1
        if CLOSING.search(head):
            self.ready.unregister(line)
            line.close()
            lane.lines[lane.line] = None
        self._send(lane)

    def _connect(self, lane: _Lane) -> socket.socket:
        line = self.enter_context(socket.create_connection((HOST, self.port), PATIENCE))
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.ready.register(line, selectors.EVENT_READ, lane)
        return line


def _length(head: bytes) -> bytes:
    found = LENGTH.search(head)
    if found is None:
        raise ValueError(f"an answer without a length: {head!r}")
    return found[1]
