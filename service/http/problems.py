"""Every refusal over HTTP: one table of problems (RFC 9457), and which error becomes which."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import orjson
from flask import Response, g
from werkzeug.exceptions import HTTPException

from domain.errors import MatchOver, NotYourTurn, PersonRequired, ReachesPastChance, RuleBroken
from service.asking import CommandRefusedError, StaleVersionError
from service.errors import ServiceError
from service.http.refusals import rule_members
from service.http.tags import after_query, version_tag
from service.loaded import Loaded

MOST_ERRORS = 20  # told of one request
CONTENT_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its status, its title, and what to do about it."""

    status: int
    title: str
    remedy: str


KINDS = {
    "bad_request": Kind(400, "Bad request", "The request cannot be read as HTTP; mend it as `detail` says."),
    "idempotency_key_invalid": Kind(
        400,
        "Idempotency-Key invalid",
        "Send 1 to 255 visible ASCII characters; at least 16 where tokens are handed out.",
    ),
    "if_match_invalid": Kind(
        400, "If-Match invalid", 'Send one entity tag as in an ETag of this service, "v7", or *.'
    ),
    "token_missing": Kind(
        401, "Token missing", "Send `Authorization: Bearer` with a token of the match, or with an API key."
    ),
    "token_unknown": Kind(
        401, "Token unknown", "The token is none of this match, or it was revoked; take a seat to get one."
    ),
    "ticket_invalid": Kind(
        401, "Ticket invalid", "Ask for a new ticket; each opens one stream, within 60 seconds."
    ),
    "seat_required": Kind(
        403,
        "Seat required",
        "Only a seat may do this; a spectator's token is none, nor, for moves, the host's.",
    ),
    "own_seat_required": Kind(403, "Own seat required", "Only who sits on a seat may do this to it."),
    "host_required": Kind(
        403, "Host required", "Only who created the match may do this, with the token `host`."
    ),
    "scope_required": Kind(
        403, "Scope required", "Use an API key that has the scope; an operator adds scopes with a new key."
    ),
    "person_required": Kind(
        403,
        "Person required",
        "Keep a seat for a person, or create the match with an API key that has the scope `create`.",
    ),
    "match_not_found": Kind(
        404, "No such match", "Check the id, and with `at` that the match has come that far."
    ),
    "webhook_not_found": Kind(
        404,
        "No such webhook",
        "List yours; only who registered a webhook sees it, with the same token or key.",
    ),
    "delivery_not_found": Kind(
        404, "No such delivery", "List the webhook's deliveries; they go after a week."
    ),
    "game_not_found": Kind(404, "No such game", "The games are listed at /v1/games."),
    "not_found": Kind(404, "Not found", "There is nothing at this path; see /openapi.yaml."),
    "method_not_allowed": Kind(405, "Method not allowed", "The header Allow lists the methods of this path."),
    "not_acceptable": Kind(406, "Not acceptable", "Accept one of the media types that `detail` lists."),
    "not_your_turn": Kind(409, "Not your turn", "Wait until the match's `to_act` names your seat."),
    "match_over": Kind(409, "Match over", "No move is left; read the score."),
    "illegal_command": Kind(
        409, "Illegal command", "`rule` names the rule; the linked list has what is allowed."
    ),
    "batch_reaches_past_chance": Kind(
        409,
        "Batch reaches past chance",
        "Send the commands before `pointer`; then, knowing what came of them, the rest.",
    ),
    "too_many_webhooks": Kind(409, "Too many webhooks", "Delete one that you need no more."),
    "webhook_disabled": Kind(
        409, "Webhook disabled", "Send it a PATCH with `enabled: true` once the receiver is well."
    ),
    "gone": Kind(410, "Gone", "The operation has ended; the header Link names what comes after it."),
    "cursor_expired": Kind(
        410, "Cursor expired", "Begin anew without a cursor; read what matters from the logs."
    ),
    "history_lost": Kind(
        410,
        "History lost",
        "The store was restored from an older copy: drop what you hold of the match and read it anew.",
    ),
    "stale_version": Kind(
        412, "Stale version", "Read what has changed, then send the command meant for the new version."
    ),
    "request_timeout": Kind(
        408, "Request timeout", "Send the request whole, without long pauses, on a new connection."
    ),
    "content_too_large": Kind(413, "Content too large", "Send a smaller body."),
    "unsupported_media_type": Kind(
        415, "Unsupported media type", "Send JSON with `Content-Type: application/json`."
    ),
    "rate_limited": Kind(
        429, "Rate limited", "Wait `Retry-After` seconds; the policies are listed at /v1/limits."
    ),
    "validation_error": Kind(422, "Validation error", "`errors` points at each field that is wrong."),
    "idempotency_key_reused": Kind(422, "Idempotency-Key reused", "Use a new key for a new request."),
    "too_many_streams": Kind(
        429, "Too many streams", "Close one of your streams, or wait for `Retry-After`."
    ),
    "too_many_unfinished": Kind(
        429, "Too many unfinished requests", "Finish requests that you have begun before you begin others."
    ),
    "internal_error": Kind(500, "Internal error", "A fault of ours; it is logged under the `request_id`."),
    "not_implemented": Kind(
        501,
        "Not implemented",
        "Send the body as it is: with Content-Length, or with `Transfer-Encoding: chunked` and nothing else.",
    ),
    "outcome_unknown": Kind(503, "Outcome unknown", "Send the request again with the same Idempotency-Key."),
    "store_unavailable": Kind(503, "Store unavailable", "Nothing was read or changed; try again shortly."),
    "overloaded": Kind(
        503,
        "Overloaded",
        "Nothing was done: send it again after `Retry-After`, with the same Idempotency-Key.",
    ),
    "streams_full": Kind(503, "Streams full", "Try again after `Retry-After`; pages can be read meanwhile."),
    "not_ready": Kind(
        503, "Not ready", "`checks` says what is wrong with the store, or which part is not at work."
    ),
    "store_full": Kind(503, "Store full", "Nothing was changed; the operator has to make room. Reads go on."),
    "match_unreadable": Kind(
        503,
        "Match unreadable",
        "`detail` names what is missing: the operator has to install or restore it; `bricabrac doctor` lists"
        " such matches. Nothing was changed.",
    ),
}
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


