"""The order in which a read of a match is judged: find, identify, count, authorize, condition, answer.

A read by a caller with a good token is counted as that caller as soon as they are recognised; one without a
token was counted by address before anything was looked up.
"""

from collections.abc import Mapping
from typing import Any

from flask import Response

from domain.game import Viewer
from domain.games import AnyGame, games
from service.http.judgement.callers import actor, check_host, find, required_actor
from service.http.protocol.etags import version_tag
from service.http.protocol.json_answers import json_response
from service.http.protocol.problems import Problem, invalid
from service.matches.aggregate import Aggregate
from service.matches.revision import Revision
from service.matches.views import viewer_of

PUBLIC = "public, max-age=300"  # the same for everybody, until another release is deployed


def viewed(match_id: str) -> tuple[Aggregate, Viewer]:
    """A match and who looks at it: 404, 401, 429."""
    loaded = find(match_id)
    return loaded, viewer_of(actor(loaded))


def seat_of(loaded: Aggregate) -> int:
    """The seat that calls; 403 for spectators and the host."""
    seat = viewer_of(required_actor(loaded))
    if seat is None:
        raise Problem("seat_required", "Only seats have legal commands. Use the token of a seat.")
    return seat


def hosted(match_id: str) -> Aggregate:
    """A match whose host calls; 403 for others."""
    loaded = find(match_id)
    check_host(required_actor(loaded))
    return loaded


def versioned(loaded: Aggregate, document: Any, caching: str = "private, no-cache") -> Response:
    """An answer whose ETag begins with the version of the match; it becomes a 304 if the caller has it."""
    tag = version_tag(Revision.of(loaded))
    headers = {"ETag": tag, "Cache-Control": caching, "Vary": "Authorization, Accept"}
    return json_response(document, headers=headers)


def found_game(name: str, query: Mapping[str, Any]) -> AnyGame:
    """The game of a path, by the rules of a query or the newest; 404 or 422 where there are none."""
    newest = games().get(name)
    if newest is None:
        raise Problem(
            "game_not_found", f"There is no game {name[:40]!r}. The games are {', '.join(games())}."
        )
    found = newest.versions.get(query.get("rules_version", newest.rules_version))
    if found is None:
        raise invalid(("/rules_version", f"Must be one of: {', '.join(map(str, newest.versions))}."))
    return found
