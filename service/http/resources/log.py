"""The log over HTTP in four forms: a page of JSON, a long poll, lines of JSON, server-sent events."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

from flask import Response

from domain.game import Viewer
from service.http.judgement.callers import actor, dependencies, find, play
from service.http.judgement.reads import versioned
from service.http.openapi.blueprint import Blueprint
from service.http.openapi.queries import LogQuery
from service.http.protocol.content_negotiation import best_form
from service.http.protocol.etags import after_query, version_tag
from service.http.protocol.json_answers import json_response
from service.http.protocol.preferences import waits
from service.http.protocol.problems import invalid
from service.http.streaming.forms import FORMS, JSON, NDJSON, SSE, in_its_place
from service.http.streaming.log_stream import (
    check_reached,
    event_stream,
    line_stream,
    news_of,
    seen_by,
    turn_of,
)
from service.log.export import lines, trailer
from service.log.record import Entry
from service.matches.aggregate import Aggregate
from service.matches.documents import LogPage
from service.matches.history import History
from service.matches.revision import DIGITS, Revision
from service.matches.views import commits, viewer_of, whose_turn

blueprint = Blueprint(
    "log",
    __name__,
    url_prefix="/v1/matches",
    description="The log of a match: pages, exports and live streams.",
)
DESCRIPTION = f"""\
The log comes in four forms, with the same commits in each. What was sealed comes with `opened` if you may
see it: at the end of the match, everyone may.

- `{JSON}`: a page, with `status` and `to_act` as of its `version`. With `wait` (or `Prefer: wait=<n>`, at
  most 25) the answer comes as soon as there is a commit after `after`. If no commit arrives in that time,
  `items` is empty. With `until=turn` as well, which takes the token of a seat, the answer comes as soon as it
  is your turn, with every commit after `after`. The server does not wait once the match is over.
- `{NDJSON}`: a header line with the edition, then one commit per line, and last `signed_head`: see
  [Signed heads](/docs/verifying#signed-heads). After a version there are only commits. With `follow=true` the
  answer stays open, with an empty line from time to time; the signed head comes if the match ends.
- `{SSE}`: first an event `match`, the match as you may see it now; then one `commit` event per commit,
  whose `id` begins with the version; after the newest one `turn`, with `version`, `status` and `to_act`;
  after the last one, `end`, with `version`, `status` and `signed_head`. To resume, send `Last-Event-ID` or
  `after`; without either, the stream begins with the next commit. When you resume you get every commit you
  missed, including those that `match` already contains: apply them to what you have, or skip those up to its
  `version`. A comment at least every 15 seconds shows that the connection is alive.

The `id` of an event and the link to the next page contain the hash of a commit as well as its version. If
the store was restored from an older copy without that commit, you get 410 `history_lost`. Read the match
again then.

A stream ends after about ten minutes, or when the service restarts: reconnect with the last version you
have. When the match is over and you have all of it, you get 204, which tells an EventSource to stop. A
request that waits or streams after a version that the match has not reached gets 422: read the match
again. A stream also ends when its token or key is revoked.

An EventSource in a browser cannot send a token. It authenticates with a ticket (`issueTicket`), which
opens one stream. When the EventSource reconnects with the same URL it gets 401; open a new one with a new
ticket and `after`."""


@blueprint.route("/<match_id>/log")
@blueprint.operation(
    "readLog",
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
@blueprint.alt_response(204, description="The match is over, and you have all of it.", success=True)
@blueprint.not_modified()
def read_log(query: dict[str, Any], match_id: str) -> Response:
    """Read the log.

    You see each commit as your seat, or as a spectator. `Accept` chooses the form.
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
        raise invalid(("/until", "Works only with `wait`."))
    if viewer is None:
        raise invalid(("/until", "Only seats have turns. Use the token of a seat."))


def _waited(loaded: Aggregate, viewer: Viewer, query: Mapping[str, Any], seconds: float) -> Aggregate:
    """The match once there is what the caller waits for, at the latest after so many seconds."""
    seen = seen_by(loaded, query)
    if "until" not in query:
        return news_of(loaded, seen, seconds)
    assert viewer is not None
    check_reached(loaded, seen)
    return turn_of(loaded, viewer, seconds)


def _unversioned(loaded: Aggregate, document: Any) -> Response:
    """The answer to a long poll: it is never a 304."""
    headers = {"ETag": version_tag(Revision.of(loaded)), "Cache-Control": "no-store"}
    return json_response(document, headers=headers)


def _page(
    loaded: Aggregate,
    viewer: Viewer,
    query: Mapping[str, Any],
    write: Callable[[Aggregate, Any], Response],
    headers: Mapping[str, str],
) -> Response:
    seen, limit = seen_by(loaded, query), query["limit"]
    entries = play().history.commits(loaded.id, seen.version, loaded.version, limit)
    following = None
    if entries and entries[-1].version < loaded.version:
        last = Revision(entries[-1].version, entries[-1].public()["hash"][:DIGITS])
        following = f"/v1/matches/{loaded.id}/log?{after_query(last)}&limit={limit}"
    items = commits(entries, loaded, viewer)
    page: LogPage = {**whose_turn(loaded), "items": items, "next": following}
    response = write(loaded, page)
    if following is not None:
        response.headers["Link"] = f'<{following}>; rel="next"'
    response.headers.update(headers)
    return response


def _export(loaded: Aggregate, viewer: Viewer, query: Mapping[str, Any]) -> Response:
    after, history = seen_by(loaded, query).version, play().history
    written = lines(loaded.id, loaded.state, _entries(history, loaded, after), viewer, loaded.names)
    ending: list[bytes] = []
    if after:
        next(written)  # only a whole log has a header, and a signed head at its end
    else:
        ending = trailer(dependencies().signer.sign(loaded.id, loaded.version, loaded.hash))
    headers = {
        "Cache-Control": "private, no-cache",
        "Vary": "Authorization, Accept",
        "ETag": version_tag(Revision.of(loaded)),
        "Content-Disposition": f'attachment; filename="{loaded.id}.ndjson"',
    }
    return Response(chain(written, ending), 200, headers, mimetype=NDJSON)


def _entries(history: History, loaded: Aggregate, after: int) -> Iterator[Entry]:
    """Commits up to the version that was loaded, read in pages as they are sent."""
    while entries := history.commits(loaded.id, after, loaded.version):
        yield from entries
        after = entries[-1].version
