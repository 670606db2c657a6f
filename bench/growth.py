"""Whether a command costs more in a long match than in a short one, and what loading the long one costs.

Cost is processor time, of the one worker and of the store: it does not depend on who else uses the machine.
"""

import time
from dataclasses import dataclass
from statistics import median

import httpx
import orjson

from bench import endless
from bench.load import Task, drive
from bench.matches import command, over
from bench.processes import processor_seconds
from bench.stage import HOST, Http, Stage
from service.matches.play import Play
from service.run.embedded import EmbeddedServer

LONG, SHORT = 10_000, 10  # commits
BATCH = 50
COMMANDS = 250  # sent for one window, to each match
LOADS = 9
COUNT = {"type": "count"}


def cost(stage: Stage, http: Http, store: EmbeddedServer, tasks: list[Task]) -> float:
    """Seconds of processor time of worker and store for one of these requests, sent by one client."""
    processes = [*http.workers(), store.process.pid]
    before = processor_seconds(processes)
    driven = stage.apart(drive, http.port, tasks, 1)
    return (processor_seconds(processes) - before) / driven.done


@dataclass
class Match:
    """A match of the endless game."""

    id: str
    token: str
    sent: int = 0

    def requests(self, number: int, batch: int = 1) -> Task:
        """So many requests more, each of one command or a batch of them."""
        body = orjson.dumps([COUNT] * batch if batch > 1 else COUNT)
        first, self.sent = self.sent, self.sent + number
        return [(0, command(self.id, self.token, f"{self.id}-{n}", body)) for n in range(first, self.sent)]


def begin(http: Http) -> Match:
    """A new match of one commit."""
    asked = {"game": "endless", "seats": [{"name": "Ann"}]}
    created = httpx.post(f"http://{HOST}:{http.port}/v1/matches", json=asked).raise_for_status().json()
    return Match(created["match"]["id"], created["tokens"]["seat:0"])


def measure(stage: Stage) -> dict[str, float]:
    """A long match against a new short one in every round."""
    store = stage.store()
    http = stage.http(f"{endless.__name__}:create_app()", store, 1)
    long, ratios = begin(http), []
    batches = -(-(LONG - 1) // BATCH)
    stage.apart(drive, http.port, [long.requests(batches, BATCH)], 1)
    for number in range(stage.times(11)):
        short = begin(http)
        stage.apart(drive, http.port, [short.requests(SHORT - 1)], 1)
        order = (long, short) if number % 2 else (short, long)
        costs = {match.id: cost(stage, http, store, [match.requests(COMMANDS)]) for match in order}
        ratios.append(costs[long.id] / costs[short.id])
    short = begin(http)
    stage.apart(drive, http.port, [short.requests(SHORT - 1)], 1)
    return {
        "command_cost_10000_over_10_commits": median(ratios),
        "cold_load_10000_over_10_commits": _cold_loads(store, long.id, short.id),
    }


def _cold_loads(store: EmbeddedServer, long: str, short: str) -> float:
    """By somebody who has seen neither match; the very first, which is not counted, leaves a snapshot."""
    journal = over(store).journal
    took: dict[str, list[float]] = {long: [], short: []}
    for match in (long, short, *(long, short) * LOADS):
        began = time.perf_counter()
        Play(journal).load(match)
        took[match].append(time.perf_counter() - began)
    return median(took[long][1:]) / median(took[short][1:])
