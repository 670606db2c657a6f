"""Matches: create, list, read (at any version), the caller's legal commands, the score."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from flask import Response, request

from domain.games import games
from domain.match.commands import CreateMatch, Seat
from service.clock import iso
from service.http.api import Blueprint, body_of, header, json_response
from service.http.callers import actor, find, json_body, loaded_with, play, required_actor, stranger
from service.http.problems import Problem, invalid
from service.http.schemas import (
    AtQuery,
    CreatedDocument,
    CreateMatchRequest,
    LegalPage,
    LegalQuery,
    ListQuery,
    MatchDocument,
    MatchPage,
    ScoreDocument,
)
from service.loaded import Loaded
from service.play import CommandRefusedError
from service.seating import create_match
from service.views import legal_page, match_document, score_document, viewer_of

blueprint = Blueprint(
    "matches", __name__, url_prefix="/v1/matches", description="Matches and what is known of them."
)
CREATE = CreateMatchRequest()
READ = ("token_missing", "token_unknown", "match_not_found", "store_unavailable", "match_quarantined")
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
    requestBody=body_of(CreateMatchRequest, "The table to be laid."),
    parameters=[header("Idempotency-Key")],
)
@blueprint.response(201, CreatedDocument)
def create() -> Response:
    """Create a match; with no open seat it starts at once. The tokens in the answer are shown this once."""
    body = request.get_data()
    caller = stranger(body)
    given = loaded_with(CREATE, json_body(body))
    game = games()[given["game"]]
    seats = tuple(Seat("human", seat.get("name"), seat.get("entropy")) for seat in given["seats"])
    edition, options = given.get("edition", game.default_edition), given.get("options", {})
    command = CreateMatch(game.name, edition, options, seats, given.get("private", False))
    seed = bytes.fromhex(given["seed"]) if "seed" in given else None
    try:
        seated = create_match(play(), game, command, caller, seed)
    except CommandRefusedError as refused:
        pointer = "/seats" if refused.rule.code == "seats" else "/options"
        raise invalid((pointer, refused.rule.sentence)) from refused
    return with_tokens(seated.result.loaded, dict(seated.tokens), None, replayed=seated.result.replayed)


def with_tokens(loaded: Loaded, tokens: dict[str, str], viewer: int | None, *, replayed: bool) -> Response:
    """The answer that hands out tokens."""
    headers = {
        "Location": f"/v1/matches/{loaded.id}",
        "ETag": f'"v{loaded.version}"',
        "Cache-Control": "no-store",
    }
    if replayed:
        headers["Idempotent-Replayed"] = "true"
    return json_response({"match": match_document(loaded, viewer), "tokens": tokens}, 201, headers)


@blueprint.route("")
@blueprint.operation("listMatches", "validation_error", "store_unavailable")
@blueprint.arguments(ListQuery(), location="query")
@blueprint.response(200, MatchPage)
def list_matches(query: dict[str, Any]) -> Response:
    """List public matches, newest first; a page may be short and still have a next one."""
    wanted = {name: query[name] for name in ("game", "status") if name in query}
    place, items, scanned = _place(query.get("cursor")), list[Any](), 0
    while len(items) < query["limit"] and scanned < MOST_SCANNED:
        rows = play().journal.listing(place, query["limit"])
        for row in rows:
            place, scanned = row.place, scanned + 1
            if wanted.items() <= row.fields.items() and len(items) < query["limit"]:
                items.append(_listed(row.match, row.place, dict(row.fields)))
            if len(items) == query["limit"]:
                break
        if len(rows) < query["limit"] and place in (None, rows[-1].place if rows else place):
            place = None
            break
    next_page = None if place is None else urlsafe_b64encode(place.encode()).decode().rstrip("=")
    return json_response({"items": items, "next": next_page})


def _listed(match: str, place: str, fields: dict[str, str]) -> dict[str, Any]:
    created = iso(int(place.split("-", 1)[0]))
    return {"id": match, **fields, "created_at": created, "self": f"/v1/matches/{match}"}


def _place(cursor: str | None) -> str | None:
    if cursor is None:
        return None
    try:
        return urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
    except ValueError as flaw:
        raise invalid(("/cursor", "This cursor is of no page.")) from flaw


@blueprint.route("/<match_id>")
@blueprint.operation(
    "getMatch", *READ, "validation_error", parameters=[header("Authorization"), header("If-None-Match")]
)
@blueprint.arguments(AtQuery(), location="query")
@blueprint.response(200, MatchDocument)
def get_match(query: dict[str, Any], match_id: str) -> Response:
    """Read a match as the caller may see it, now or at any version."""
    loaded = find(match_id)
    viewer = viewer_of(actor(loaded))
    if "at" in query:
        loaded = play().at(match_id, query["at"])
    return versioned(loaded, match_document(loaded, viewer))


def versioned(loaded: Loaded, document: Any) -> Response:
    """An answer whose ETag is the version of the match; 304 if the caller has it."""
    headers = {
        "ETag": f'"v{loaded.version}"',
        "Cache-Control": "private, no-cache",
        "Vary": "Authorization, Accept",
    }
    response = json_response(document, headers=headers)
    response.make_conditional(request)
    return response


@blueprint.route("/<match_id>/legal")
@blueprint.operation(
    "listLegalCommands", *READ, "seat_required", "validation_error", parameters=[header("Authorization")]
)
@blueprint.arguments(LegalQuery(), location="query")
@blueprint.response(200, LegalPage)
def list_legal(query: dict[str, Any], match_id: str) -> Response:
    """List the caller's legal commands, each a body ready to send; none while somebody else is to act."""
    loaded = find(match_id)
    seat = viewer_of(required_actor(loaded))
    if seat is None:
        raise Problem("seat_required", "The host has no commands to choose from; use a seat's token.")
    return versioned(loaded, legal_page(loaded, seat, query["limit"]))


@blueprint.route("/<match_id>/score")
@blueprint.operation("getScore", *READ, parameters=[header("Authorization")])
@blueprint.response(200, ScoreDocument)
def get_score(match_id: str) -> Response:
    """Read the score, part by part: final, or live as far as nothing hidden decides it."""
    loaded = find(match_id)
    return versioned(loaded, score_document(loaded, viewer_of(actor(loaded))))
