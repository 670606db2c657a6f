"""Counts requests: a caller over a limit gets 429; every counted answer says what the caller has left.

Who is counted is who is known to call: the token or API key once it has been found good, the address
otherwise, so that tokens made up on the way buy nothing. What a view has not counted by `admit` is counted
with its answer, which gives way to 429 if need be, but for 403, which comes before, and for a write that is
done, or may be. Failures (401) are counted by address; they take nothing from good tokens behind it.
"""

from collections.abc import Sequence
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, current_app, g, request
from http_sf import ser

from service.http.middleware.contract_guard import check_promise
from service.http.openapi.blueprint import ROOT
from service.http.openapi.response_headers import STANDING
from service.http.protocol.problems import Problem
from service.http.protocol.refusals import of_service
from service.rate_limits.limiter import Limiter, LimitStatus
from service.rate_limits.networks import network_of
from service.rate_limits.policy import Policy
from service.store.journal import OverloadedError

READS = ("GET", "HEAD")
WRITES = ("POST", "PUT", "PATCH", "DELETE")
BY_ADDRESS = ("failures", "bot_matches")  # even for a known caller
EXEMPT = "/v1/limits"
BAD_REQUEST, SERVER_ERROR = HTTPStatus.BAD_REQUEST, HTTPStatus.INTERNAL_SERVER_ERROR


def install(app: Flask) -> None:
    """Count every request to what is counted."""
    app.before_request(_count_anonymous_read)
    app.after_request(_tell)


def limiter() -> Limiter:
    """The one limiter of this process."""
    found: Limiter = current_app.extensions["dependencies"].limiter
    return found


def address() -> str:
    """The address that calls, as one who is counted."""
    return network_of(request.remote_addr or "")


def recognised(principal: str) -> None:
    """The caller is authenticated: they are counted, not their address. A read is counted here and now."""
    g.principal = principal
    if request.method in READS:
        admit()


def admit(*more: str) -> None:
    """Count the request, by `more` policies too: once it is known that the caller may, before it is done.

    429 if the caller is over a limit; a write is then checked against the description (406, 422).
    """
    if "standings" not in g and counted():
        spent = _take("reads" if request.method in READS else "writes", *more)
        if spent:
            raise _rate_limited(spent)
    if request.method in WRITES:
        check_promise()


def counted() -> bool:
    """Whether requests like this are counted at all."""
    path, method = request.path, request.method
    return path.startswith(ROOT) and path != EXEMPT and (method in READS or method in WRITES)


def _count_anonymous_read() -> None:
    if request.method in READS and "Authorization" not in request.headers:
        admit()


def _take(*names: str) -> list[LimitStatus]:
    """Count by these policies; those that are used up."""
    taking, principal = limiter().take, g.get("principal") or address()
    counted = [(name, address() if name in BY_ADDRESS else principal) for name in names]
    standings = [taken for name, each in counted if (taken := taking(name, each))]
    g.standings = [*g.get("standings", ()), *standings]
    return [standing for standing in standings if not standing.admitted]


def _tell(response: Response) -> Response:
    if response.status_code == HTTPStatus.UNAUTHORIZED or ("standings" not in g and counted()):
        response = _counted_late(response)
    if standings := g.get("standings"):
        policies, standing = STANDING
        where = [(each.policy.name, {"r": each.remaining, "t": each.reset}) for each in standings]
        response.headers.add(policies, _policies(tuple([each.policy for each in standings])))
        response.headers.add(standing, _list(where))
    return response


def _counted_late(response: Response) -> Response:
    status, read = response.status_code, request.method in READS
    counted_as = "failures" if status == HTTPStatus.UNAUTHORIZED else "reads" if read else "writes"
    final = status == HTTPStatus.FORBIDDEN or not (read or BAD_REQUEST <= status < SERVER_ERROR)
    try:
        spent = _take(counted_as)
        refusal = _rate_limited(spent) if spent else None
    except OverloadedError as dry:  # what cannot be counted right now is not given either
        refusal = of_service(dry)
    if refusal is None or final:
        return response
    response.close()
    return refusal.response()


def _rate_limited(spent: Sequence[LimitStatus]) -> Problem:
    wait = max(standing.reset for standing in spent)
    names = [standing.policy.name for standing in spent]
    detail = f"You have reached the limit {', '.join(names)}. Try again in {wait} seconds."
    return Problem("rate_limited", detail, {"Retry-After": str(wait)}, violated_policies=names)


@lru_cache(maxsize=64)
def _policies(policies: tuple[Policy, ...]) -> str:
    return _list([(policy.name, {"q": policy.quota, "w": policy.window}) for policy in policies])


def _list(items: Any) -> str:
    """A list as a structured field."""
    return ser(items)