class Problem(Exception):
    """A refusal on its way to the caller; `members` are extensions of the document."""

    def __init__(self, code: str, detail: str, headers: dict[str, str] | None = None, **members: Any) -> None:
        super().__init__(detail)
        self.code, self.detail, self.members = code, detail, members
        self.headers = headers or {}

    def response(self) -> Response:
        """The problem document."""
        kind = KINDS[self.code]
        g.problem = self.code
        document = {
            "type": f"/problems/{self.code}",  # relative: it opens wherever the service is reached
            "title": kind.title,
            "status": kind.status,
            "detail": self.detail,
            "code": self.code,
            "request_id": g.get("request_id", ""),
            **self.members,
        }
        headers = {"Cache-Control": "no-store", **self.headers}  # else a cache may keep a 404 for a while
        return Response(orjson.dumps(document), kind.status, headers, content_type=CONTENT_TYPE)


def invalid(*errors: tuple[str, str]) -> Problem:
    """A validation error: pairs of a JSON pointer and what is wrong there."""
    listed = [{"pointer": pointer, "detail": detail} for pointer, detail in errors[:MOST_ERRORS]]
    where = errors[0][0] or "the body"
    return Problem("validation_error", f"{where}: {errors[0][1]}", errors=listed)


def unauthorized(code: str, detail: str) -> Problem:
    """A 401, which says how to come in."""
    return Problem(code, detail, {"WWW-Authenticate": 'Bearer realm="bricabrac"'})


def of_refusal(refused: CommandRefusedError, loaded: Loaded, batch: int) -> Problem:
    """A refusal by the rules: the rule and its link, a sentence, where in a batch, and what is legal."""
    rule = refused.rule
    code = BY_RULE.get(type(rule), "illegal_command")
    members: dict[str, Any] = {
        **rule_members(rule.code, loaded.state.game),
        "version": refused.version,
        "legal": f"/v1/matches/{loaded.id}/legal",
    }
    if batch > 1:
        members["pointer"] = f"/{refused.index}"
    return Problem(code, rule.sentence, **members)


@contextmanager
def refusing(loaded: Loaded, batch: int = 1) -> Iterator[None]:
    """What the pipe refuses within becomes a problem: 409 by a rule, 412 where the match has gone on."""
    try:
        yield
    except CommandRefusedError as refused:
        raise of_refusal(refused, loaded, batch) from refused
    except StaleVersionError as stale:
        raise of_stale(stale, loaded.id) from stale
    except RuleBroken as rule:
        broken = rule_members(rule.code, loaded.state.game)
        raise Problem("illegal_command", rule.sentence, **broken) from rule


def of_stale(stale: StaleVersionError, match: str) -> Problem:
    """The match has gone on: where it is, and a link to what has changed."""
    changes = f"/v1/matches/{match}/log?{after_query(stale.expected)}"
    headers = {"ETag": version_tag(stale.current)}
    current = stale.current.version
    return Problem("stale_version", stale.detail, headers, current_version=current, changes=changes)


def of_http(error: HTTPException) -> Problem:
    """What Flask, werkzeug and webargs refuse; their headers (Allow, …) are kept."""
    status = error.code or 500
    code = BY_STATUS.get(status, "bad_request" if status < 500 else "internal_error")
    kept = ("Content-Type", "Content-Length")
    headers = {name: value for name, value in error.get_headers() if name not in kept}
    if code == "internal_error":
        return Problem(
            code,
            "The server failed at this; what was to be changed may be stored: send it again with its key.",
            headers,
        )
    messages = getattr(error, "data", {}).get("messages")
    if messages:
        return invalid(*pointed(messages["query"]))  # the only location that webargs reads here
    return Problem(code, error.description or KINDS[code].remedy, headers)


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
        step = "" if name == "_schema" else "/" + str(name).replace("~", "~0").replace("/", "~1")
        found += pointed(inner, pointer + step)
    return found
