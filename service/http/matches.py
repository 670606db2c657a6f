"""Matches: create, list and read them (at any version); the caller's legal commands; the score."""

import logging
import re
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, TypeAlias
from urllib.parse import urlencode

from flask import Response, current_app

from domain.game import Viewer
from domain.games import games
from domain.match.commands import CreateMatch, Seat
from domain.match.rules import HOST
from service.asking import CommandRefusedError, Result
from service.errors import MatchUnreadableError
from service.http.api import GUARDING_KEY, WAIT_OR_RETURN, Blueprint, body_of, json_response, stored, tagged
from service.http.bot_matches import limits_of_creation
from service.http.callers import (
    actor,
    api_key,
    find,
    json_body,
    loaded_with,
    or_first_answer,
    play,
    principal,
    required_actor,
    scoped,
    sent,
    shown_digest,
    stranger,
)
from service.http.documents import CreatedDocument, LegalPage, MatchDocument, MatchPage, ScoreDocument
from service.http.headers import vary
from service.http.limiting import admit, recognised
from service.http.live_log import turn_of
from service.http.preferences import applied, waits, with_match
from service.http.problems import Problem, invalid, unauthorized
from service.http.refusals import rule_members
from service.http.requests import AtQuery, CreateMatchRequest, LegalQuery, ListQuery
from service.http.tags import version_tag
from service.loaded import Loaded
from service.lobby import match_row
from service.revisions import Revision
from service.seating import Caller, Seated, create_match, seated
from service.store.journal import Listed
from service.unreadable import left_out
from service.views import legal_page, match_document, score_document, viewer_of

blueprint = Blueprint(
    "matches", __name__, url_prefix="/v1/matches", description="Create, list and read matches."
)
CREATE = CreateMatchRequest()
READ = ("token_missing", "token_unknown", "match_not_found", "store_unavailable", "match_unreadable")
PLACE = re.compile(r"[0-9]{15}-m_[a-z2-7]{26}")
log = logging.getLogger("bricabrac.http")
MOST_TRIPS = 5  # to the store for one page of the list
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


@blueprint.route("")
@blueprint.operation(
    "listMatches",
    "token_missing",
    "token_unknown",
    "store_unavailable",
    headers=["Authorization", "If-None-Match"],
)
@blueprint.arguments(ListQuery(), location="query")
@blueprint.response(200, MatchPage)
@blueprint.not_modified()
def list_matches(query: dict[str, Any]) -> Response:
    """List public matches, or your own.

    Newest first. You can filter by game and by status. The header `Link` leads to the next page. Each row
    shows what a spectator sees: who sits where, open seats, whose turn it is, and who won. With `mine=true`
    and an API key you get the matches created with that key, private ones too; with the token of a match, you
    get that match. Without `mine`, credentials are ignored.
    """
    limit = query["limit"]
    rows = _rows(query, limit + 1)
    following = _cursor(rows[limit - 1][0]) if len(rows) > limit else None
    response = tagged({"items": [row for _, row in rows[:limit]], "next": following}, "private, no-cache")
    response.headers["Vary"] = "Authorization, Accept"
    if following is not None:
        asked = {
            name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items()
        }
        link = urlencode(asked | {"cursor": following})
        response.headers["Link"] = f'</v1/matches?{link}>; rel="next"'
    return response


Row: TypeAlias = tuple[str, dict[str, Any]]  # its place, and what is shown


def _rows(query: Mapping[str, Any], count: int) -> list[Row]:
    """The rows of the list that is asked for; of a game that nobody plays there are none."""
    key = api_key() if query.get("mine") else None
    held = [_held()] if query.get("mine") and key is None else None
    place, game, status = _place(query.get("cursor")), query.get("game"), query.get("status", "")
    if game is not None and game not in games():
        return []
    if held is None:
        wanted = (game or "", status, "" if key is None else key.id)
        return list(islice(_sound_rows(place, count, wanted), count))
    return [
        (own, shown)
        for own, shown in _shown(held)
        if place is None and game in (None, shown["game"]) and status in ("", shown["status"])
    ]


def _held() -> Listed:
    """The match of the token that calls; 401 without one, or where it is good for none."""
    row = play().journal.held(shown_digest())
    if row is None:
        raise unauthorized("token_unknown", "The token is for no match, or it has ended.")
    recognised(principal())
    return row


def _sound_rows(place: str | None, count: int, wanted: tuple[str, str, str]) -> Iterator[Row]:
    """The rows after a place, without the matches that cannot be read: few trips, however many those are."""
    for _ in range(MOST_TRIPS):
        rows = play().journal.listing(place, count, *wanted)
        yield from _shown(rows)
        if len(rows) < count:
            return
        place = rows[-1].place


def _shown(rows: Iterable[Listed]) -> Iterator[Row]:
    """The rows as they are shown, without the matches that cannot be read."""
    for row in rows:
        try:
            placed = not row.place or bool(PLACE.fullmatch(row.place))
            yield row.place, match_row(replace(row, sound=row.sound and placed))
        except MatchUnreadableError as why:
            left_out(log, "the list of matches", row.match, why)


def _cursor(place: str) -> str:
    return urlsafe_b64encode(place.encode()).decode().rstrip("=")


def _place(cursor: str | None) -> str | None:
    if cursor is None:
        return None
    with suppress(ValueError):
        place = b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True).decode("ascii")
        if PLACE.fullmatch(place):
            return place
    raise invalid(("/cursor", "Unknown cursor. Use `next` from the page before."))


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
