"""One JSON line a request: what was asked, and what became of it; no token, no query, no body.

The route is written as its template. The id is the caller's `X-Request-ID`, or ours; a W3C `traceparent`
gives the trace id.
"""

import logging
import re
import sys
import time
from http import HTTPStatus

import orjson
from flask import Response, g, request

from service.clock import iso

LOG = logging.getLogger("bricabrac.access")
LONGEST_METHOD = 7  # of those that there are
TRACE = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?")


def write_access_log() -> None:
    """Let the lines go to standard output, as they are."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(logging.Formatter("%(message)s"))
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False


def log_request(response: Response) -> None:
    """Write the line of this request; of a stream when it begins."""
    if not LOG.isEnabledFor(logging.INFO):
        return
    environ, rule, now = request.environ, request.url_rule, time.time()
    line = {
        "at": iso(int(now * 1000)),
        "method": environ["REQUEST_METHOD"][:LONGEST_METHOD],
        "route": rule and rule.rule,
        "status": response.status_code,
        "ms": round((time.perf_counter() - g.began) * 1000, 2),
        "request_id": g.request_id,
    }
    if response.status_code >= HTTPStatus.BAD_REQUEST:
        line["code"] = g.get("problem")
    if (trace := TRACE.fullmatch(environ.get("HTTP_TRACEPARENT", ""))) is not None:
        line["trace_id"] = trace[1]
    text = orjson.dumps(line).decode()  # who logs is known: the stack is not looked through for it (5 µs)
    LOG.handle(LOG.makeRecord(LOG.name, logging.INFO, __file__, 0, text, (), None))
