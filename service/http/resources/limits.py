"""The rate limits, and what the caller has left of each."""

from collections.abc import Sequence
from typing import Annotated, TypedDict

from flask import Response

from service.http.judgement.callers import api_key, principal
from service.http.middleware.rate_limits import BY_ADDRESS, address, limiter
from service.http.openapi.blueprint import Blueprint
from service.http.protocol.json_answers import json_response

blueprint = Blueprint("limits", __name__, url_prefix="/v1/limits", description="Rate limits.")
blueprint.counted = False
WHAT = {
    "writes": "POST, PUT, PATCH and DELETE, per API key or token, otherwise per address",
    "reads": "GET and HEAD, per API key or token, otherwise per address",
    "creations": "New matches, per API key, otherwise per address",
    "bot_matches": "New matches of bots only, per address",
    "failures": "Answers with status 401, per address",
}


class PolicyDocument(TypedDict):
    """A rate limit, and what you have left of it."""

    name: str
    what: Annotated[str, "What is counted, and per what."]
    quota: Annotated[int, "Requests per window: `q` of RateLimit-Policy."]
    window: Annotated[int, "The window in seconds: `w` of RateLimit-Policy."]
    remaining: Annotated[int, "Requests you have left: `r` of RateLimit."]
    reset: Annotated[int, "Seconds until the window ends: `t` of RateLimit."]


class LimitList(TypedDict):
    """The rate limits that apply."""

    items: Sequence[PolicyDocument]


@blueprint.route("")
@blueprint.operation("listLimits", "rate_limited", headers=["Authorization"])
@blueprint.response(200, LimitList)
def list_limits() -> Response:
    """List your rate limits.

    It shows the limits that apply and what you have left of each. This request is not counted.
    """
    known, own = api_key(), principal()
    by_address = BY_ADDRESS if known else (*BY_ADDRESS, "creations")
    items = [_item(name, address() if name in by_address else own) for name in limiter().policies]
    document: LimitList = {"items": items}
    return json_response(document, headers={"Cache-Control": "no-store", "Vary": "Authorization"})


def _item(name: str, who: str) -> PolicyDocument:
    standing = limiter().standing(name, who)
    return {
        "name": name,
        "what": WHAT[name],
        "quota": standing.policy.quota,
        "window": standing.policy.window,
        "remaining": standing.remaining,
        "reset": standing.reset,
    }
