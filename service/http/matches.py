"""Matches: create, list, read (at any version), the caller's legal commands, the score."""

import re
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from flask import Response, request

from domain.game import Viewer
from domain.games import games
from domain.match.commands import CreateMatch, Seat
from domain.match.rules import HOST
from service.asking import CommandRefusedError, Result
from service.clock import iso
from service.http.api import GUARDING_KEY, Blueprint, body_of, json_response
from service.http.callers import (
    actor,
    find,
    json_body,
    loaded_with,
    or_first_answer,
    play,
    required_actor,
    sent,
    stranger,
)
from service.http.documents import CreatedDocument, LegalPage, MatchDocument, MatchPage, ScoreDocument
from service.http.problems import Problem, invalid
from service.http.requests import AtQuery, CreateMatchRequest, LegalQuery, ListQuery
from service.loaded import Loaded
from service.seating import Caller, Seated, create_match, seated
from service.store.journal import Listed
from service.views import legal_page, match_document, score_document, viewer_of

blueprint = Blueprint(
    "matches", __name__, url_prefix="/v1/matches", description="Matches and what is known of them."
)
CREATE = CreateMatchRequest()
READ = ("token_missing", "token_unknown", "match_not_found", "store_unavailable", "match_quarantined")
PLACE = re.compile(r"\d{15}-m_[a-z2-7]{26}")
LISTED_PAGE = 100  # matches read in one trip
MOST_SCANNED = 2000  # matches looked through for one page of a filtered list


@blueprint.route("", methods=["POST"])
@blueprint.operation(
    "createMatch",
    "idempotency_key_invalid",
    "content_too_large",
    "unsupported_media_type",
    "validation_error",
    "idempotency_key_reused",
    "outcome_unknown",
    "store_unavailable",
    requestBody=body_of(CreateMatchRequest, "The table to be laid."),
    headers=[GUARDING_KEY],
)
@blueprint.response(201, CreatedDocument)
def create() -> Response:
    """Create a match.

    With no open seat it starts at once. The tokens in the answer are shown this once: one for the host, and
    one for every seat that has a name.
    """
    body = sent()
    caller = stranger(body)
    read = or_first_answer(caller.match_id, caller.asks(HOST), lambda: loaded_with(CREATE, json_body(body)))
    made = seated(read, caller) if isinstance(read, Result) else _create(read, caller)
    return with_tokens(made, None)


def _create(given: Mapping[str, Any], caller: Caller) -> Seated:
    game = games()[given["game"]]
    seats = tuple(Seat("human", seat.get("name"), seat.get("entropy")) for seat in given["seats"])
    edition, options = given.get("edition", game.default_edition), given.get("options", {})
    command = CreateMatch(game.name, edition, options, seats, given.get("private", False))
    seed = bytes.fromhex(given["seed"]) if "seed" in given else None
    try:
        return create_match(play(), game, command, caller, seed)
    except CommandRefusedError as refused:
        pointer = "/seats" if refused.rule.code == "seats" else "/options"
        raise invalid((pointer, refused.rule.sentence)) from refused


def with_tokens(made: Seated, viewer: Viewer) -> Response:
    """The answer that hands out tokens."""
    loaded = made.result.loaded
    headers = {
        "Location": f"/v1/matches/{loaded.id}",
        "ETag": f'"v{loaded.version}"',
        "Cache-Control": "no-store",
    }
    if made.result.replayed:
        headers["Idempotent-Replayed"] = "true"
    return json_response({"match": match_document(loaded, viewer), "tokens": dict(made.tokens)}, 201, headers)


