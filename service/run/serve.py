"""Everything with one command: embedded server, HTTP, relay and workers; one Ctrl-C stops them in order."""

import json
import os
import signal
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack

from service.redis_store.address import StoreAddressError, reach
from service.redis_store.client import CLUSTER, Client, connect
from service.redis_store.deployment import RedisDeployment
from service.redis_store.heartbeats import RedisHeartbeats
from service.redis_store.requirements import checks
from service.run.embedded import embedded
from service.run.heartbeat_watch import Watch
from service.run.store_keeper import StoreKeeper
from service.run.supervisor import Child
from service.settings import Settings
from service.store.deployment import OtherPartitionsError
from service.store.journal import OutcomeUnknownError, StoreUnavailableError

PORT_PATIENCE_S = 1.0
STORE_PATIENCE_S = 4.0  # for a store that is just starting
POLL_INTERVAL_S = 0.05
TICK_INTERVAL_S = 0.1
START_PATIENCE_S = 60.0  # until it is said what is missing
Say = Callable[[str], None]


class ServeError(Exception):
    """Why the service cannot start, in one sentence for a person."""


def serve(settings: Settings, say: Say) -> None:
    """Run until SIGINT or SIGTERM; ServeError or EmbeddedError say in a sentence why not."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    _check_port(settings.host, settings.port)
    with ExitStack() as running:
        keeper = None if settings.redis_url else StoreKeeper(embedded(settings), stop)
        if keeper is not None:
            running.callback(keeper.server.stop)
            keeper.start()
        url = settings.redis_url if keeper is None else keeper.server.url
        client = _open_store(settings, url)
        watch = Watch(RedisHeartbeats(client), None if keeper is None else keeper.server, stop)
        watch.start()
        children = _children(settings, url)
        for each in children:
            each.start()
            running.callback(each.stop)
        _supervise(keeper, children, watch, stop, _Announcement(settings, children[-1], say))
        say("Stopping.")


def _open_store(settings: Settings, url: str) -> Client:
    """A client of a store that is what a 2xx promises, and that was written with these partitions."""
    try:
        if settings.redis_url:
            reach("REDIS_URL", url, STORE_PATIENCE_S)
        if settings.rq_redis_url and settings.rq_redis_url != settings.redis_url:
            reach("RQ_REDIS_URL", _plain(settings.rq_redis_url), STORE_PATIENCE_S)
        client = connect(url)
        wrong = [f"{name}: {found}" for name, found in checks(client).items() if found != "ok"]
        if wrong:
            raise ServeError(f"The store is not durable enough: {'; '.join(wrong)}.")
        RedisDeployment(client).claim(settings.partitions)
    except (StoreAddressError, OtherPartitionsError) as why:
        raise ServeError(str(why)) from why
    except (StoreUnavailableError, OutcomeUnknownError) as lost:
        raise ServeError(f"The store cannot be used: {lost}.") from lost
    return client


def _plain(jobs_url: str) -> str:
    if jobs_url.startswith(CLUSTER):
        raise ServeError("RQ needs a plain Redis besides the cluster. Set RQ_REDIS_URL.")
    return jobs_url


def _supervise(
    keeper: StoreKeeper | None,
    children: list[Child],
    watch: Watch,
    stop: threading.Event,
    announcement: "_Announcement",
) -> None:
    while not stop.wait(TICK_INTERVAL_S):
        if keeper is not None:
            keeper.tick(watch.answered)
        announcement.tick()  # before what has ended is started again: at first that is a reason to give up
        for each in children:
            each.tick(watch.living)


def _children(settings: Settings, url: str) -> list[Child]:
    """In the order in which they start; they stop in the opposite one, HTTP first."""
    jobs_url = _plain(settings.rq_redis_url or url)
    environment = os.environ | {"REDIS_URL": url, "RQ_REDIS_URL": jobs_url, "PYTHONUNBUFFERED": "1"}
    return [
        *(Child("worker", ["-m", "workers.worker"], environment) for _ in range(settings.job_workers)),
        *(
            Child("bot worker", ["-m", "workers.worker", "bots"], environment)
            for _ in range(settings.bot_workers)
        ),
        *(
            Child("webhook worker", ["-m", "workers.webhooks.worker"], environment)
            for _ in range(settings.hook_workers)
        ),
        Child("relay", ["-m", "workers.relay"], environment),
        Child(
            "HTTP server",
            ["-m", "gunicorn", "-c", "python:service.run.gunicorn_conf", "service.wsgi:app"],
            environment,
        ),
    ]


def _check_port(host: str, port: int) -> None:
    """ServeError if the port is taken, and not just by one that was killed and is on its way out."""
    give_up = time.monotonic() + PORT_PATIENCE_S
    while True:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as busy:
                if time.monotonic() > give_up:
                    raise ServeError(f"Port {port} on {host} cannot be used: {busy.strerror}.") from busy
                time.sleep(POLL_INTERVAL_S)
            else:
                return


class _Announcement:
    """Says once that the service is ready, and before that, after a while, what it lacks."""

    def __init__(self, settings: Settings, http: Child, say: Say) -> None:
        self.url = f"http://{settings.host}:{settings.port}"
        self.http, self.say = http, say
        self.give_up = time.monotonic() + START_PATIENCE_S
        self.answered = self.ready = self.told = False

    def tick(self) -> None:
        """Ask `/readyz` until it says yes."""
        if self.ready:
            return
        if not self.answered and self.http.process is not None and self.http.process.poll() is not None:
            raise ServeError(f"The HTTP server exited at start, with status {self.http.process.returncode}.")
        lacking = self._ask()
        if lacking is None:
            self.ready = True
            self.say(f"Bricabrac is ready at {self.url}")
        elif time.monotonic() > self.give_up and not self.told:
            self.told = True
            self.say(f"Bricabrac is not ready yet: {lacking}.")

    def _ask(self) -> str | None:
        """What is lacking, None for nothing."""
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=2):  # noqa: S310  our own
                return None
        except urllib.error.HTTPError as refused:
            with refused:
                self.answered = True
                return str(json.load(refused).get("detail"))
        except (OSError, ValueError):
            return "the HTTP server does not answer"
