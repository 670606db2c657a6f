"""Bodies are received in full before anything is done (RFC 9112, section 8)."""

from flask import Flask, current_app, request
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge

from service.connections.errors import RequestTimeoutError, TooManyUnfinishedError
from service.http.protocol.problems import Problem


def install(app: Flask) -> None:
    """Receive every body, also where the view reads none."""
    app.before_request(receive)


def receive() -> None:
    """413 for a body that is too large, 400 for one that does not come whole, 408 for one that is late."""
    length, chunked = request.content_length, "HTTP_TRANSFER_ENCODING" in request.environ
    if not length and not chunked:
        return
    try:
        body = request.get_data()
    except RequestTimeoutError as late:
        raise Problem("request_timeout", str(late)) from late
    except TooManyUnfinishedError as many:
        raise Problem("too_many_unfinished", str(many), {"Retry-After": "1"}) from many
    except (
        ParseException,
        OSError,
        ClientDisconnected,
    ) as broken:  # a chunk that is none, or the end of the connection
        raise Problem("bad_request", "The body did not arrive in full.") from broken
    if length is not None and len(body) < length:
        raise Problem("bad_request", f"The body ends after {len(body)} of {length} bytes.")
    if length is None and len(body) >= current_app.config["MAX_CONTENT_LENGTH"]:
        raise RequestEntityTooLarge
