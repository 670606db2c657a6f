"""The forms of a log and of the feed: a JSON page, a long poll, lines of JSON, server-sent events."""

import logging
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from flask import Response, current_app, request

from service.errors import ServiceError
from service.http.protocol.problems import invalid
from service.live.broadcaster import Broadcaster
from service.live.feed_subscription import FeedSubscription
from service.live.match_subscription import MatchSubscription
from service.live.stream_slots import StreamSlot, StreamSlots

JSON, NDJSON, SSE = FORMS = "application/json", "application/x-ndjson", "text/event-stream"
MISPLACED = {
    "follow": (NDJSON, f"Works only with Accept: {NDJSON}. {SSE} always follows the log."),
    "wait": (JSON, f"Works only with Accept: {JSON}. The other forms can stay open."),
    "until": (JSON, f"Works only with Accept: {JSON}, together with `wait`."),
    "lastEventId": (SSE, f"Works only with Accept: {SSE}. For other forms, send a cursor or `after`."),
    "ticket": (SSE, f"Works only with Accept: {SSE}. For other forms, send Authorization."),
}
STREAM_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Authorization, Accept"}
log = logging.getLogger("bricabrac.http")


def live() -> Broadcaster:
    """The live streams of this process."""
    found: Broadcaster = current_app.extensions["broadcaster"]
    return found


def stream_slots() -> StreamSlots:
    """The places for streams in this process."""
    found: StreamSlots = current_app.extensions["stream_slots"]
    return found


def in_its_place(kind: str | None, query: Mapping[str, Any]) -> None:
    """422 for a parameter that has no effect in this form."""
    wrong = [(f"/{name}", why) for name, (of, why) in MISPLACED.items() if name in query and kind != of]
    if wrong:
        raise invalid(*wrong)


def last_event(query: Mapping[str, Any]) -> tuple[str, str | None]:
    """The pointer and the value of Last-Event-ID, from the header or the parameter that polyfills send."""
    by_header = request.headers.get("Last-Event-ID", "").strip()
    given = by_header or query.get("lastEventId", "").strip()
    return "/Last-Event-ID" if by_header else "/lastEventId", given or None


def looks_only() -> bool:
    """Whether the request is for headers only: then nothing waits."""
    return request.method == "HEAD"


def slot_for(caller: str) -> StreamSlot:
    """A slot for a stream; 429 or 503 if none is free."""
    return stream_slots().take(caller)


def closing(following: MatchSubscription | FeedSubscription, slot: StreamSlot | None) -> Callable[[], None]:
    """How to close a subscription and free its slot; it stops as soon as the caller closes the connection."""
    watch = getattr(request.environ.get("gunicorn.socket"), "watch", None)
    unwatch = None if watch is None else watch(following.stop)

    def close() -> None:
        if unwatch is not None:
            unwatch()
        following.close()
        if slot is not None:
            slot.free()

    return close


def event(name: str, body: bytes, id_: str | None = None) -> bytes:
    """A server-sent event; bodies are JSON, without line ends."""
    named = f"event: {name}\n" if id_ is None else f"event: {name}\nid: {id_}\n"
    return b"%sdata: %s\n\n" % (named.encode(), body)


def headers_only(kind: str) -> Response:
    """The answer to HEAD for a stream."""
    return Response(
        iter(()), 200, STREAM_HEADERS, content_type=kind
    )  # of no known length, as the stream itself


def _whole(written: Iterable[bytes]) -> Iterator[bytes]:
    """The parts of a stream; where writing fails, it ends after the last whole part."""
    try:
        yield from written
    except ServiceError as why:
        log.warning("a stream ends early: %s", why)
    except Exception:
        log.exception("a stream ends early because of a fault in the service")


def streamed(written: Iterable[bytes], kind: str, close: Callable[[], None]) -> Response:
    """A streamed answer; `close` is called when it ends, however it ends."""
    response = Response(_whole(written), 200, STREAM_HEADERS, content_type=kind)
    line, here = request.environ.get("gunicorn.socket"), live()

    def ended() -> None:
        close()
        if line is not None and here.closing:
            with suppress(OSError):  # gone already
                line.shutdown(socket.SHUT_RD)  # no further request: the worker need not wait for one

    response.call_on_close(ended)
    return response
