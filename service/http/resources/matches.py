"""Reading a match, at any version; your legal commands; the score."""

from typing import Any

from flask import Response

from service.http.judgement.callers import find, play
from service.http.judgement.reads import seat_of, versioned, viewed
from service.http.openapi.blueprint import MATCHES
from service.http.openapi.queries import AtQuery, LegalQuery
from service.http.openapi.request_headers import WAIT_OR_RETURN
from service.http.protocol.common_headers import vary
from service.http.protocol.preferences import add_match, applied, waits
from service.http.streaming.log_stream import turn_of
from service.matches.documents import LegalPage, MatchDocument, ScoreDocument
from service.matches.views import legal_page, match_document, score_document

blueprint = MATCHES
FOREVER = "private, max-age=31536000, immutable"  # what a viewer saw at a past version is a fold of the log


@blueprint.route("/<match_id>")
@blueprint.operation("getMatch", "version_not_found", headers=["Authorization", "If-None-Match"])
@blueprint.arguments(AtQuery(), location="query")
@blueprint.response(200, MatchDocument)
@blueprint.not_modified()
def get_match(query: dict[str, Any], match_id: str) -> Response:
    """Read a match.

    With a seat's token you see what that seat may see; otherwise, what a spectator may see. With `at` you
    read the match as it was at an earlier version. The end of a match does not change what the rules show:
    hands and other hidden things stay null here. The log opens them.
    """
    loaded, viewer = viewed(match_id)
    if query.get("at", loaded.version) == loaded.version:
        return versioned(loaded, match_document(loaded, viewer))
    then = play().past(loaded, query["at"])
    return versioned(then, match_document(then, viewer), FOREVER)


@blueprint.route("/<match_id>/legal")
@blueprint.operation(
    "listLegalCommands",
    "seat_required",
    "too_many_streams",
    "streams_full",
    headers=["Authorization", "If-None-Match", WAIT_OR_RETURN],
)
@blueprint.arguments(LegalQuery(), location="query")
@blueprint.response(200, LegalPage)
@blueprint.not_modified()
def list_legal(query: dict[str, Any], match_id: str) -> Response:
    """List your legal commands.

    Each is a body ready to send. The list is empty while it is not your turn. It is always in the same order,
    and has at most `limit` commands: 200 by default, at most 1000. If there are others, `more` is true: raise
    `limit` to get them. Beyond 1000, make them by the schemas in the catalogue (`getGame`): every legal
    command is accepted, listed or not.

    With `wait`, the answer comes as soon as it is your turn or the match is over, at the latest after that
    many seconds. So a bot needs two requests a move: this one and `sendCommands`. A turn may need several
    commands: a list of them, as far as you can foresee, saves requests. With `Prefer: return=representation`
    the answer also has the match.
    """
    loaded = find(match_id)
    seat = seat_of(loaded)
    seconds, waited = waits(query)
    if seconds:
        loaded = turn_of(loaded, seat, seconds)
        seat = seat_of(loaded)
    document = legal_page(loaded, seat, query["limit"])
    add_match(document, loaded, seat)
    response = versioned(loaded, document)
    response.headers.update(waited)
    vary(response, "Prefer")
    return applied(response, document)


@blueprint.route("/<match_id>/score")
@blueprint.operation("getScore", headers=["Authorization", "If-None-Match"])
@blueprint.response(200, ScoreDocument)
@blueprint.not_modified()
def get_score(match_id: str) -> Response:
    """Read the score.

    It comes part by part. While the match is being played, it is the score so far, without anything that
    depends on what is hidden from you. Once `final` is true it does not change.
    """
    loaded, viewer = viewed(match_id)
    return versioned(loaded, score_document(loaded, viewer))
