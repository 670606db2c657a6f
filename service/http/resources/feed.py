"""The feed of every match that an API key may see: pages, lines of JSON, server-sent events."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, TypeAlias, TypedDict

import orjson
from flask import Response, current_app, request

from service.http.judgement.callers import dependencies, play
from service.http.middleware.overload import stepped_aside
from service.http.openapi.blueprint import Blueprint
from service.http.openapi.queries import FeedQuery
from service.http.protocol.content_negotiation import best_form
from service.http.protocol.json_answers import json_response
from service.http.protocol.preferences import waits
from service.http.protocol.problems import invalid
from service.http.streaming.forms import (
    FORMS,
    JSON,
    NDJSON,
    SSE,
    STREAM_HEADERS,
    closing,
    event,
    headers_only,
    in_its_place,
    last_event,
    looks_only,
    slot_for,
    stream_slots,
    streamed,
)
from service.http.streaming.stream_viewer import needed_key, redeemed, ticket_invalid
from service.http.streaming.streams import COMMENT, EMPTY_LINE, RETRY, Life, news
from service.live import feed_cursor
from service.live.feed_subscription import FeedSubscription, FeedSubscriptions
from service.live.feed_window import PositionGoneError, Positions
from service.matches.documents import Commits
from service.matches.revision import HistoryLostError

blueprint = Blueprint("feed", __name__, url_prefix="/v1/feed", description="One feed of all matches.")
Sealed: TypeAlias = Callable[[Positions], str]  # the cursor of a place, now
DESCRIPTION = f"""\
Every commit of every match that the API key may see, as a spectator sees it. Without a cursor the feed
begins now. Each commit comes at least once; (`match`, `version`) identifies duplicates. The commits of
one match come in order. A cursor works for an hour, then you get 410. Cursors are sealed: you cannot read
or compare them.

- `{JSON}`: a page, with the `cursor` to continue from. With `wait` (or `Prefer: wait=<n>`, at most 25)
  the server waits if the page would be empty. One page looks through a limited number of commits,
  including those of matches you may not see, so an empty page does not mean the end: continue from its
  cursor.
- `{NDJSON}`: one commit per line; after some of them, and at the end, a line `{{"cursor": "…"}}`. With
  `follow=true` the answer stays open, with an empty line from time to time.
- `{SSE}`: `commit` events, and after some of them `cursor`, whose `id` is the cursor. To resume, send
  `Last-Event-ID` or `cursor`. A comment at least every 15 seconds shows that the connection is alive.

An EventSource in a browser authenticates with a ticket (`issueFeedTicket`), which opens one stream. When
it gets 401, open a new one with a new ticket and the cursor. Revoking the API key ends its streams."""


class FeedPage(TypedDict):
    """Commits of all matches, as spectators see them; (`match`, `version`) identifies duplicates."""

    items: Commits
    cursor: Annotated[str, "Continue from here; it works for an hour."]


@blueprint.route("")
@blueprint.operation(
    "readFeed",
    "ticket_invalid",
    "cursor_expired",
    "history_lost",
    "too_many_streams",
    "streams_full",
    headers=["Authorization", "Last-Event-ID", "Prefer"],
    security=[{"apiKey": []}, {}],
    description=DESCRIPTION,
)
@blueprint.arguments(FeedQuery(), location="query")
@blueprint.response(200, FeedPage)
@blueprint.also(SSE, NDJSON)
def read_feed(query: dict[str, Any]) -> Response:
    """Read the feed of all matches that your API key may see."""
    kind = best_form(FORMS)
    assert kind is not None  # 406 was said before
    in_its_place(kind, query)
    holder = _holder(query)
    if looks_only() and kind != JSON:
        return headers_only(kind)
    shared: FeedSubscriptions = current_app.extensions["feed_subscriptions"]
    following = FeedSubscription(shared, holder, _begin(query), query["limit"], bounded=kind == JSON)
    if kind == JSON:
        return _page(following, query, f"token:{holder[:32]}")
    dependencies().tail.check(following.positions)
    return _stream(following, kind, f"token:{holder[:32]}", stays=kind == SSE or query.get("follow", False))


def _page(following: FeedSubscription, query: Mapping[str, Any], caller: str) -> Response:
    seconds, applied = waits(query)
    seconds = 0 if looks_only() else seconds
    close = closing(following, slot_for(caller) if seconds else None)
    try:
        with stepped_aside():
            items = [orjson.Fragment(line) for line in following.news(seconds)]
        if following.gone:
            raise PositionGoneError
    finally:
        close()
    after = _sealing()(following.positions)
    link = f'</v1/feed?limit={query["limit"]}&cursor={after}>; rel="next"'
    page: FeedPage = {"items": items, "cursor": after}
    return json_response(page, headers={**STREAM_HEADERS, "Link": link, **applied})


def _stream(following: FeedSubscription, kind: str, caller: str, *, stays: bool) -> Response:
    close, limits = closing(following, slot_for(caller)), stream_slots().limits
    life = Life(limits if stays else replace(limits, seconds=0.0))
    write = _events if kind == SSE else _lines
    return streamed(write(following, life, _sealing()), kind, close)


def _events(following: FeedSubscription, life: Life, sealed: Sealed) -> Iterator[bytes]:
    yield RETRY + _cursor_event(sealed(following.positions))
    for lines in news(following, life):
        written = b"".join(event("commit", line) for line in lines)
        yield written + _cursor_event(sealed(following.positions)) if lines else COMMENT
    yield _cursor_event(sealed(following.positions))


def _cursor_event(word: str) -> bytes:
    return event("cursor", orjson.dumps({"cursor": word}), word)


def _lines(following: FeedSubscription, life: Life, sealed: Sealed) -> Iterator[bytes]:
    for lines in news(following, life):
        written = b"".join(line + b"\n" for line in lines)
        yield written + _cursor_line(sealed(following.positions)) if lines else EMPTY_LINE
    yield _cursor_line(sealed(following.positions))


def _cursor_line(word: str) -> bytes:
    return orjson.dumps({"cursor": word}) + b"\n"


def _sealing() -> Sealed:
    """A writer of cursors that also works while an answer is streamed."""
    clock, secret = play().clock, dependencies().deployment.secret()
    return lambda positions: feed_cursor.written(positions, clock(), secret)


def _holder(query: Mapping[str, Any]) -> str:
    """The digest of the API key that reads."""
    if "ticket" not in query:
        return needed_key()
    holder = redeemed(query["ticket"], request.path).holder
    if dependencies().keys.find(holder) is None:
        raise ticket_invalid()
    return holder


def _begin(query: Mapping[str, Any]) -> Positions:
    """The place to continue from: Last-Event-ID, the cursor, or now."""
    where, word = last_event(query)
    if word is None:
        where, word = "/cursor", query.get("cursor")
    if word is None:
        return dependencies().tail.now()
    try:
        positions = feed_cursor.read(
            word, dependencies().tail.partitions, play().clock(), dependencies().deployment.secret()
        )
    except ValueError as flaw:
        raise invalid((where, "This is not a cursor of this feed.")) from flaw
    if dependencies().tail.lost(positions):
        raise HistoryLostError(
            "The feed no longer has what this cursor has seen. Start again without a cursor."
        )
    return positions
