"""The log over HTTP: pages of JSON, or lines to be kept and verified."""

from collections.abc import Iterator
from typing import Any

from flask import Response, request
from werkzeug.exceptions import NotAcceptable

from domain.game import Viewer
from service.http.api import Blueprint
from service.http.callers import actor, find, play
from service.http.documents import LogPage
from service.http.matches import READ, versioned
from service.http.requests import LogQuery
from service.loaded import Loaded
from service.log.export import lines
from service.log.record import Entry
from service.play import PAGE
from service.store.journal import Journal
from service.views import commits, viewer_of

blueprint = Blueprint("log", __name__, url_prefix="/v1/matches", description="The log that proves itself.")
JSON, NDJSON = "application/json", "application/x-ndjson"


@blueprint.route("/<match_id>/log")
@blueprint.operation(
    "readLog",
    *READ,
    "not_acceptable",
    "validation_error",
    headers=["Authorization", "If-None-Match"],
)
@blueprint.arguments(LogQuery(), location="query")
@blueprint.response(200, LogPage)
@blueprint.alt_response(
    200,
    schema={"type": "string"},
    content_type=NDJSON,
    description="A header line with the edition (from the beginning only), then a commit a line.",
    success=True,
)
@blueprint.not_modified()
def read_log(query: dict[str, Any], match_id: str) -> Response:
    """Read the log as the caller may see it.

    `Accept` decides how it comes: as a JSON page, or all of it as lines of JSON, to be kept and verified.
    What the caller must not know is sealed; the hashes are the same for everybody.
    """
    loaded = find(match_id)
    viewer = viewer_of(actor(loaded))
    kind = request.accept_mimetypes.best_match([JSON, NDJSON]) if request.accept_mimetypes else JSON
    if kind is None:
        raise NotAcceptable(f"The log comes as {JSON} or {NDJSON}.")
    if kind == NDJSON:
        return _export(loaded, viewer, query["after"])
    return _page(loaded, viewer, query["after"], query["limit"])


def _page(loaded: Loaded, viewer: Viewer, after: int, limit: int) -> Response:
    entries = play().journal.read(loaded.id, after, loaded.version, limit)
    last = entries[-1].version if entries else after
    own = f"/v1/matches/{loaded.id}/log"
    following = f"{own}?after={last}&limit={limit}" if last < loaded.version else None
    items = commits(entries, viewer, revealed=loaded.state.seed is not None)
    response = versioned(loaded, {"items": items, "version": loaded.version, "next": following})
    if following is not None:
        response.headers["Link"] = f'<{following}>; rel="next"'
    return response


def _export(loaded: Loaded, viewer: Viewer, after: int) -> Response:
    written = lines(loaded.id, loaded.state, _entries(play().journal, loaded, after), viewer)
    if after:
        next(written)  # the header stands at the beginning of a log only
    headers = {
        "Cache-Control": "private, no-cache",
        "Vary": "Authorization, Accept",
        "ETag": f'"v{loaded.version}"',
        "Content-Disposition": f'attachment; filename="{loaded.id}.ndjson"',
    }
    return Response(written, 200, headers, mimetype=NDJSON)


def _entries(journal: Journal, loaded: Loaded, after: int) -> Iterator[Entry]:
    """Commits up to the version that was loaded, read in pages as they are sent."""
    while entries := journal.read(loaded.id, after, loaded.version, PAGE):
        yield from entries
        after = entries[-1].version
