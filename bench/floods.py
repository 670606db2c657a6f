"""What a flood costs others: a person's rival while bots play for nobody, webhooks after a burst of commits.

The whole service runs, as in `bench.rival`. The receiver takes as long for each delivery as one that is far
away would.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from statistics import median, quantiles
from typing import Any

import click

from bench.matches import lay, over
from bench.rival import paced, rival_turns, serve
from bench.stage import Stage
from domain.games import games
from domain.match.commands import CreateMatch, Seat
from service.auth.api_keys import new_key
from service.auth.tokens import digest
from service.clock import now
from service.matches.joining import Caller, create_match
from service.matches.play import Play
from service.redis_store.api_keys import RedisApiKeys
from service.redis_store.client import connect
from service.redis_store.key_names import Keys
from service.redis_store.webhooks import RedisWebhooks
from service.run.embedded import EmbeddedServer
from service.webhooks.model import Secret, Webhook, new_secret

CROWD = 200  # matches
BOTS = 4  # in each
FAR_S = 0.02
PATIENCE_S = 120.0


def measure(stage: Stage) -> dict[str, float]:
    """Both, each on a store of its own."""
    return _rivals(stage) | _webhooks(stage)


def _rivals(stage: Stage) -> dict[str, float]:
    store = stage.store()
    turns = rival_turns(store, serve(stage, store))
    alone = list(_paced(turns, stage.times(120, 20)))
    for number in range(stage.times(CROWD, 20)):
        _lay_bots(over(store), number)
    crowded = list(_paced(turns, stage.times(120, 20)))
    if not stage.quick and not _owed(store):
        raise RuntimeError("the bots have finished before the person has: there was no crowd")
    for kind, times in (("alone", alone), (f"beside {CROWD} matches of bots", crowded)):
        p50, p99 = median(times) * 1e3, quantiles(times, n=100)[-1] * 1e3
        click.echo(f"  rival {kind}: median {p50:.1f} ms, p99 {p99:.1f} ms", err=True)
    return {
        "rival_latency_200_bot_matches_over_none_p50": median(crowded) / median(alone),
        "rival_latency_200_bot_matches_over_none_p99": quantiles(crowded, n=100)[-1]
        / quantiles(alone, n=100)[-1],
    }


def _paced(turns: Iterator[float], count: int) -> Iterator[float]:
    return (paced(turns) for _ in range(count))


def _lay_bots(play: Play, number: int) -> None:
    game = games()["whatnot"]
    command = CreateMatch(game.name, game.default_edition, {}, (Seat("bot", "random"),) * BOTS)
    create_match(play, game, command, Caller(), sha256(b"%d" % number).digest())


def _owed(store: EmbeddedServer) -> int:
    client: Any = connect(store.url)
    return sum(client.zcard(owed) for owed in Keys(64).every("owed"))


def _webhooks(stage: Stage) -> dict[str, float]:
    store = stage.store()
    with _receiver() as (port, arrived):
        serve(stage, store, {"WEBHOOK_HOSTS": "localhost"})
        _register(store, f"http://localhost:{port}/")
        play, many = over(store), stage.times(600, 60)
        began = time.monotonic()
        for number in range(many):
            lay(play, 2, number, "burst")
        committed = time.monotonic()
        while len(arrived) < many:
            if time.monotonic() > committed + PATIENCE_S:
                raise TimeoutError(f"{len(arrived)} of {many} news came within {PATIENCE_S:.0f} seconds")
            time.sleep(0.01)
        told = max(islice(arrived.values(), many))
    click.echo(
        f"  {many} commits in {committed - began:.1f} s, the last told {told - committed:.1f} s after",
        err=True,
    )
    return {
        "webhook_commits_told_per_s": many / (told - began),
        "webhook_backlog_s_over_burst_s": max(0.0, told - committed) / (committed - began),
    }


def _register(store: EmbeddedServer, url: str) -> None:
    """A webhook of a fresh API key, for the start of every match."""
    client = connect(store.url)
    key, shown = new_key(RedisApiKeys(client), "Bench", ["webhooks"], now())
    secrets = (Secret(new_secret()),)
    hook = Webhook(
        "h_bench", url, f"key:{key.id}", digest(shown), "", None, ("match.started",), secrets, now()
    )
    RedisWebhooks(client).add(hook)


@contextmanager
def _receiver() -> Iterator[tuple[int, dict[str, float]]]:
    """A receiver's port, and when each delivery first arrived."""
    arrived = dict[str, float]()

    class Far(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            time.sleep(FAR_S)
            arrived.setdefault(self.headers["webhook-id"], time.monotonic())
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Far) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port, arrived
        server.shutdown()
