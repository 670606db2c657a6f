"""The problems that an operation may answer with: its own, and those that follow from what it reads."""

from collections.abc import Collection

from service.http.protocol.problems import KINDS

NOT_ACCEPTABLE = "not_acceptable"
EVERYWHERE = (
    "bad_request",
    NOT_ACCEPTABLE,
    "request_timeout",
    "content_too_large",
    "validation_error",
    "too_many_unfinished",
    "internal_error",
    "not_implemented",
    "overloaded",
)
BY_WHAT_IS_READ = {  # a header, a parameter of the path, or the body
    "Authorization": ("token_missing", "token_unknown", "store_unavailable"),
    "Idempotency-Key": (
        "idempotency_key_invalid",
        "idempotency_key_reused",
        "outcome_unknown",
        "store_unavailable",
    ),
    "If-Match": ("if_match_invalid", "stale_version"),
    "requestBody": ("unsupported_media_type",),
    "match_id": ("match_not_found", "store_unavailable", "match_unreadable"),
    "webhook_id": ("webhook_not_found",),
    "delivery_id": ("delivery_not_found",),
    "game": ("game_not_found",),
}


def refusals_of(own: Collection[str], read: Collection[str]) -> list[str]:
    """The codes of an operation's own problems and of those that follow from what it reads, each once."""
    following = (code for name in read for code in BY_WHAT_IS_READ.get(name, ()))
    listed = sorted({*own, *following}, key=[*KINDS].index)
    return [*listed, "store_full"] if "outcome_unknown" in listed else listed


def by_status(codes: Collection[str]) -> dict[str, list[str]]:
    """What can be done about each problem, by the status that it comes with."""
    remedies: dict[str, list[str]] = {}
    for code in dict.fromkeys(codes):
        remedies.setdefault(str(KINDS[code].status), []).append(f"`{code}`: {KINDS[code].remedy}")
    return dict(sorted(remedies.items()))
