"""Where it is measured: real servers and processes on a temporary folder, all of them ended afterwards."""

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import ParamSpec, TypeVar

from bench import processes
from service.rate_limits.policy import NAMES
from service.run import child
from service.run.embedded import EmbeddedServer

HOST = "127.0.0.1"
DISK = Path("var")  # not the system's folder for temporary files: in memory, a durable append costs nothing
UNLIMITED = dict.fromkeys((f"LIMIT_{name.upper()}" for name in NAMES), "")
PATIENCE = 30.0  # seconds until the first answer over HTTP
NOTHING: Mapping[str, str] = MappingProxyType({})
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Http:
    """A gunicorn that serves an application."""

    port: int
    process: subprocess.Popen[bytes]

    def workers(self) -> list[int]:
        """The process ids of its workers."""
        return processes.children(self.process.pid)


class Stage:
    """Starts what a bench needs; `quick` asks for rough figures."""

    def __init__(self, folder: Path, running: ExitStack, *, quick: bool) -> None:
        self.folder, self.running, self.quick = folder, running, quick

    @cached_property
    def _elsewhere(self) -> ProcessPoolExecutor:
        spawning = multiprocessing.get_context("spawn")
        deaf = (signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the process that started it
        pool = ProcessPoolExecutor(1, spawning, initializer=signal.signal, initargs=deaf)
        return self.running.enter_context(pool)

    def times(self, full: int, quick: int = 2) -> int:
        """How often to repeat."""
        return quick if self.quick else full

    def store(self) -> EmbeddedServer:
        """A server with the durability of production; its log is not rewritten while we measure."""
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        return self.running.enter_context(
            EmbeddedServer(folder, options={"auto-aof-rewrite-percentage": "0"})
        )

    def http(
        self,
        app: str,
        store: EmbeddedServer,
        workers: int = 2,
        *options: str,
        environment: Mapping[str, str] = NOTHING,
    ) -> Http:
        """An application served with the settings of the service."""
        port = free_port()
        environment = {"PORT": str(port), "HTTP_WORKERS": str(workers), **environment}
        command = ["-m", "gunicorn", "-c", "python:service.run.gunicorn_conf", *options, app]
        served = Http(port, self.python(command, store, environment))
        wait_for_http(port, served.process)
        return served

    def python(
        self, command: list[str], store: EmbeddedServer, environment: Mapping[str, str]
    ) -> subprocess.Popen[bytes]:
        """A Python program that works on a store."""
        urls = {"REDIS_URL": store.url, "RQ_REDIS_URL": store.url, "HOST": HOST, "DATA": str(self.folder)}
        urls |= UNLIMITED
        process = child.start(
            [sys.executable, *command], env={**os.environ, **urls, **environment}, stdout=subprocess.DEVNULL
        )
        self.running.callback(_end, process)
        return process

    def apart(self, work: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
        """What a function answers that runs in another process, one for this stage."""
        return self._elsewhere.submit(work, *given, **named).result()


@contextmanager
def set_stage(*, quick: bool) -> Iterator[Stage]:
    """An empty stage; everything on it ends with it."""
    DISK.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=DISK) as folder, ExitStack() as running:
        yield Stage(Path(folder).absolute(), running, quick=quick)


def free_port() -> int:
    """A port that was free just now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    return port


def wait_for_http(port: int, process: subprocess.Popen[bytes]) -> None:
    """Return once something, anything, is answered; RuntimeError if the process ends instead."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended as it started, with {process.returncode}")
        try:
            urllib.request.urlopen(f"http://{HOST}:{port}/livez", timeout=PATIENCE).close()
        except urllib.error.HTTPError as answered:
            answered.close()
        except OSError:
            time.sleep(0.05)
            continue
        return
    raise TimeoutError(f"no answer over HTTP within {PATIENCE:.0f} seconds")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
