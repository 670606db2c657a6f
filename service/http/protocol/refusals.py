"""Which error becomes which problem: those of the rules, of the service, and of the libraries."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from werkzeug.exceptions import HTTPException

from domain.errors import MatchOver, NotYourTurn, PersonRequired, ReachesPastChance, RuleBroken
from service.errors import ServiceError
from service.http.protocol.etags import after_query, version_tag
from service.http.protocol.problem_document import Members
from service.http.protocol.problems import KINDS, Problem, invalid, unauthorized
from service.http.protocol.rule_links import rule_members
from service.matches.aggregate import Aggregate
from service.matches.requests import CommandRefusedError, StaleVersionError
from service.strict_json import pointer_part

BY_RULE: dict[type[RuleBroken], str] = {
    NotYourTurn: "not_your_turn",
    MatchOver: "match_over",
    ReachesPastChance: "batch_reaches_past_chance",
    PersonRequired: "person_required",
}
BY_STATUS = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "content_too_large",
    415: "unsupported_media_type",
    422: "validation_error",
}


def of_refusal(refused: CommandRefusedError, loaded: Aggregate, batch: int, *, seated: bool) -> Problem:
    """A refusal by the rules: the rule, where in a batch, and where a seat reads what is legal."""
    rule = refused.rule
    code, own = BY_RULE.get(type(rule), "illegal_command"), f"/v1/matches/{loaded.id}"
    members: Members = {**rule_members(rule.code, loaded.state.game), "version": refused.version}
    if code == "match_over":
        members["score"] = f"{own}/score"
    elif seated:
        members["legal"] = f"{own}/legal"
    if batch > 1:
        members["pointer"] = f"/{refused.index}"
    return Problem(code, rule.sentence, **members)


@contextmanager
def refusing(loaded: Aggregate, batch: int = 1, *, seated: bool = False) -> Iterator[None]:
    """Turns refusals into problems: 409 for a rule, 412 for a version that is not current.

    `seated`: a seat calls, which has legal commands to be led to.
    """
    try:
        yield
    except CommandRefusedError as refused:
        raise of_refusal(refused, loaded, batch, seated=seated) from refused
    except StaleVersionError as stale:
        raise of_stale(stale, loaded.id) from stale
    except RuleBroken as rule:
        members = rule_members(rule.code, loaded.state.game)
        raise Problem("illegal_command", rule.sentence, **members) from rule


def of_stale(stale: StaleVersionError, match: str) -> Problem:
    """The match is at another version: which one, and a link to what changed, if anything can have."""
    headers, current = {"ETag": version_tag(stale.current)}, stale.current.version
    members: Members = {"current_version": current}
    if stale.expected.version <= current:
        members["changes"] = f"/v1/matches/{match}/log?{after_query(stale.expected)}"
    return Problem("stale_version", stale.detail, headers, **members)


def of_http(error: HTTPException) -> Problem:
    """What Flask, werkzeug and webargs refuse; their headers (Allow, …) are kept."""
    status = error.code or 500
    code = BY_STATUS.get(status, "bad_request" if status < 500 else "internal_error")
    kept = ("Content-Type", "Content-Length")
    headers = {name: value for name, value in error.get_headers() if name not in kept}
    if code == "internal_error":
        return Problem(
            code,
            "Something failed on our side. A change may have been stored: send it again with the same key.",
            headers,
        )
    messages = getattr(error, "data", {}).get("messages")
    if messages:
        return invalid(*pointed(messages["query"]))  # the only location that webargs reads here
    detail = "There is nothing at this path." if code == "not_found" else error.description
    return Problem(code, detail or KINDS[code].remedy, headers)


def of_service(error: ServiceError) -> Problem:
    """What the service itself refuses or fails at: its class says by which status and code."""
    if error.status == HTTPStatus.UNAUTHORIZED:
        return unauthorized(error.code, error.detail)
    headers = {} if error.retry_after_s is None else {"Retry-After": str(error.retry_after_s)}
    return Problem(error.code, error.detail, headers)


def pointed(messages: Any, pointer: str = "") -> list[tuple[str, str]]:
    """Marshmallow's nested messages as JSON pointers (RFC 6901) with what is wrong there."""
    if not isinstance(messages, dict):
        return [(pointer, str(message)) for message in messages]
    found: list[tuple[str, str]] = []
    for name, inner in messages.items():
        step = "" if name == "_schema" else "/" + pointer_part(str(name))
        found += pointed(inner, pointer + step)
    return found
