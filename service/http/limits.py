"""The policies by which requests are counted, and where the caller stands."""

from typing import Any

from flask import Response

from service.http.api import Blueprint, json_response
from service.http.callers import api_key, principal
from service.http.documents import LimitList
from service.http.limiting import BY_ADDRESS, address, limiter

blueprint = Blueprint("limits", __name__, url_prefix="/v1/limits", description="How much may be asked for.")
blueprint.counted = False
WHAT = {
    "writes": "POST, PUT, PATCH and DELETE, of one API key or token, else of one address",
    "reads": "GET and HEAD, of one API key or token, else of one address",
    "creations": "New matches, of one API key, else of one address",
    "bot_matches": "New matches that bots alone play, of one address",
    "failures": "Answers 401, of one address",
}


@blueprint.route("")
@blueprint.operation(
    "listLimits",
    "token_missing",
    "token_unknown",
    "rate_limited",
    "store_unavailable",
    headers=["Authorization"],
)
@blueprint.response(200, LimitList)
def list_limits() -> Response:
    """List the limits.

    Those that are on, and what the caller has left of each. Asking is not counted.
    """
    known, own = api_key(), principal()
    by_address = BY_ADDRESS if known else (*BY_ADDRESS, "creations")
    items = [_item(name, address() if name in by_address else own) for name in limiter().policies]
    return json_response({"items": items}, headers={"Cache-Control": "no-store", "Vary": "Authorization"})


def _item(name: str, who: str) -> dict[str, Any]:
    standing = limiter().standing(name, who)
    return {
        "name": name,
        "what": WHAT[name],
        "quota": standing.policy.quota,
        "window": standing.policy.window,
        "remaining": standing.remaining,
        "reset": standing.reset,
    }