@blueprint.route("")
@blueprint.operation("listMatches", "validation_error", "store_unavailable")
@blueprint.arguments(ListQuery(), location="query")
@blueprint.response(200, MatchPage)
def list_matches(query: dict[str, Any]) -> Response:
    """List public matches.

    The newest come first. A page may be short and still have a next one; `Link` leads to it.
    """
    wanted = {name: query[name] for name in ("game", "status") if name in query}
    items, following = list[Any](), None
    for scanned, row in enumerate(_rows(_place(query.get("cursor"))), start=1):
        if wanted.items() <= row.fields.items():
            items.append(_listed(row))
        if len(items) == query["limit"] or scanned == MOST_SCANNED:
            following = urlsafe_b64encode(row.place.encode()).decode().rstrip("=")
            break
    response = json_response({"items": items, "next": following})
    if following is not None:
        link = urlencode(
            {name: value for name, value in query.items() if name != "cursor"} | {"cursor": following}
        )
        response.headers["Link"] = f'</v1/matches?{link}>; rel="next"'
    return response


def _rows(place: str | None) -> Iterator[Listed]:
    """The public list after a place, read in pages."""
    while rows := play().journal.listing(place, LISTED_PAGE):
        yield from rows
        if len(rows) < LISTED_PAGE:
            return
        place = rows[-1].place


def _listed(row: Listed) -> dict[str, Any]:
    created = iso(int(row.place.split("-", 1)[0]))
    return {"id": row.match, **row.fields, "created_at": created, "self": f"/v1/matches/{row.match}"}


def _place(cursor: str | None) -> str | None:
    if cursor is None:
        return None
    with suppress(ValueError):
        place = b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True).decode("ascii")
        if PLACE.fullmatch(place):
            return place
    raise invalid(("/cursor", "This cursor is of no page."))


@blueprint.route("/<match_id>")
@blueprint.operation("getMatch", *READ, "validation_error", headers=["Authorization", "If-None-Match"])
@blueprint.arguments(AtQuery(), location="query")
@blueprint.response(200, MatchDocument)
@blueprint.not_modified()
def get_match(query: dict[str, Any], match_id: str) -> Response:
    """Read a match as the caller may see it.

    It is read now, or with `at` as it was at any version. With a seat's token its secrets are shown, without
    one what a spectator may see.
    """
    loaded = find(match_id)
    viewer = viewer_of(actor(loaded))
    if "at" in query:
        loaded = play().at(match_id, query["at"])
    return versioned(loaded, match_document(loaded, viewer))


def versioned(loaded: Loaded, document: Any) -> Response:
    """An answer whose ETag is the version of the match; 304 if the caller has it."""
    tag = f"v{loaded.version}"
    headers = {"ETag": f'"{tag}"', "Cache-Control": "private, no-cache", "Vary": "Authorization, Accept"}
    if request.if_none_match.contains_weak(tag):
        return Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    return json_response(document, headers=headers)


@blueprint.route("/<match_id>/legal")
@blueprint.operation(
    "listLegalCommands",
    *READ,
    "seat_required",
    "validation_error",
    headers=["Authorization", "If-None-Match"],
)
@blueprint.arguments(LegalQuery(), location="query")
@blueprint.response(200, LegalPage)
@blueprint.not_modified()
def list_legal(query: dict[str, Any], match_id: str) -> Response:
    """List the caller's legal commands.

    Each is a body ready to send. There are none while somebody else is to act.
    """
    loaded = find(match_id)
    seat = viewer_of(required_actor(loaded))
    if seat is None:
        raise Problem("seat_required", "The host has no commands to choose from; use a seat's token.")
    return versioned(loaded, legal_page(loaded, seat, query["limit"]))


@blueprint.route("/<match_id>/score")
@blueprint.operation("getScore", *READ, headers=["Authorization", "If-None-Match"])
@blueprint.response(200, ScoreDocument)
@blueprint.not_modified()
def get_score(match_id: str) -> Response:
    """Read the score, part by part.

    It is final once the match is finished; until then it is live, as far as nothing hidden decides it.
    """
    loaded = find(match_id)
    return versioned(loaded, score_document(loaded, viewer_of(actor(loaded))))
