"""Matches: create and read them (at any version); your legal commands; the score."""

from collections.abc import Mapping
from typing import Any

from flask import Response, current_app

from domain.game import Viewer
from domain.games import games
from domain.match.commands import CreateMatch, Seat
from domain.match.rules import HOST
from service.http.judgement.bot_matches import limits_of_creation
from service.http.judgement.callers import (
    actor,
    api_key,
    find,
    json_body,
    loaded_with,
    or_first_answer,
    play,
    required_actor,
    scoped,
    sent,
    stranger,
)
from service.http.middleware.rate_limits import admit
from service.http.openapi.api import GUARDING_KEY, WAIT_OR_RETURN, Blueprint, body_of, json_response, stored
from service.http.openapi.requests import AtQuery, CreateMatchRequest, LegalQuery
from service.http.openapi.responses import CreatedDocument, LegalPage, MatchDocument, ScoreDocument
from service.http.protocol.common_headers import vary
from service.http.protocol.etags import version_tag
from service.http.protocol.preferences import applied, waits, with_match
from service.http.protocol.problems import Problem, invalid
from service.http.protocol.rule_links import rule_members
from service.http.streaming.log_stream import turn_of
from service.matches.aggregate import Loaded
from service.matches.joining import Caller, Seated, create_match, seated
from service.matches.requests import CommandRefusedError, Result
from service.matches.revision import Revision
from service.matches.views import legal_page, match_document, score_document, viewer_of

blueprint = Blueprint(
    "matches", __name__, url_prefix="/v1/matches", description="Create, list and read matches."
)
CREATE = CreateMatchRequest()
READ = ("token_missing", "token_unknown", "match_not_found", "store_unavailable", "match_unreadable")
FOREVER = "private, max-age=31536000, immutable"  # what a viewer saw at a past version is a fold of the log


@blueprint.route("", methods=["POST"])
@blueprint.operation(
    "createMatch",
    "token_missing",
    "token_unknown",
    "scope_required",
    "person_required",
    "idempotency_key_invalid",
    "content_too_large",
    "unsupported_media_type",
    "validation_error",
    "idempotency_key_reused",
    "outcome_unknown",
    "store_unavailable",
    requestBody=body_of(CreateMatchRequest, "The match to create."),
    headers=["Authorization", GUARDING_KEY],
    security=[{}, {"apiKey": []}],
)
@blueprint.response(201, CreatedDocument)
def create() -> Response:
    """Create a match.

    It starts at once if no seat is open. The answer contains a token for the host and one for each named
    seat; they are shown only once. With an API key that has the scope `create`, the match belongs to that
    key. An operator may require such a key for every match; by default, only a match that bots alone play
    needs one.

    If you choose the `seed`, you can know every draw before it happens: what comes from a bag or a deck, and
    what is dealt face down. You cannot see what a player chooses in secret, which is sealed with a key of the
    server. `seed.by` tells everyone that the creator chose the seed. Matches with one seed (a duplicate
    tournament) have the same draws, so keep them private (`"private": true`) until all are over.
    """
    owner, body = _owner(), sent()
    admit("creations", *limits_of_creation(body, owner))
    caller = stranger(body, owner)
    read = or_first_answer(caller.match_id, caller.asks(HOST), lambda: loaded_with(CREATE, json_body(body)))
    made = seated(read, caller) if isinstance(read, Result) else _create(read, caller)
    return with_tokens(made, None)


def _owner() -> str:
    """The id of the API key that creates the match; empty without one, if creation is open."""
    key = api_key()
    if key is not None and "create" in key.scopes:
        return key.id
    return "" if key is None and current_app.config["OPEN_CREATION"] else scoped("create").id


def _create(given: Mapping[str, Any], caller: Caller) -> Seated:
    newest, wanted = games()[given["game"]], given.get("rules_version")
    game = newest.versions[wanted or newest.rules_version]
    seats = tuple(map(_seat, given["seats"]))
    edition, options = given.get("edition", game.default_edition), given.get("options", {})
    command = CreateMatch(game.name, edition, options, seats, given.get("private", False), wanted)
    seed = bytes.fromhex(given["seed"]) if "seed" in given else None
    try:
        return create_match(play(), game, command, caller, seed)
    except CommandRefusedError as refused:
        pointer = "/seats" if refused.rule.code == "seats" else "/options"
        unfit = invalid((pointer, refused.rule.sentence))
        unfit.members |= rule_members(refused.rule.code, game)
        raise unfit from refused


