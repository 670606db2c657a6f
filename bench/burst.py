"""A thousand requests at the same moment, each on its own connection, against the same over 16 kept ones."""

import selectors
import socket
import time
from contextlib import ExitStack
from statistics import median

from bench.load import HOST, drive
from bench.matches import SEATS, lay, over
from bench.stage import Stage

CROWD = 1000
LANES = 16
PATIENCE_S = 60.0


def measure(stage: Stage) -> dict[str, float]:
    """How long the last one waits, and how many are not given what they asked for."""
    store = stage.store()
    served = stage.http("service.wsgi:app", store)
    match = lay(over(store), SEATS, 0, "burst").result.loaded.id
    kept = f"GET /v1/matches/{match} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
    once = kept.replace(b"Host", b"Connection: close\r\nHost")
    stage.apart(drive, served.port, [[(0, kept)] * 100] * LANES, LANES)  # everything is warm
    slower, lost = [], 0
    for _ in range(stage.times(7)):
        closed_loop = (
            CROWD / stage.apart(drive, served.port, [[(0, kept)] * (CROWD // LANES)] * LANES, LANES).rate
        )
        seconds, refused = stage.apart(burst, served.port, once, CROWD)
        slower.append(seconds / closed_loop)
        lost += refused
    return {"burst_1000_last_over_closed_loop": median(slower), "burst_1000_refused": float(lost)}


def burst(port: int, request: bytes, crowd: int) -> tuple[float, int]:
    """Seconds until the last answer, and how many were not a 200."""
    answers: dict[socket.socket, bytes] = {}
    with ExitStack() as opened, selectors.DefaultSelector() as ready:
        for _ in range(crowd):
            line = opened.enter_context(socket.create_connection((HOST, port), PATIENCE_S))
            answers[line] = b""
            ready.register(line, selectors.EVENT_READ, line)
        began = time.perf_counter()
        for line in answers:
            line.sendall(request)
        while ready.get_map():
            for key, _ in ready.select(PATIENCE_S):
                more = key.data.recv(65536)
                answers[key.data] += more
                if not more:
                    ready.unregister(key.data)
        seconds = time.perf_counter() - began
    return seconds, sum(not answer.startswith(b"HTTP/1.1 200") for answer in answers.values())
