"""The headers of answers, as OpenAPI tells them: one table. Which answer has which is found by real calls."""

from typing import Any

ANSWERED: dict[str, tuple[str, str]] = {
    "X-Request-ID": (
        "The request's id: yours, if you sent a plain word, or one of ours.",
        "5f2b9c0d1e3a4756",
    ),
    "ETag": ("The version of the match: good for If-Match, If-None-Match, `at` and `after`.", '"v7"'),
    "Location": ("Where what was made can be read.", "/v1/matches/m_kq4jx2w7tq2w5o3zq6v5m2x4aa"),
    "Link": ("The next page, if there is one.", '</v1/matches?limit=50&cursor=MTc5>; rel="next"'),
    "Cache-Control": ("How long, and by whom, the answer may be kept.", "private, no-cache"),
    "Vary": ("Which headers of the request the answer depends on.", "Authorization, Accept"),
    "Content-Disposition": (
        "A name for the file.",
        'attachment; filename="m_kq4jx2w7tq2w5o3zq6v5m2x4aa.ndjson"',
    ),
    "Idempotent-Replayed": ("`true` if this is the answer that the same key got before.", "true"),
    "Preference-Applied": ("Which of your preferences was heeded.", "wait=25"),
    "Retry-After": ("Seconds to wait before it is tried again.", "1"),
    "WWW-Authenticate": ("How to say who you are.", 'Bearer realm="bricabrac"'),
    "Allow": ("The methods of this path.", "GET, HEAD, OPTIONS"),
    "RateLimit-Policy": (
        "The policies the request was counted by, a structured list: `q` requests in `w` seconds.",
        '"writes";q=6000;w=60',
    ),
    "RateLimit": (
        "Where the caller stands by them: `r` requests are left, for `t` seconds.",
        '"writes";r=5999;t=42',
    ),
    "Deprecation": ("Since when the operation is not to be used any more.", "@1798761600"),
    "Sunset": ("When the operation will be gone.", "Fri, 01 Jan 2027 00:00:00 GMT"),
}


def header_components() -> dict[str, Any]:
    """Every header as a component."""
    return {
        name: {"description": told, "schema": {"type": "string"}, "example": example}
        for name, (told, example) in ANSWERED.items()
    }
