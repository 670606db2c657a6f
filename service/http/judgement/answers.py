"""Answers to writes of a match, the same the first time and again."""

from flask import Response

from domain.game import Viewer
from service.http.openapi.api import stored
from service.http.protocol.preferences import applied, with_match
from service.matches.access import invited
from service.matches.joining import Caller, seated
from service.matches.requests import Result
from service.matches.views import answer, match_document, viewer_of


def committed(result: Result, by: str, status: int = 201, *, whole: bool = False) -> Response:
    """The commits of a result, as the caller may see them; `whole`: with the match, if that is preferred."""
    first = result.entries[0].version
    location = f"/v1/matches/{result.loaded.id}/log?after={first - 1}&limit={len(result.entries)}"
    viewer = viewer_of(by)
    document = answer(result.loaded, result.entries, viewer)
    if whole:
        document = with_match(document, result.loaded, viewer)
    return applied(stored(document, result, location, status), document)


def with_tokens(result: Result, caller: Caller, viewer: Viewer) -> Response:
    """The match, with the tokens that are shown this once."""
    loaded = result.loaded
    document = {"match": match_document(loaded, viewer), "tokens": dict(seated(result, caller).tokens)}
    return stored(document, result, f"/v1/matches/{loaded.id}")


def with_code(result: Result, caller: Caller) -> Response:
    """An invite, with the code that is shown this once."""
    loaded = result.loaded
    document = {"version": loaded.version, "invite": dict(invited(result, caller).invite)}
    return stored(document, result, f"/v1/matches/{loaded.id}/invites")
