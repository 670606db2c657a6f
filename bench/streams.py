"""Event streams: how soon a commit is with everybody who listens, and what idle listeners cost all others.

A delivery is timed from sending the command to the arrival of its event, and set against the time that the
same command's answer takes where nobody listens. The idle crowd listens to many matches in which nothing
happens, while others play; the service without it has a store of its own, so that the crowd's reader does not
follow it.
"""

import socket
import time
from collections.abc import Iterator
from itertools import count, islice
from statistics import median, quantiles

import click

from bench.http import CLIENTS, MATCHES, Window, say, window
from bench.load import PATIENCE
from bench.matches import SEATS, commands, lay, over
from bench.stage import Http, Stage
from bench.subscribers import HOST, Crowd
from service.matches.play import Play
from service.run.embedded import EmbeddedServer

CROWDS = (500, 2000)
IDLE_MATCHES = 200
MANY = {"STREAMS_PER_CALLER": "100000", "STREAMS_PER_PROCESS": "3900"}


def measure(stage: Stage) -> dict[str, float]:
    """All figures of streams; a quick run has small crowds."""
    busy, calm = stage.store(), stage.store()
    service = stage.http("service.wsgi:app", busy, environment=MANY)
    other = stage.http("service.wsgi:app", calm, environment=MANY)
    play, number = over(busy), count()
    alone = median(took for took, _ in _each(service, play, next(number), stage.times(40, 5), None))
    found = {}
    for size in CROWDS:
        waits = _deliveries(
            service, play, next(number), stage.times(40, 3), size // (10 if stage.quick else 1)
        )
        found[f"sse_delivery_{size}_p50_over_command"] = median(waits) / alone
        found[f"sse_delivery_{size}_p99_over_command"] = quantiles(waits, n=100)[-1] / alone
        shown = f"p50 {median(waits) * 1e3:.1f} ms, p99 {quantiles(waits, n=100)[-1] * 1e3:.1f} ms"
        click.echo(f"  a commit to {size} streams: {shown}; a command alone: {alone * 1e3:.1f} ms", err=True)
    return found | _idle(stage, (service, busy), (other, calm))


def _deliveries(http: Http, play: Play, number: int, repeats: int, size: int) -> list[float]:
    """Seconds from sending a command to the arrival of its event, for each of so many subscribers."""
    match = lay(play, SEATS, number, "streams").result.loaded.id
    with Crowd(http.port, [match] * size) as crowd:
        return [wait for _, waits in _each(http, play, number, repeats, crowd) for wait in waits]


def _each(
    http: Http, play: Play, number: int, repeats: int, crowd: Crowd | None
) -> Iterator[tuple[float, list[float]]]:
    """Seconds until a command's answer, and until its arrivals, one command after the other."""
    (requests,) = commands(play, "streams", [number])
    with socket.create_connection((HOST, http.port), PATIENCE) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for version, (_, request) in enumerate(islice(requests, repeats), start=2):
            sent = time.monotonic()
            line.sendall(request)
            _answer(line)
            took = time.monotonic() - sent
            arrivals = [] if crowd is None else crowd.arrivals(version)
            yield took, [arrival - sent for arrival in arrivals]


def _answer(line: socket.socket) -> None:
    told = b""
    while b"\r\n\r\n" not in told:
        told += line.recv(65536)
    head, _, body = told.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 2"):
        raise ValueError(f"refused: {told!r}")
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    while len(body) < length:
        body += line.recv(65536)


def _idle(
    stage: Stage, crowded: tuple[Http, EmbeddedServer], calm: tuple[Http, EmbeddedServer]
) -> dict[str, float]:
    """The same load on a service whose 2,000 streams are silent, and on one that has none."""
    size = 100 if stage.quick else CROWDS[-1]
    sides = {"none": calm, "streams": crowded}
    plays, numbers = {name: over(store) for name, (_, store) in sides.items()}, count(1000)
    idle = [lay(plays["streams"], SEATS, n, "idle").result.loaded.id for n in range(IDLE_MATCHES)]

    def stretch(name: str) -> Window:
        tasks = commands(plays[name], name, islice(numbers, MATCHES[CLIENTS]))
        return window(stage, sides[name][0], tasks, CLIENTS)

    with Crowd(crowded[0].port, [idle[n % IDLE_MATCHES] for n in range(size)]):
        stretch("none"), stretch("streams")
        rounds = [{name: stretch(name) for name in sides} for _ in range(stage.times(7))]
    for name in sides:
        say((name, CLIENTS), [each[name] for each in rounds])
    return {
        "http_p99_2000_streams_over_none": median(each["streams"].p99 / each["none"].p99 for each in rounds),
        "http_commands_2000_streams_over_none": median(
            each["streams"].rate / each["none"].rate for each in rounds
        ),
    }