def _seat(given: Mapping[str, Any]) -> Seat:
    return (
        Seat("bot", given["bot"])
        if "bot" in given
        else Seat("human", given.get("name"), given.get("entropy"))
    )


def with_tokens(made: Seated, viewer: Viewer) -> Response:
    """The answer that shows tokens."""
    loaded = made.result.loaded
    document = {"match": match_document(loaded, viewer), "tokens": dict(made.tokens)}
    return stored(document, made.result, f"/v1/matches/{loaded.id}")


@blueprint.route("/<match_id>")
@blueprint.operation("getMatch", *READ, "validation_error", headers=["Authorization", "If-None-Match"])
@blueprint.arguments(AtQuery(), location="query")
@blueprint.response(200, MatchDocument)
@blueprint.not_modified()
def get_match(query: dict[str, Any], match_id: str) -> Response:
    """Read a match.

    With a seat's token you see what that seat may see; otherwise, what a spectator may see. With `at` you
    read the match as it was at an earlier version.
    """
    loaded = find(match_id)
    viewer = viewer_of(actor(loaded))
    if query.get("at", loaded.version) == loaded.version:
        return versioned(loaded, match_document(loaded, viewer))
    then = play().past(loaded, query["at"])
    return versioned(then, match_document(then, viewer), FOREVER)


def versioned(loaded: Loaded, document: Any, caching: str = "private, no-cache") -> Response:
    """An answer whose ETag begins with the version of the match; it becomes a 304 if the caller has it."""
    tag = version_tag(Revision.of(loaded))
    headers = {"ETag": tag, "Cache-Control": caching, "Vary": "Authorization, Accept"}
    return json_response(document, headers=headers)


@blueprint.route("/<match_id>/legal")
@blueprint.operation(
    "listLegalCommands",
    *READ,
    "seat_required",
    "too_many_streams",
    "streams_full",
    "validation_error",
    headers=["Authorization", "If-None-Match", WAIT_OR_RETURN],
)
@blueprint.arguments(LegalQuery(), location="query")
@blueprint.response(200, LegalPage)
@blueprint.not_modified()
def list_legal(query: dict[str, Any], match_id: str) -> Response:
    """List your legal commands.

    Each is a body ready to send. The list is empty while it is not your turn. With `wait`, the answer comes
    as soon as it is your turn or the match is over, at the latest after that many seconds. So a bot needs
    two requests a move: this one and `sendCommands`. With `Prefer: return=representation` the answer also
    has the match.
    """
    loaded = find(match_id)
    seat = _seat_of(loaded)
    seconds, waited = waits(query)
    if seconds:
        loaded = turn_of(loaded, seat, seconds)
        seat = _seat_of(loaded)
    document = with_match(legal_page(loaded, seat, query["limit"]), loaded, seat)
    response = versioned(loaded, document)
    response.headers.update(waited)
    vary(response, "Prefer")
    return applied(response, document)


def _seat_of(loaded: Loaded) -> int:
    """The seat that calls; 403 for spectators and the host."""
    seat = viewer_of(required_actor(loaded))
    if seat is None:
        raise Problem("seat_required", "Only seats have legal commands. Use the token of a seat.")
    return seat


@blueprint.route("/<match_id>/score")
@blueprint.operation("getScore", *READ, headers=["Authorization", "If-None-Match"])
@blueprint.response(200, ScoreDocument)
@blueprint.not_modified()
def get_score(match_id: str) -> Response:
    """Read the score.

    It comes part by part. While the match is being played, it is the score so far, without anything that
    depends on what is hidden from you. Once `final` is true it does not change.
    """
    loaded = find(match_id)
    return versioned(loaded, score_document(loaded, viewer_of(actor(loaded))))
