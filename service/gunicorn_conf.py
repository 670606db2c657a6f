"""How gunicorn serves the application: greenlets, for streams hold many connections open; quick to stop.

The worker class was chosen by measuring (`make bench`): gevent serves the most commands a second here, and
one greenlet a stream costs what a thread a stream cannot.
"""

import _thread
import gc
import json
import logging
import resource
import signal
import socket
from collections.abc import Callable
from email.utils import formatdate
from functools import partial
from http import HTTPStatus
from secrets import token_hex
from types import FrameType

from gunicorn import util
from gunicorn.workers.base import Worker

from service.child import die_with_parent
from service.clock import iso, now
from service.settings import settings

MANY_FILES = 10_240
bind = f"{settings().host}:{settings().port}"
workers = settings().http_workers
worker_class = "gevent"
worker_connections = 4000
backlog = 2048
keepalive = 75
timeout = 30
graceful_timeout = 3  # requests take milliseconds, streams end at once: what is left are idle connections
limit_request_line = 8190  # room for the cursor of a feed of many partitions
control_socket_disable = True
loglevel = "error"  # its warnings quote headers that it cannot read, tokens and all
proc_name = "bricabrac"

LINGER = 2.0  # seconds for a caller to take the answer to what was not read to its end
MOST_DRAINED = 1_000_000  # bytes of it
ACCESS = logging.getLogger("bricabrac.access")  # of all that the application answers, it writes itself
ALWAYS = (  # what service.http.headers gives every other answer
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy: no-referrer",
    "Cross-Origin-Resource-Policy: cross-origin",
    "Access-Control-Expose-Headers: X-Request-ID",
)


def post_fork(_arbiter: object, _worker: object) -> None:
    """A worker ends with its master, however that ends: the port is free for the next one."""
    die_with_parent()


def post_worker_init(worker: Worker) -> None:
    """What was loaded stays: it is not looked through for garbage again and again. Streams end on SIGTERM."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    live = getattr(worker.wsgi, "extensions", {}).get("live")
    if live is not None:
        signal.signal(signal.SIGTERM, partial(_drain, worker, live.close))


def _drain(worker: Worker, close: Callable[[], None], number: int, frame: FrameType | None) -> None:
    """Accept no more, and let the streams end; not in the signal handler itself, which may not wait."""
    worker.handle_exit(number, frame)
    _thread.start_new_thread(close, ())


def _open_files() -> None:
    """A stream is an open file: as many as the operator allows, not as few as a shell begins with."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MANY_FILES if hard == resource.RLIM_INFINITY else min(hard, MANY_FILES)
    if soft not in (resource.RLIM_INFINITY, wanted) and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


_open_files()


def write_problem(sock: socket.socket, status_int: int, reason: str, mesg: str) -> None:  # noqa: ARG001  its names
    """What gunicorn refuses before the application sees it is a problem document too."""
    status = HTTPStatus(status_int)
    code = "bad_request" if status < HTTPStatus.INTERNAL_SERVER_ERROR else "internal_error"
    request_id = token_hex(8)
    document = {
        "type": f"/problems/{code}",
        "title": "Bad request" if code == "bad_request" else "Internal error",
        "status": status_int,
        "detail": mesg or "The request cannot be read as HTTP.",
        "code": code,
        "request_id": request_id,
    }
    body = json.dumps(document).encode()
    util.write_nonblock(sock, _head(status, request_id, len(body)) + body)
    line = {"at": iso(now()), "method": None, "route": None, "status": status_int, "ms": None}
    ACCESS.info("%s", json.dumps(line | {"request_id": request_id, "code": code}, separators=(",", ":")))


def _head(status: HTTPStatus, request_id: str, length: int) -> bytes:
    lines = [f"HTTP/1.1 {int(status)} {status.phrase}", "Connection: close", *ALWAYS]
    lines += ["Content-Type: application/problem+json", f"Content-Length: {length}"]
    lines += [f"X-Request-ID: {request_id}", f"Date: {formatdate(usegmt=True)}"]
    if "*" in settings().cors_origins:
        lines.append("Access-Control-Allow-Origin: *")
    return "\r\n".join([*lines, "", ""]).encode("ascii")


util.write_error = write_problem
# The gevent worker closes at once, unlike the others: what it had not read made the kernel drop the answer.
util.close = partial(util.close_graceful, timeout=LINGER, max_drain=MOST_DRAINED)
