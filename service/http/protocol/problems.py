"""Every refusal over HTTP: one table of problems (RFC 9457)."""

from dataclasses import dataclass
from typing import Unpack

import orjson
from flask import Response, g

from service.http.protocol.problem_document import Error, Members, ProblemDocument

MOST_ERRORS = 20  # told of one request
CONTENT_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its status, its title, and what to do about it."""

    status: int
    title: str
    remedy: str


KINDS = {
    "bad_request": Kind(400, "Bad request", "The request is not valid HTTP; `detail` says what is wrong."),
    "idempotency_key_invalid": Kind(
        400,
        "Idempotency-Key invalid",
        "Send 1 to 255 visible ASCII characters, or at least 16 where the answer contains tokens.",
    ),
    "if_match_invalid": Kind(
        400, "If-Match invalid", 'Send one ETag of this service, a version such as "v7", or *.'
    ),
    "token_missing": Kind(
        401, "Token missing", "Send `Authorization: Bearer` with a token of the match or an API key."
    ),
    "token_unknown": Kind(
        401, "Token unknown", "Use a current token of this match. To get one, take a seat or ask the host."
    ),
    "ticket_invalid": Kind(
        401, "Ticket invalid", "Get a new ticket. Each opens one stream, within 60 seconds."
    ),
    "seat_required": Kind(
        403,
        "Seat required",
        "Use the token of a seat. Moves need one; the host's or a spectator's is not enough.",
    ),
    "own_seat_required": Kind(
        403, "Own seat required", "Use the token of that seat. Only the player who sits there can do this."
    ),
    "host_required": Kind(
        403, "Host required", "Use the `host` token, which was shown when the match was created."
    ),
    "scope_required": Kind(
        403, "Scope required", "Use an API key that has the scope. Your operator can issue one."
    ),
    "person_required": Kind(
        403,
        "Person required",
        "Keep a seat for a person, or create the match with an API key that has the scope `create`.",
    ),
    "match_not_found": Kind(404, "Match not found", "Check the id."),
    "version_not_found": Kind(
        404,
        "Version not found",
        "`detail` has the newest version. Read that one, or wait for the log to grow.",
    ),
    "webhook_not_found": Kind(
        404,
        "Webhook not found",
        "List your webhooks. You see only those you registered with the token or API key you send.",
    ),
    "delivery_not_found": Kind(
        404, "Delivery not found", "List the webhook's deliveries. They are kept for a week."
    ),
    "game_not_found": Kind(404, "Game not found", "List the games at /v1/games."),
    "not_found": Kind(404, "Not found", "Check the path; /openapi.yaml lists them all."),
    "method_not_allowed": Kind(
        405, "Method not allowed", "Use one of the methods that the header `Allow` lists."
    ),
    "not_acceptable": Kind(406, "Not acceptable", "Accept one of the media types that `detail` lists."),
    "not_your_turn": Kind(409, "Not your turn", "Wait until the match's `to_act` includes your seat."),
    "match_over": Kind(409, "Match over", "Read the score at `score`. No moves are left."),
    "illegal_command": Kind(
        409,
        "Illegal command",
        "`rule` names the rule and `rule_url` links to it. For a seat, `legal` links to its legal commands.",
    ),
    "batch_reaches_past_chance": Kind(
        409,
        "Batch goes past what you can foresee",
        "Send the commands before `pointer`. Send the rest when you know what happened.",
    ),
    "too_many_webhooks": Kind(409, "Too many webhooks", "Delete a webhook you no longer need."),
    "webhook_disabled": Kind(
        409, "Webhook disabled", "Fix the receiver, then enable the webhook: PATCH it with `enabled: true`."
    ),
    "gone": Kind(410, "Gone", "Use the operation that replaces this one; the header `Link` names it."),
    "cursor_expired": Kind(
        410, "Cursor expired", "Start again without a cursor. Read what you missed from the logs."
    ),
    "history_lost": Kind(
        410,
        "History lost",
        "The store was restored from an older copy. Discard what you have of the match and read it again.",
    ),
    "stale_version": Kind(
        412,
        "Stale version",
        "Read what changed at `changes`, or the match, then send a command for `current_version`.",
    ),
    "request_timeout": Kind(
        408, "Request timeout", "Send the whole request again, without long pauses, on a new connection."
    ),
    "content_too_large": Kind(413, "Content too large", "Send a smaller body."),
    "unsupported_media_type": Kind(
        415, "Unsupported media type", "Send JSON with `Content-Type: application/json`."
    ),
    "rate_limited": Kind(
        429, "Rate limited", "Wait `Retry-After` seconds. Your limits are listed at /v1/limits."
    ),
    "validation_error": Kind(422, "Validation error", "Fix each field that `errors` points to."),
    "idempotency_key_reused": Kind(422, "Idempotency-Key reused", "Use a new key for each new request."),
    "too_many_streams": Kind(
        429, "Too many streams", "Close one of your streams, or wait `Retry-After` seconds."
    ),
    "too_many_unfinished": Kind(
        429, "Too many requests in progress", "Wait until some of your requests have arrived whole."
    ),
    "internal_error": Kind(
        500,
        "Internal error",
        "This is our fault. Report the `request_id`: the operator's log has the details.",
    ),
    "not_implemented": Kind(
        501,
        "Not implemented",
        "Send the body with `Content-Length`, or with `Transfer-Encoding: chunked` and no other encoding.",
    ),
    "outcome_unknown": Kind(503, "Outcome unknown", "Send the request again with the same Idempotency-Key."),
    "store_unavailable": Kind(503, "Store unavailable", "Try again shortly. Nothing was read or changed."),
    "overloaded": Kind(
        503,
        "Overloaded",
        "Nothing was done. Send the request again after `Retry-After` seconds; a write with the same key.",
    ),
    "streams_full": Kind(
        503, "Streams full", "Try again after `Retry-After` seconds. You can read pages in the meantime."
    ),
    "not_ready": Kind(503, "Not ready", "`checks` says what is wrong with the store, or which part is down."),
    "store_full": Kind(
        503, "Store full", "Nothing was changed. Reads still work; writes work when the operator makes room."
    ),
    "match_unreadable": Kind(
        503,
        "Match unreadable",
        "`detail` says what is missing; the operator has to install or restore it. Nothing was changed.",
    ),
}


class Problem(Exception):
    """A refusal to be answered; `members` are extensions of the document."""

    def __init__(
        self, code: str, detail: str, headers: dict[str, str] | None = None, **members: Unpack[Members]
    ) -> None:
        super().__init__(detail)
        self.code, self.detail, self.members = code, detail, members
        self.headers = headers or {}

    def response(self) -> Response:
        """The problem document."""
        kind = KINDS[self.code]
        g.problem = self.code
        document: ProblemDocument = {
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
    listed: list[Error] = [{"pointer": pointer, "detail": detail} for pointer, detail in errors[:MOST_ERRORS]]
    where = errors[0][0] or "The body"
    return Problem("validation_error", f"{where}: {errors[0][1]}", errors=listed)


def unauthorized(code: str, detail: str) -> Problem:
    """A 401, with the header that says how to authenticate."""
    return Problem(code, detail, {"WWW-Authenticate": 'Bearer realm="bricabrac"'})
