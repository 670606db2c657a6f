"""gunicorn's gevent worker over connections with deadlines."""

import socket
from typing import Any

from gunicorn import util
from gunicorn.http.parser import RequestParser
from gunicorn.workers.ggevent import GeventWorker

from service.connections.connection import Deadlines, Line
from service.connections.errors import ReadRefusedError
from service.connections.refusals import write_problem
from service.connections.strict_requests import StrictRequest
from service.connections.unfinished import Unfinished
from service.rate_limits.networks import network_of
from service.settings import settings

LINGER_TIMEOUT_S = 2.0  # for a caller to take the answer to what was not read to its end
MOST_DRAINED = 1_000_000  # bytes of it
TAKES_NOTHING_MS = 30_000  # a connection that takes nothing of an answer for so long is gone
FORWARDED = "X-FORWARDED-FOR"


class EdgeWorker(GeventWorker):
    """Serves strict requests, within deadlines, and no more unfinished ones than are admitted."""

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self._deadlines = Deadlines(settings().head_seconds, settings().body_seconds, LINGER_TIMEOUT_S)
        self._unfinished = Unfinished(settings().unfinished_per_address, settings().unfinished_per_process)
        self._proxies = settings().proxies

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Serve a connection to its end."""
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, TAKES_NOTHING_MS)
        peer = None if self._proxies else network_of(_host(addr))
        line: Any = Line(client, peer, self._deadlines, self._unfinished)  # as a socket, to gunicorn
        super().handle(listener, line, addr)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> Any:
        """Answer one request of a connection."""
        sock.head_read(network_of(_caller(req, _host(addr), self._proxies)))
        try:
            return super().handle_request(listener_name, req, sock, addr)
        finally:
            sock.answered()

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answer what cannot be read, and what is not waited for."""
        if not isinstance(exc, ReadRefusedError):
            super().handle_error(req, client, addr, exc)
            return
        try:
            write_problem(client, exc.status, "", str(exc))
        except OSError:
            self.log.debug("The caller is gone.")


def _host(addr: Any) -> str:
    return str(addr[0]) if isinstance(addr, tuple) else ""


def _caller(req: Any, peer: str, proxies: int) -> str:
    """The address that calls, as our own proxies tell it."""
    forwarded = ",".join(value for name, value in req.headers if name == FORWARDED) if proxies else ""
    hops = [hop.strip() for hop in forwarded.split(",")] if forwarded else []
    return hops[-proxies] if len(hops) >= proxies > 0 else peer


def close(sock: Any) -> None:
    """Close a connection; of other workers, a plain socket."""
    if isinstance(sock, Line):
        sock.end(MOST_DRAINED)
    else:
        util.close_graceful(sock, timeout=LINGER_TIMEOUT_S, max_drain=MOST_DRAINED)


def install() -> None:
    """Make gunicorn read, refuse and close as this package does."""
    RequestParser.mesg_class = StrictRequest
    util.write_error = write_problem
    util.close = close
