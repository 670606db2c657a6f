"""The log over HTTP in four forms: a page of JSON, waited for or not, lines of JSON, server-sent events."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flask import Response

from domain.game import Viewer
from service.history import History
from service.http.api import Blueprint, json_response
from service.http.callers import actor, find, play
from service.http.documents import LogPage
from service.http.forms import best_form
from service.http.live_forms import FORMS, JSON, NDJSON, SSE, in_its_place
from service.http.live_log import check_reached, event_stream, line_stream, news_of, seen_by, turn_of
from service.http.matches import READ, versioned
from service.http.preferences import waits
from service.http.problems import invalid
from service.http.requests import LogQuery
from service.http.tags import after_query, version_tag
from service.loaded import Loaded
from service.log.export import lines
from service.log.record import Entry
from service.revisions import DIGITS, Revision
from service.views import commits, viewer_of, whose_turn

blueprint = Blueprint("log", __name__, url_prefix="/v1/matches", description="The log that proves itself.")
DESCRIPTION = f"""\
One feed in four forms; all give exactly the same commits. What was sealed comes with `opened` to whoever
may see it by then: at the end, to everybody.

- `{JSON}`: a page, with `status` and `to_act` as of its `version`. With `wait` (or `Prefer: wait=<n>`, at
  most 25) the answer comes as soon as there is a commit after `after`; if none comes in time, `items` is
  empty. With `until=turn` as well, which takes a seat's token, it comes as soon as your seat is to act, with
  everything after `after`, or in time without. Nothing is waited for once the match is over.
- `{NDJSON}`: a header line with the edition (from the beginning only), then a commit a line. With
  `follow=true` it stays open, with an empty line now and then.
- `{SSE}`: first an event `match`, the match as it is now and as the caller sees it; then `commit`, whose `id`
  begins with the version; once you have the newest commit, `turn`, with `version`, `status` and `to_act`;
  after the last one `end`. It resumes after `Last-Event-ID`, or `after` where there
  is none; without either it begins with what comes next. Who resumes gets the commits that he lacks, also
  those that `match` has seen already: apply them to what you have, or pass over those up to its `version`. A
  comment at least every 15 seconds says that it lives.

The `id` of an event and the link to the next page carry the hash of a commit beside its version: if the store
was restored from an older copy that lacks it, 410 `history_lost` says so. Read the match anew then.

A stream ends after about ten minutes, or when the service restarts: come again with the last version you
have. Who comes again to a match that is over, and lacks nothing, gets 204, at which an EventSource stops. A
version that the match has not reached is refused with 422 by whatever waits: read the match anew. A stream
also ends when its token or key is no longer good.

A browser's EventSource, which can send no token, gets in by a ticket (`issueTicket`). A ticket opens one
stream: when the EventSource comes again by itself with the same URL it is refused with 401, and the page
has to open a new one with a new ticket and `after`."""


@blueprint.route("/<match_id>/log")
@blueprint.operation(
    "readLog",
    *READ,
    "ticket_invalid",
    "too_many_streams",
    "streams_full",
    "history_lost",
    headers=["Authorization", "If-None-Match", "Last-Event-ID", "Prefer"],
    description=DESCRIPTION,
)
@blueprint.arguments(LogQuery(), location="query")
@blueprint.response(200, LogPage)
@blueprint.also(SSE, NDJSON)
@blueprint.alt_response(204, description="The match is over, and the stream lacks nothing.", success=True)
@blueprint.not_modified()
def read_log(query: dict[str, Any], match_id: str) -> Response:
    """Read the log as the caller may see it.

    `Accept` decides how it comes.
    """
    loaded = find(match_id)
    kind = best_form(FORMS)
    if "ticket" in query and kind == SSE:
        in_its_place(SSE, query)
        return event_stream(loaded, query)
    viewer = viewer_of(actor(loaded))
    in_its_place(kind, query)
    if kind == SSE:
        return event_stream(loaded, query)
    if kind == NDJSON:
        return line_stream(loaded, query) if query.get("follow") else _export(loaded, viewer, query)
    seconds, applied = waits(query)
    if "until" in query:
        _check_until(viewer, waited=bool(applied) or "wait" in query)
    if not seconds:
        return _page(loaded, viewer, query, versioned, applied)
    loaded = _waited(loaded, viewer, query, seconds)
    return _page(loaded, viewer_of(actor(loaded)), query, _unversioned, applied)


def _check_until(viewer: Viewer, *, waited: bool) -> None:
    """422 where no turn can be waited for."""
    if not waited:
        raise invalid(("/until", "Only together with `wait`."))
    if viewer is None:
        raise invalid(
            ("/until", "Only for a seat: spectators and the host have no turn. Use a seat's token.")
        )


def _waited(loaded: Loaded, viewer: Viewer, query: Mapping[str, Any], seconds: float) -> Loaded:
    """The match once there is what the caller waits for, at the latest after so many seconds."""
    seen = seen_by(loaded, query)
    if "until" not in query:
        return news_of(loaded, seen, seconds)
    assert viewer is not None
    check_reached(loaded, seen)
    return turn_of(loaded, viewer, seconds)


def _unversioned(loaded: Loaded, document: Any) -> Response:
    """What was waited for is news, whatever the caller has."""
    headers = {"ETag": version_tag(Revision.of(loaded)), "Cache-Control": "no-store"}
    return json_response(document, headers=headers)


def _page(
    loaded: Loaded,
    viewer: Viewer,
    query: Mapping[str, Any],
    write: Callable[[Loaded, Any], Response],
    headers: Mapping[str, str],
) -> Response:
    seen, limit = seen_by(loaded, query), query["limit"]
    entries = play().history.commits(loaded.id, seen.version, loaded.version, limit)
    following = None
    if entries and entries[-1].version < loaded.version:
        last = Revision(entries[-1].version, entries[-1].public()["hash"][:DIGITS])
        following = f"/v1/matches/{loaded.id}/log?{after_query(last)}&limit={limit}"
    items = commits(entries, loaded, viewer)
    response = write(loaded, whose_turn(loaded) | {"items": items, "next": following})
    if following is not None:
        response.headers["Link"] = f'<{following}>; rel="next"'
    response.headers.update(headers)
    return response


def _export(loaded: Loaded, viewer: Viewer, query: Mapping[str, Any]) -> Response:
    after, history = seen_by(loaded, query).version, play().history
    written = lines(loaded.id, loaded.state, _entries(history, loaded, after), viewer, loaded.names)
    if after:
        next(written)  # the header stands at the beginning of a log only
    headers = {
        "Cache-Control": "private, no-cache",
        "Vary": "Authorization, Accept",
        "ETag": version_tag(Revision.of(loaded)),
        "Content-Disposition": f'attachment; filename="{loaded.id}.ndjson"',
    }
    return Response(written, 200, headers, mimetype=NDJSON)


def _entries(history: History, loaded: Loaded, after: int) -> Iterator[Entry]:
    """Commits up to the version that was loaded, read in pages as they are sent."""
    while entries := history.commits(loaded.id, after, loaded.version):
        yield from entries
        after = entries[-1].version
