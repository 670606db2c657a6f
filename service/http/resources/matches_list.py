"""Lists of matches: the public ones, and your own."""

import logging
import re
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, TypeAlias
from urllib.parse import urlencode

from flask import Response

from domain.games import games
from service.errors import MatchUnreadableError
from service.http.judgement.callers import api_key, play, principal, shown_digest
from service.http.middleware.rate_limits import recognised
from service.http.openapi.blueprint import MATCHES
from service.http.openapi.queries import ListQuery
from service.http.protocol.json_answers import tagged
from service.http.protocol.problems import invalid, unauthorized
from service.matches.lobby import Listed, MatchPage, match_row
from service.matches.unreadable import left_out
from service.store import journal

PLACE = re.compile(r"[0-9]{15}-m_[a-z2-7]{26}")
MOST_TRIPS = 5  # to the store for one page
Row: TypeAlias = tuple[str, Listed]  # its place, and what is shown
blueprint = MATCHES
log = logging.getLogger("bricabrac.http")


@blueprint.route("")
@blueprint.operation("listMatches", headers=["Authorization", "If-None-Match"])
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
    page: MatchPage = {"items": [row for _, row in rows[:limit]], "next": following}
    response = tagged(page, "private, no-cache")
    response.headers["Vary"] = "Authorization, Accept"
    if following is not None:
        asked = {
            name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items()
        }
        link = urlencode(asked | {"cursor": following})
        response.headers["Link"] = f'</v1/matches?{link}>; rel="next"'
    return response


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


def _held() -> journal.Listed:
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


def _shown(rows: Iterable[journal.Listed]) -> Iterator[Row]:
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
