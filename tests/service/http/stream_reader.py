"""Streams of an application for the tests, read by somebody else's reader of server-sent events."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import orjson
from flask import Flask
from httpx_sse import EventSource, ServerSentEvent

from service.bootstrap import bootstrap
from service.http.app import create_app
from service.live.stream_slots import StreamLimits, StreamSlots
from tests.servers import until
from tests.service.http.table import NDJSON, Table

SSE = "text/event-stream"
AT_ONCE = StreamLimits(seconds=0)  # a stream ends when it has sent what there is
TALKATIVE = StreamLimits(silence=0.05)


def app_with(play: Any, limits: StreamLimits) -> Flask:
    """The application over a journal on a server, with other limits."""
    return create_app(bootstrap(play.journal.client, play=play), limits)


def caller_of(app: Flask) -> httpx.Client:
    """A client that reads answers while they are written."""
    return httpx.Client(transport=httpx.WSGITransport(app=app), base_url="http://bricabrac")


def taken(app: Flask) -> int:
    """How many streams are open."""
    places: StreamSlots = app.extensions["stream_slots"]
    return places.taken


def waiting(app: Flask, ask: Callable[[], Any]) -> Future[Any]:
    """A request that is on its way and waits."""
    before = taken(app)
    pool = ThreadPoolExecutor(1)
    asked = pool.submit(ask)
    until(lambda: taken(app) > before or asked.done())
    assert not asked.done()
    pool.shutdown(wait=False)
    return asked


@contextmanager
def events(
    app: Flask, path: str, headers: Mapping[str, str] | None = None, *, turns: bool = False
) -> Iterator[Iterator[ServerSentEvent]]:
    """The events of a stream as they come, `turn` only on request; closed at the end of the block."""
    with (
        caller_of(app) as client,
        client.stream("GET", path, headers={"Accept": SSE, **(headers or {})}) as got,
    ):
        assert got.status_code == 200, got.read()
        yield (event for event in EventSource(got).iter_sse() if turns or event.event != "turn")


@contextmanager
def lines(app: Flask, path: str, headers: Mapping[str, str] | None = None) -> Iterator[Iterator[bytes]]:
    """The lines of a stream as they come."""
    with (
        caller_of(app) as client,
        client.stream("GET", path, headers={"Accept": NDJSON, **(headers or {})}) as got,
    ):
        assert got.status_code == 200, got.read()
        yield (line.encode() for line in got.iter_lines())


def all_events(app: Flask, table: Table, who: str | None, **headers: str) -> list[ServerSentEvent]:
    """A whole stream of a match, to its end."""
    sent = {**table.bearer(who), **{name.replace("_", "-"): value for name, value in headers.items()}}
    with events(app, f"{table.url}/log", sent) as stream:
        return list(stream)


def commits(stream: list[ServerSentEvent]) -> list[bytes]:
    """The commits among events."""
    return [event.data.encode() for event in stream if event.event == "commit"]


def id_of(line: bytes) -> str:
    """The id that a commit has as an event: its version and the first digits of its hash."""
    record = orjson.loads(line)
    return f"{record['version']}-{record['hash'][:16]}"


def version_of(line: bytes) -> int:
    """The version of a commit."""
    version: int = orjson.loads(line)["version"]
    return version
