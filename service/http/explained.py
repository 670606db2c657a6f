"""What the kinds of problem mean, in words and by an example, for the pages that their `type` leads to."""

from typing import Any

from service.http.problems import KINDS

MATCH = "/v1/matches/m_k3v7q2xw5tz4n6rj1s8yb9dhca"
MEANINGS = {
    400: "The request, or one of its headers, cannot be read. Nothing was changed.",
    401: "It is not known who asks: no token came with the request, or one that opens nothing here.",
    403: "It is known who asks, and it is not theirs to do. Nothing was changed.",
    404: "There is nothing of this name, or nothing that the caller may know of.",
    405: "The path is right, the method is not one of its own. Nothing was changed.",
    406: "What was asked for cannot be had in any form that the request accepts. Nothing was changed.",
    409: "The request is well-formed, but not possible as the match stands. Nothing was changed.",
    410: "What was here has ended, as was announced by `Deprecation` and `Sunset`. Nothing was changed.",
    412: "The request was meant for another version than the match is at. Nothing was changed.",
    413: "The body is longer than any that could be meant. Nothing was changed.",
    415: "The body is not of a kind that can be read here. Nothing was changed.",
    422: "The request was read, but it cannot be meant so. Nothing was changed.",
    429: "More came than is allowed in so short a time. Nothing was changed.",
    500: "The service failed at the request; the fault is not the caller's.",
    503: "The service cannot do this right now.",
}
EXAMPLES: dict[str, tuple[str, dict[str, Any]]] = {
    "idempotency_key_invalid": ("An Idempotency-Key has 16 to 255 visible ASCII characters here.", {}),
    "if_match_invalid": ('If-Match is one entity tag like "v7", or *.', {}),
    "token_missing": ("A seat's token is needed: Authorization: Bearer <token>.", {}),
    "token_unknown": ("The token is of no seat of this match.", {}),
    "seat_required": ("The host has no commands to choose from; use a seat's token.", {}),
    "host_required": ("release_seed is not for seat:0.", {}),
    "scope_required": ("The key 'club' has not the scope create.", {}),
    "match_not_found": ("There is no match m_k3v7q2xw5tz4n6rj1s8yb9dhca.", {}),
    "game_not_found": ("There is no game 'chess'; there are drawer, nonsense, whatnot.", {}),
    "not_found": ("There is nothing at this path.", {}),
    "method_not_allowed": ("The method is not allowed for the requested URL.", {}),
    "not_acceptable": ("This comes as application/json or application/x-ndjson.", {}),
    "not_your_turn": (
        "It is the turn of seat 1.",
        {"rule": "not_your_turn", "version": 7, "legal": f"{MATCH}/legal"},
    ),
    "match_over": ("The match is over.", {"rule": "match_over", "version": 79, "legal": f"{MATCH}/legal"}),
    "illegal_command": (
        "Column 3 is taken; 1, 2 and 5 are vacant.",
        {"rule": "column_taken", "version": 7, "legal": f"{MATCH}/legal"},
    ),
    "stale_version": (
        "The match is at version 8, not at 7.",
        {"current_version": 8, "changes": f"{MATCH}/log?after=7"},
    ),
    "unsupported_media_type": ("The body is to be JSON, with Content-Type: application/json.", {}),
    "validation_error": (
        "/column: Must be greater than or equal to 1 and less than or equal to 5.",
        {
            "errors": [
                {
                    "pointer": "/column",
                    "detail": "Must be greater than or equal to 1 and less than or equal to 5.",
                }
            ]
        },
    ),
    "idempotency_key_reused": ("This Idempotency-Key came before with another request.", {}),
    "internal_error": (
        "The server failed at this; what was to be changed may be stored: send it again with its key.",
        {},
    ),
    "outcome_unknown": ("The connection to the store was lost after sending: it may be stored or not.", {}),
    "store_unavailable": ("The store does not answer.", {}),
    "not_ready": (
        "durability: appendfsync is everysec",
        {"checks": {"store": "ok", "durability": "appendfsync is everysec"}},
    ),
    "match_quarantined": ("The log of this match does not hold together.", {}),
}


def explanation(code: str) -> dict[str, Any]:
    """A kind of problem: what it means, what can be done, and what a document of it looks like."""
    kind = KINDS[code]
    detail, members = EXAMPLES.get(code, (kind.title + ".", {}))
    example = {
        "type": f"/problems/{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "code": code,
        "request_id": "7d1f0c52a9e84b36",
        **members,
    }
    own = {"code": code, "status": kind.status, "title": kind.title}
    return own | {"meaning": MEANINGS[kind.status], "remedy": kind.remedy, "example": example}
