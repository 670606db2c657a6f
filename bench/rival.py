"""How soon the rival moves, against the bare start of an RQ job on the same server in the same minute.

The whole service runs: HTTP, relay, one worker. From the answer to the last human command of a turn to the
rival's commit being readable in the log; against the call of `enqueue` to the first line of the job. In
turns, with the same pause before each, for what has been idle wakes up slowly.
"""

import time
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection
from itertools import count
from statistics import median, quantiles
from typing import Any

import click

from bench.matches import Seated, lay, over, script
from bench.queueing import starts
from bench.stage import HOST, NOTHING, Stage, free_port, wait_for_http
from domain.match.rules import seat_name
from service.redis_store.client import connect
from service.redis_store.key_names import Keys
from service.run.embedded import EmbeddedServer

PAUSE = 0.03  # seconds
WARM_UP = 6
PATIENCE = 20.0  # seconds
PARTITIONS = 64


def measure(stage: Stage) -> dict[str, float]:
    """Percentiles over all turns and all starts."""
    store = stage.store()
    port = serve(stage, store)
    for kind in ("simple", "fork"):
        stage.python(["-m", "bench.job_worker", kind], store, {})
    client: Any = connect(store.url, blocking=PATIENCE)
    sources = [rival_turns(store, port), starts(client, "simple"), starts(client, "fork")]
    taken = [[paced(source) for source in sources] for _ in range(WARM_UP + stage.times(250, 30))]
    rival, simple, fork = zip(*taken[WARM_UP:], strict=True)
    for kind, times in (("rival", rival), ("simple", simple), ("fork", fork)):
        p50, p99 = median(times) * 1e3, quantiles(times, n=100)[-1] * 1e3
        click.echo(f"  {kind:7} median {p50:6.1f} ms, p99 {p99:6.1f} ms", err=True)
    return {
        "rival_latency_over_rq_start_p50": median(rival) / median(simple),
        "rival_latency_over_rq_start_p99": quantiles(rival, n=100)[-1] / quantiles(simple, n=100)[-1],
        "rq_simple_over_fork_start": median(simple) / median(fork),
    }


def paced(source: Iterator[float]) -> float:
    """The next of it, after a pause."""
    time.sleep(PAUSE)
    return next(source)


def rival_turns(store: EmbeddedServer, port: int) -> Iterator[float]:
    """Solo matches, one after the other: seconds from a human's commit to the rival's."""
    log, play = _Log(store), over(store)
    for number in count():
        yield from _turns(lay(play, 1, number, "rival"), number, log, HTTPConnection(HOST, port))


def _turns(seated: Seated, number: int, log: "_Log", line: HTTPConnection) -> Iterator[float]:
    match, human = seated.result.loaded.id, False
    for version, step in enumerate(script(1, number), start=2):
        if not step.job:
            _send(line, match, seated.tokens[seat_name(step.seat)], step.body)
            human, answered = True, time.perf_counter()
            continue
        log.wait(match, version)
        if human and step.job == "take_turn":
            yield time.perf_counter() - answered
        human = False


def _send(line: HTTPConnection, match: str, token: str, body: bytes) -> None:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    line.request("POST", f"/v1/matches/{match}/commands", body, headers)
    answer = line.getresponse()
    told = answer.read()
    if answer.status != 201:
        raise ValueError(f"refused: {told.decode()}")


class _Log:
    """Waits for commits without asking again and again, which would slow down what is waited for."""

    def __init__(self, store: EmbeddedServer) -> None:
        self._client: Any = connect(store.url, blocking=PATIENCE)
        self._keys = Keys(PARTITIONS)

    def wait(self, match: str, version: int) -> None:
        """Return once that commit can be read."""
        after = {self._keys.of_match(match, "log"): f"{version - 1}-0"}
        if not self._client.xread(after, count=1, block=int(PATIENCE * 1000)):
            raise TimeoutError(f"commit {version} of {match} did not come within {PATIENCE:.0f} seconds")


def serve(stage: Stage, store: EmbeddedServer, environment: Mapping[str, str] = NOTHING) -> int:
    """The whole service with one worker a kind; the port it listens at."""
    port = free_port()
    more = {"PORT": str(port), "JOB_WORKERS": "1", **environment}
    served = stage.python(["-m", "service.cli.main", "serve"], store, more)
    wait_for_http(port, served)
    return port
