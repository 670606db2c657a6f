"""Commands over HTTP against the floors, in turns: requests a second, processor time, slow answers.

Every client owns a match of four, as in a tournament, and sends all its commands; that it was laid beside
the service and has to be loaded once is part of it. `apart` is the same with a connection for every seat, so
that a match's commands meet every worker and its cache.
"""

from dataclasses import dataclass
from itertools import count, islice
from operator import attrgetter
from statistics import median, quantiles

import click

from bench import floor
from bench.load import Task, drive
from bench.matches import SEATS, commands, over, script
from bench.processes import processor_seconds
from bench.stage import Http, Stage

CLIENTS = 16
MATCHES = {1: 4, CLIENTS: 16}  # played in one window, all of them to the end
TIMES = {"null": 3, "append": 2, "commands": 1, "apart": 1}  # as many requests, for they take less time
Round = dict[tuple[str, int], "Window"]


@dataclass(frozen=True, slots=True)
class Window:
    """What one stretch of load has shown: answers a second, seconds of processor time each, slow answers."""

    rate: float
    cost: float
    p99: float


def window(stage: Stage, http: Http, tasks: list[Task], clients: int, connections: int = 1) -> Window:
    """Load of so many clients, and what the workers have used for it."""
    workers = http.workers()
    before = processor_seconds(workers)
    driven = stage.apart(drive, http.port, tasks, clients, connections)
    used = processor_seconds(workers) - before
    return Window(driven.rate, used / driven.done, quantiles(driven.latencies, n=100)[-1])


class Bench:
    """The service and the floors over one store, and an endless supply of matches."""

    def __init__(self, stage: Stage) -> None:
        self.stage, store = stage, stage.store()
        self.service = stage.http("service.wsgi:app", store)
        self.floor = stage.http("bench.floor:create_app()", store)
        self.play, self.numbers = over(store), count()

    def window(self, kind: str, clients: int) -> Window:
        """One stretch of one kind of request."""
        matches = MATCHES[clients] * TIMES[kind]
        if kind in ("null", "append"):
            tasks = [floor.requests(f"/{kind}", sizes(number)) for number in range(matches)]
            return window(self.stage, self.floor, tasks, clients)
        tasks = commands(self.play, "http", islice(self.numbers, matches))
        return window(self.stage, self.service, tasks, clients, SEATS if kind == "apart" else 1)


def sizes(number: int) -> list[int]:
    """The sizes of the bodies of a match's commands."""
    return [len(step.body) for step in script(SEATS, number % MATCHES[CLIENTS]) if not step.job]


def measure(stage: Stage) -> dict[str, float]:
    """All figures of HTTP."""
    bench = Bench(stage)
    kinds = [(kind, clients) for clients in (1, CLIENTS) for kind in ("null", "append", "commands")]
    kinds.append(("apart", CLIENTS))
    for kind in kinds[-3:]:
        bench.window(*kind)  # from here on everything is warm
    rounds: list[Round] = []
    for number in range(stage.times(7)):
        order = kinds if number % 2 else kinds[::-1]
        rounds.append({kind: bench.window(*kind) for kind in order})
    for kind in kinds:
        say(kind, [each[kind] for each in rounds])
    return _figures(rounds)


def say(kind: tuple[str, int], windows: list[Window]) -> None:
    """The medians themselves, to look at: they are of this machine and this minute."""
    rate, cost, p99 = (median(map(attrgetter(name), windows)) for name in ("rate", "cost", "p99"))
    shown = f"{rate:6.0f}/s {cost * 1e6:6.0f} µs of processor time, p99 {p99 * 1e3:.1f} ms"
    click.echo(f"  {kind[0]:9}{kind[1]:3} connections: {shown}", err=True)


def _figures(rounds: list[Round]) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, below in (("bare_append", "append"), ("null", "null")):
        for clients in (1, CLIENTS):
            found[f"http_commands_over_{name}_c{clients}"] = ratio(rounds, "rate", "commands", below, clients)
        found[f"http_cpu_over_{name}"] = ratio(rounds, "cost", "commands", below)
        found[f"http_p99_over_{name}_c{CLIENTS}"] = ratio(rounds, "p99", "commands", below)
    found["http_commands_apart_over_bare_append_c16"] = ratio(rounds, "rate", "apart", "append")
    found["http_cpu_apart_over_bare_append"] = ratio(rounds, "cost", "apart", "append")
    return found


def ratio(rounds: list[Round], what: str, above: str, below: str, clients: int = CLIENTS) -> float:
    """The median over the rounds of one kind over another."""
    value = attrgetter(what)
    ratios: list[float] = [value(r[above, clients]) / value(r[below, clients]) for r in rounds]
    return median(ratios)
