"""What every answer carries: the request's id, how browsers are to take it, and who may read it (CORS).

Written here rather than by an extension: flask-cors spends 20 µs on each request to find out what is known
from the start. Any origin may read, for no browser ever sends a credential by itself.
"""

from collections.abc import Collection

from flask import Response, current_app, g, request

ANY = "*"
CLOSED = "default-src 'none'; frame-ancestors 'none'"
EXPOSED = (
    "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-ID, Deprecation, Sunset,"
    " Idempotent-Replayed, Preference-Applied"
)
ACCEPTED = (
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer,"
    " X-Request-ID, Traceparent"
)
ALWAYS = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "cross-origin"),
    ("Access-Control-Expose-Headers", EXPOSED),
)
OPEN = ("Access-Control-Allow-Origin", ANY)
MAX_AGE = "600"  # seconds for which a browser need not ask again whether it may


def add_headers(response: Response) -> None:
    """Headers that every answer has."""
    headers = response.headers
    written = headers._list  # noqa: SLF001  what is ours need not be checked and converted name by name (8 µs)
    if "Content-Security-Policy" not in headers:
        written.append(("Content-Security-Policy", CLOSED))
    written += ALWAYS
    written.append(("X-Request-ID", g.request_id))
    if ANY in current_app.config["CORS_ORIGINS"]:
        written.append(OPEN)
    else:
        _allow_origin(response, current_app.config["CORS_ORIGINS"])
    if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
        _answer_preflight(response)


def vary(response: Response, *names: str) -> None:
    """Say that the answer depends on these headers of the request, too."""
    listed = response.headers.get("Vary")
    known = listed.split(", ") if listed else []
    response.headers["Vary"] = ", ".join(dict.fromkeys((*known, *names)))


def _allow_origin(response: Response, origins: Collection[str]) -> None:
    vary(response, "Origin")
    origin = request.headers.get("Origin")
    if origin in origins:
        response.headers["Access-Control-Allow-Origin"] = origin


def _answer_preflight(response: Response) -> None:
    """What a browser asks before it sends more than a form could: the methods of this path, our headers."""
    if response.status_code >= 400:
        return
    headers = response.headers
    headers["Access-Control-Allow-Methods"] = headers["Allow"]
    headers["Access-Control-Allow-Headers"] = ACCEPTED
    headers["Access-Control-Max-Age"] = MAX_AGE
