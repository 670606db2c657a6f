"""Problem documents for what is refused before, or instead of, the application."""

import json
import logging
import socket
from email.utils import formatdate
from http import HTTPStatus
from secrets import token_hex

from gunicorn import util

from service.clock import iso, now
from service.settings import settings

ACCESS = logging.getLogger("bricabrac.access")  # the application writes the lines of what it answers itself
TITLES = {  # as in the table of service.http.protocol.problems
    "bad_request": "Bad request",
    "request_timeout": "Request timeout",
    "too_many_unfinished": "Too many requests in progress",
    "not_implemented": "Not implemented",
    "internal_error": "Internal error",
}
BY_STATUS = {408: "request_timeout", 429: "too_many_unfinished", 501: "not_implemented"}
RETRY_AFTER_S = {429: 1}
ALWAYS = (  # what service.http.protocol.common_headers gives every other answer
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy: no-referrer",
    "Cross-Origin-Resource-Policy: cross-origin",
    "Access-Control-Expose-Headers: X-Request-ID",
)


def write_problem(sock: socket.socket, status_int: int, reason: str, mesg: str) -> None:  # noqa: ARG001  its names
    """Answer with a problem document; the signature is that of gunicorn's `write_error`."""
    status = HTTPStatus(status_int)
    usual = "bad_request" if status < HTTPStatus.INTERNAL_SERVER_ERROR else "internal_error"
    code, request_id = BY_STATUS.get(status_int, usual), token_hex(8)
    document = {
        "type": f"/problems/{code}",
        "title": TITLES[code],
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
    if status in RETRY_AFTER_S:
        lines.append(f"Retry-After: {RETRY_AFTER_S[status]}")
    if "*" in settings().cors_origins:
        lines.append("Access-Control-Allow-Origin: *")
    return "\r\n".join([*lines, "", ""]).encode("ascii")
