"""A match's log as it grows: server-sent events, lines of JSON, and the long poll for news or a turn."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

import orjson
from flask import Response, request

from service.http.judgement.callers import dependencies, find, play
from service.http.middleware.overload import stepped_aside
from service.http.protocol.problems import invalid
from service.http.streaming.forms import (
    NDJSON,
    SSE,
    closing,
    event,
    headers_only,
    last_event,
    live,
    looks_only,
    slot_for,
    stream_slots,
    streamed,
)
from service.http.streaming.stream_viewer import StreamViewer, of_caller, of_ticket
from service.http.streaming.streams import Life, events, json_lines
from service.live.match_subscription import MatchSubscription
from service.log.canonical import canonical
from service.log.export import header
from service.matches.aggregate import Aggregate
from service.matches.revision import Revision
from service.matches.views import match_document


def event_stream(loaded: Aggregate, query: Mapping[str, Any]) -> Response:
    """Server-sent events: the match, then the commits after the event that the client has, or new ones."""
    where, last = _last_event(query)
    after = _after(query) if last is None else last
    shown = query.get("ticket")
    standing = of_caller(loaded) if shown is None else of_ticket(loaded, shown, request.path)
    if _lacks_nothing(loaded, after, "/after" if last is None else where):
        return Response(status=HTTPStatus.NO_CONTENT)
    if looks_only():
        return headers_only(SSE)
    document = orjson.dumps(match_document(loaded, standing.viewer))
    opening = event("match", document, str(Revision.of(loaded)) if after is None else None)
    following, close = _follow(loaded, loaded.version if after is None else after.version, standing)
    written = events(following, opening, Life(stream_slots().limits), dependencies().signer)
    return streamed(written, SSE, close)


def line_stream(loaded: Aggregate, query: Mapping[str, Any]) -> Response:
    """Lines of JSON, with new commits as they are made."""
    after = _after(query)
    standing = of_caller(loaded)
    if _lacks_nothing(loaded, after):
        return Response(status=HTTPStatus.NO_CONTENT)
    if looks_only():
        return headers_only(NDJSON)
    begins = after is None or after.version == 0
    opening = canonical(header(loaded.id, loaded.state)) + b"\n" if begins else b""
    following, close = _follow(loaded, 0 if after is None else after.version, standing)
    written = json_lines(following, opening, Life(stream_slots().limits), dependencies().signer)
    return streamed(written, NDJSON, close)


def seen_by(loaded: Aggregate, query: Mapping[str, Any]) -> Revision:
    """The commit after which a page begins; HistoryLostError where the log has another one."""
    seen = _after(query) or Revision(0)
    play().history.confirm(loaded, seen)
    return seen


def news_of(loaded: Aggregate, after: Revision, seconds: float) -> Aggregate:
    """The match as soon as it has gone on from a version, or as it is after so many seconds."""
    if _lacks_nothing(loaded, after):
        return loaded
    return _waited(loaded, lambda now: now.version > after.version, seconds)


def turn_of(loaded: Aggregate, seat: int, seconds: float) -> Aggregate:
    """The match as soon as a seat is to act, or it is over, or as it is after so many seconds."""
    return _waited(loaded, lambda now: now.state.over or seat in now.state.to_act, seconds)


def check_reached(loaded: Aggregate, after: Revision, where: str = "/after") -> None:
    """422 for a version that the match has not reached; HistoryLostError for one that the store has lost."""
    play().history.confirm(loaded, after)
    if after.version > loaded.version:
        raise invalid(
            (where, f"The match is at version {loaded.version}. Read it again and continue from there.")
        )


def _waited(loaded: Aggregate, enough: Callable[[Aggregate], bool], seconds: float) -> Aggregate:
    """The match as soon as the condition holds; the caller checks its rights again."""
    if not seconds or enough(loaded) or looks_only():
        return loaded
    following, close = _follow(loaded, loaded.version, of_caller(loaded))
    try:
        with stepped_aside():
            following.wait_until(enough, seconds)
    finally:
        close()
    return find(loaded.id)


def _follow(
    loaded: Aggregate, after: int, standing: StreamViewer
) -> tuple[MatchSubscription, Callable[[], None]]:
    """A subscription to the log that holds a place for streams, and how to close both."""
    slot = slot_for(standing.caller)
    following = MatchSubscription(live(), loaded.id, after, standing.viewer, standing.holds)
    return following, closing(following, slot)


def _lacks_nothing(loaded: Aggregate, after: Revision | None, where: str = "/after") -> bool:
    """Whether a match is over and a client with this version has all of it; 422 for a version not reached.

    HistoryLostError for the commit of a history that the store has lost.
    """
    if after is None:
        return False
    check_reached(loaded, after, where)
    return after.version == loaded.version and loaded.state.over


def _after(query: Mapping[str, Any]) -> Revision | None:
    """The commit that a query names, if it names one; 422 for a hash of no version."""
    if "after" in query:
        return Revision(query["after"], query.get("after_hash", ""))
    if "after_hash" in query:
        raise invalid(("/after_hash", "Send it together with `after`."))
    return None


def _last_event(query: Mapping[str, Any]) -> tuple[str, Revision | None]:
    """The header or parameter that gave Last-Event-ID, and its commit; None without one; 422 if invalid."""
    where, given = last_event(query)
    if given is None:
        return where, None
    named = Revision.read(given)
    if named is None:
        raise invalid((where, "Must be the id of an event, or a version of the match."))
    return where, named
