"""How gunicorn serves the application: greenlets, for streams hold many connections open; quick to stop.

The worker class was chosen by measuring (`make bench`): gevent serves the most commands a second here, and
one greenlet a stream costs what a thread a stream cannot.
"""

import _thread
import gc
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from types import FrameType

from gunicorn.workers.base import Worker

from service.connections.gunicorn_worker import install
from service.run.child import die_with_parent
from service.settings import connections, settings
from service.store.heartbeat import INTERVAL_S

SPARE_FILES = 512
bind = f"{settings().host}:{settings().port}"
workers = settings().http_workers
worker_class = "service.connections.gunicorn_worker.EdgeWorker"
worker_connections = connections(settings())
backlog = 2048
keepalive = 75
timeout = 30
graceful_timeout = 3  # requests take milliseconds, streams end at once: what is left are idle connections
limit_request_line = 8190  # room for the cursor of a feed of many partitions
control_socket_disable = True
# No header rewrites a request. A proxy of ours (PROXIES) may say the caller's address, which the application
# reads, and the scheme; never the path, for most proxies pass on what a stranger says of it.
forwarded_allow_ips = "*" if settings().proxies else ""
secure_scheme_headers = {"X-FORWARDED-PROTO": "https"} if settings().proxies else {}
forwarder_headers = ""
header_map = "drop"  # `X_Forwarded_For` is not `X-Forwarded-For`
proxy_protocol = "off"
proxy_allow_ips = ""
loglevel = "error"  # its warnings quote headers that it cannot read, tokens and all
proc_name = "bricabrac"


def on_starting(_arbiter: object) -> None:
    """One sentence and status 1 if the store was written with another number of partitions.

    Asked in a process of its own: what a client of the store imports, gevent has to have patched before.
    """
    asked = subprocess.run([sys.executable, "-m", "service.run.claim"], check=False)
    if asked.returncode:
        sys.exit(asked.returncode)


def pre_fork(_arbiter: object, worker: Worker) -> None:
    """A worker that hangs before its first sign of life is replaced, too: its time runs from here.

    Without it gunicorn takes the wall clock, at which the file of its signs was made, for the monotonic one.
    """
    worker.tmp.notify()


def post_fork(_arbiter: object, _worker: object) -> None:
    """A worker ends with its master, however that ends: the port is free for the next one."""
    die_with_parent()


def post_worker_init(worker: Worker) -> None:
    """What was loaded stays: it is not looked through for garbage again and again. Streams end on SIGTERM."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    extensions = getattr(worker.wsgi, "extensions", {})
    if "dependencies" in extensions:  # the benchmarks serve other applications, too
        _thread.start_new_thread(_beat, (worker, extensions["readiness"].pulse))
        signal.signal(signal.SIGTERM, partial(_drain, worker, extensions["broadcaster"].close))


def _beat(worker: Worker, pulse: Callable[[], None]) -> None:
    """A greenlet of the worker's own loop: it is silent when that hangs."""
    while worker.alive:
        pulse()
        time.sleep(INTERVAL_S)


def _drain(worker: Worker, close: Callable[[], None], number: int, frame: FrameType | None) -> None:
    """Accept no more, and let the streams end; not in the signal handler itself, which may not wait."""
    worker.handle_exit(number, frame)
    _thread.start_new_thread(close, ())


def _open_files() -> None:
    """A stream is an open file: as many as the operator allows, not as few as a shell begins with."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    many = worker_connections + settings().requests_per_process + SPARE_FILES
    wanted = many if hard == resource.RLIM_INFINITY else min(hard, many)
    if soft not in (resource.RLIM_INFINITY, wanted) and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


_open_files()


install()
