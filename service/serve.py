"""Everything with one command: embedded server, HTTP, relay and workers; one Ctrl-C stops them in order."""

import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field

from service import child
from service.embedded import EmbeddedServer
from service.settings import Settings
from service.store.redis_client import CLUSTER

PORT_PATIENCE = 1.0  # seconds
GLANCE = 0.05  # seconds between two looks
STOP_PATIENCE = 10.0  # seconds a child has to end by itself
START_PATIENCE = 60.0  # seconds until the first answer over HTTP
STEADY = 10.0  # a child that has run so long may fail again without a wait
LONGEST_WAIT = 5.0  # seconds between two starts of a child that keeps failing
log = logging.getLogger("bricabrac.serve")


class ServeError(Exception):
    """Why the service cannot start, in one sentence for a person."""


@dataclass
class Child:
    """A process that is started again when it ends."""

    name: str
    command: list[str]
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    wait: float = field(default=0.0)

    def start(self) -> None:
        """Start it."""
        self.started = time.monotonic()
        self.process = child.start([sys.executable, *self.command], env=self.environment)

    def revive(self) -> None:
        """Start it again if it has ended; the wait grows while it keeps ending at once."""
        if self.process is None or self.process.poll() is None:
            return
        ran = time.monotonic() - self.started
        if ran < self.wait:
            return
        self.wait = 0.0 if ran > STEADY else min(LONGEST_WAIT, 2 * self.wait or 0.2)
        log.warning("The %s ended with %d; starting it again.", self.name, self.process.returncode)
        self.start()

    def stop(self) -> None:
        """Ask it to end, and end it if it does not."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(STOP_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def serve(settings: Settings, say: Callable[[str], None]) -> None:
    """Run until SIGINT or SIGTERM; ServeError or EmbeddedError say in a sentence why not."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    _check_port(settings.host, settings.port)
    with ExitStack() as running:
        store = None if settings.redis_url else EmbeddedServer(settings.data / "valkey")
        url = settings.redis_url if store is None else running.enter_context(store).url
        children = _children(settings, url)
        for each in children:
            each.start()
            running.callback(each.stop)
        if _wait_until_ready(settings, children[-1], stop):
            say(f"Bricabrac is ready at http://{settings.host}:{settings.port}")
        while not stop.wait(0.1):
            if store is not None and store.process.poll() is not None:
                log.warning("The store ended with %d; starting it again.", store.process.returncode)
                store.start()
            for each in children:
                each.revive()
        say("Stopping.")


def _children(settings: Settings, url: str) -> list[Child]:
    """In the order in which they start; they stop in the opposite one, HTTP first."""
    jobs_url = settings.rq_redis_url or url
    if jobs_url.startswith(CLUSTER):
        raise ServeError("RQ needs a plain Redis beside the cluster: set RQ_REDIS_URL.")
    environment = os.environ | {"REDIS_URL": url, "RQ_REDIS_URL": jobs_url, "PYTHONUNBUFFERED": "1"}
    return [
        *(Child("worker", ["-m", "workers.worker"], environment) for _ in range(settings.job_workers)),
        *(
            Child("bot worker", ["-m", "workers.worker", "bots"], environment)
            for _ in range(settings.bot_workers)
        ),
        *(
            Child("webhook worker", ["-m", "workers.hook_worker"], environment)
            for _ in range(settings.hook_workers)
        ),
        Child("relay", ["-m", "workers.relay"], environment),
        Child(
            "HTTP server",
            ["-m", "gunicorn", "-c", "python:service.gunicorn_conf", "service.wsgi:app"],
            environment,
        ),
    ]


def _check_port(host: str, port: int) -> None:
    """ServeError if the port is taken, and not just by one that was killed and is on its way out."""
    give_up = time.monotonic() + PORT_PATIENCE
    while True:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as busy:
                if time.monotonic() > give_up:
                    raise ServeError(f"Port {port} on {host} cannot be used: {busy.strerror}.") from busy
                time.sleep(GLANCE)
            else:
                return


def _wait_until_ready(settings: Settings, http: Child, stop: threading.Event) -> bool:
    give_up = time.monotonic() + START_PATIENCE
    while time.monotonic() < give_up:
        if stop.wait(0.05):
            return False
        if http.process is not None and http.process.poll() is not None:
            raise ServeError(f"The HTTP server ended as it started, with {http.process.returncode}.")
        try:
            with urllib.request.urlopen(f"http://{settings.host}:{settings.port}/readyz", timeout=2):
                return True
        except urllib.error.HTTPError as answered:
            why = json.load(answered)["detail"]
            raise ServeError(f"The store is not what a 2xx promises: {why}.") from answered
        except OSError:
            continue
    raise ServeError(f"No answer over HTTP within {START_PATIENCE:.0f} seconds.")
