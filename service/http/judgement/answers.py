"""Answers to writes of a match, the same the first time and again."""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from flask import Response

from domain.game import Viewer
from service.http.protocol.json_answers import stored
from service.http.protocol.preferences import add_match, applied
from service.matches.access import IssuedInvite, shown_invite
from service.matches.documents import MatchDocument
from service.matches.joining import Caller, shown_tokens
from service.matches.requests import Result
from service.matches.views import answer, match_document, viewer_of


class CreatedDocument(TypedDict):
    """A match and its tokens, which are shown only once."""

    match: MatchDocument
    tokens: Annotated[
        Mapping[str, str],
        "By actor: `host`, `seat:0`, `spectator:1`, … The service stores only their digests.",
    ]


class InviteAnswer(TypedDict):
    """The new invite."""

    version: int
    invite: IssuedInvite


def committed(result: Result, by: str, status: int = 201, *, whole: bool = False) -> Response:
    """The commits of a result, as the caller may see them; `whole`: with the match, if that is preferred."""
    first = result.entries[0].version
    location = f"/v1/matches/{result.loaded.id}/log?after={first - 1}&limit={len(result.entries)}"
    viewer = viewer_of(by)
    document = answer(result.loaded, result.entries, viewer)
    if whole:
        add_match(document, result.loaded, viewer)
    return applied(stored(document, result, location, status), document)


def with_tokens(result: Result, caller: Caller, viewer: Viewer) -> Response:
    """The match, with the tokens that are shown this once."""
    loaded = result.loaded
    document: CreatedDocument = {
        "match": match_document(loaded, viewer),
        "tokens": shown_tokens(result, caller),
    }
    return stored(document, result, f"/v1/matches/{loaded.id}")


def with_code(result: Result, caller: Caller) -> Response:
    """An invite, with the code that is shown this once."""
    loaded = result.loaded
    document: InviteAnswer = {"version": loaded.version, "invite": shown_invite(result, caller)}
    return stored(document, result, f"/v1/matches/{loaded.id}/invites")
