"""`python -m tests.e2e.kills`: every part of a running service is killed again and again under matches.

People and bots play all three games over HTTP while SIGKILL hits a random process: a relay, a worker of any
kind, an HTTP worker or its master, the store. Afterwards every match has to be finished, every log proved,
every acknowledged commit in it, and none twice. Prints what was done, and how long commands took.
"""

import os
import signal
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import Any

import click
import httpx
import orjson

from service.log.verify import verify
from tests.e2e import players
from tests.e2e.running import Service, running

PARTS = ("workers.relay", "workers.worker", "workers.webhooks.worker", "gunicorn", "valkey-server")
PATIENCE_S = 600.0  # for one match, or one request
TABLES: tuple[tuple[str, int, int], ...] = (  # game, people, bots
    ("whatnot", 1, 0),
    ("whatnot", 1, 2),
    ("drawer", 2, 1),
    ("nonsense", 1, 2),
)


@dataclass
class Tally:
    """What was seen while parts were killed."""

    killed: Counter[str] = field(default_factory=Counter)
    matches: int = 0
    commits: int = 0
    seconds: list[float] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Kept(players.Table):
    """A table that remembers every commit that was acknowledged, by its version and hash."""

    def __init__(self, tally: Tally, *words: Any, **named: Any) -> None:
        self.tally, self.acknowledged = tally, dict[int, str]()
        super().__init__(*words, **named)

    def send(self, seat: int, command: Any, key: str) -> httpx.Response:
        began = time.monotonic()
        answer = super().send(seat, command, key)
        with self.tally.lock:
            self.tally.seconds.append(time.monotonic() - began)
        for commit in answer.json().get("commits", ()):
            self.acknowledged[commit["version"]] = commit["hash"]
        return answer

    def check(self) -> int:
        """The log is proved, has all that was acknowledged, and nothing twice; how many commits it has."""
        lines = self.log()
        assert verify(lines).complete
        commits = list(map(orjson.loads, lines[1:]))
        hashes = {commit["version"]: commit["hash"] for commit in commits}
        lost = {version for version, seen in self.acknowledged.items() if hashes.get(version) != seen}
        assert not lost, f"{self.id} has lost {sorted(lost)}"
        ids = [commit["command_id"] for commit in commits]
        assert len(set(ids)) == len(ids), f"{self.id} has a command twice"
        return len(commits)


def kill(service: Service, parts: tuple[str, ...], kills: int, dice: Random, tally: Tally) -> None:
    """SIGKILL for one process after another."""
    while tally.killed.total() < kills:
        time.sleep(dice.uniform(0.2, 1.5))
        part = dice.choice(parts)
        if victims := service.pids(part):
            os.kill(dice.choice(victims), signal.SIGKILL)
            tally.killed[part] += 1


def play(service: Service, number: int, tally: Tally, enough: threading.Event) -> None:
    """One table after another until enough was killed."""
    game, people, bots = TABLES[number % len(TABLES)]
    options = {"stall_limit": 10} if game == "nonsense" else {}
    with service.client() as client:
        while not enough.is_set():
            seats = [{"name": f"Player {seat}"} for seat in range(people)] + [{"bot": "random"}] * bots
            table = Kept(
                tally, client, game, [f"Player {n}" for n in range(people)], seats=seats, options=options
            )
            players.play_in_parallel(table, number)
            commits = table.check()
            with tally.lock:
                tally.matches, tally.commits = tally.matches + 1, tally.commits + commits


@click.command()
@click.option("--kills", default=300, show_default=True)
@click.option("--matches", default=40, show_default=True, help="Matches played at the same time.")
@click.option("--part", "parts", multiple=True, type=click.Choice(PARTS), help="All of them otherwise.")
@click.option("--seed", default=0, show_default=True)
def main(kills: int, matches: int, parts: tuple[str, ...], seed: int) -> None:
    """Kill parts of a service while matches are played."""
    players.PATIENCE = players.RETRIED = PATIENCE_S
    tally, enough, began = Tally(), threading.Event(), time.monotonic()
    free = dict.fromkeys(["LIMIT_WRITES", "LIMIT_READS", "LIMIT_CREATIONS", "LIMIT_FAILURES"], "")
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), **free) as service:
        with ThreadPoolExecutor(matches) as pool:
            playing = [pool.submit(play, service, number, tally, enough) for number in range(matches)]
            try:
                kill(service, parts or PARTS, kills, Random(seed), tally)
            finally:
                enough.set()
            for each in playing:
                each.result()
        left = service.stop()
    p50, *_, p99 = quantiles(tally.seconds, n=100)[49::49]
    print(f"{kills} kills in {time.monotonic() - began:.0f} s: {dict(tally.killed)}")
    print(f"{tally.matches} matches finished and proved, {tally.commits} commits, none lost, none twice")
    print(f"commands: p50 {1000 * p50:.0f} ms, p99 {1000 * p99:.0f} ms, longest {max(tally.seconds):.1f} s")
    print(f"the service ended with {left}")


if __name__ == "__main__":
    main()
