"""The headers of answers, as OpenAPI tells them: one table. Which answer has which is found by real calls."""

from typing import Any

STANDING = ("RateLimit-Policy", "RateLimit")
ANSWERED: dict[str, tuple[str, str]] = {
    "X-Request-ID": (
        "The id of the request: the one you sent, if it is a plain word, or a new one.",
        "5f2b9c0d1e3a4756",
    ),
    "ETag": ("The version of the match, for If-Match and If-None-Match.", '"v7"'),
    "Location": ("The address of what was created.", "/v1/matches/m_kq4jx2w7tq2w5o3zq6v5m2x4aa"),
    "Link": ("The next page, if there is one.", '</v1/matches?limit=50&cursor=MTc5>; rel="next"'),
    "Cache-Control": ("How long, and by whom, the answer may be cached.", "private, no-cache"),
    "Vary": ("The request headers that the answer depends on.", "Authorization, Accept"),
    "Content-Disposition": (
        "A file name for the answer.",
        'attachment; filename="m_kq4jx2w7tq2w5o3zq6v5m2x4aa.ndjson"',
    ),
    "Idempotent-Replayed": ("`true` if this is the first answer to the same key, repeated.", "true"),
    "Preference-Applied": ("The preference that was applied.", "wait=25"),
    "Retry-After": ("Seconds to wait before you try again.", "1"),
    "WWW-Authenticate": ("How to authenticate.", 'Bearer realm="bricabrac"'),
    "Allow": ("The methods of this path.", "GET, HEAD, OPTIONS"),
    "RateLimit-Policy": (
        "The policies that counted the request, a structured list: `q` requests in `w` seconds.",
        '"writes";q=6000;w=60',
    ),
    "RateLimit": (
        "What you have left of each policy: `r` requests for the next `t` seconds.",
        '"writes";r=5999;t=42',
    ),
    "Deprecation": ("Since when the operation is deprecated.", "@1798761600"),
    "Sunset": ("When the operation will be gone.", "Fri, 01 Jan 2027 00:00:00 GMT"),
}


def header_components() -> dict[str, Any]:
    """Every header as a component."""
    return {
        name: {"description": description, "schema": {"type": "string"}, "example": example}
        for name, (description, example) in ANSWERED.items()
    }
