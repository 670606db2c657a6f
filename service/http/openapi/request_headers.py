"""The headers that operations read, as OpenAPI tells them: one table."""

from typing import Any

from service.http.protocol.etags import VERSION_TAG

GUARDING_KEY = "Idempotency-Key, guarding tokens"
RETURN = "Prefer, return"
WAIT_OR_RETURN = "Prefer, wait or return"
REPRESENTATION = "`return=representation` (RFC 7240): the answer has the match, too, as you see it."
SIGNS = r"[!#-\[\]-~]"  # visible ASCII without quotes and backslash
HEADERS: dict[str, dict[str, Any]] = {
    "Idempotency-Key": {
        "description": "Makes retries safe: a repeat with the same key gets the first answer, for 24 hours.",
        "schema": {"type": "string", "pattern": f'^({SIGNS}{{1,255}}|"{SIGNS}{{1,255}}")$'},
    },
    GUARDING_KEY: {
        "description": "Makes retries safe: a repeat with the same key gets the first answer, for 24 hours."
        " Anyone who knows the key gets its tokens too, so use 16 random characters or more.",
        "schema": {"type": "string", "pattern": f'^({SIGNS}{{16,255}}|"{SIGNS}{{16,255}}")$'},
    },
    "If-Match": {
        "description": 'Apply only if the match is at this version: an ETag, "v7" for version 7, or *.',
        "schema": {"type": "string", "pattern": rf"^(\*|{VERSION_TAG})$"},
        "example": '"v7"',
    },
    "If-None-Match": {
        "description": "Answer 304 if this ETag, or this version, is still current.",
        "example": '"v7"',
    },
    "Last-Event-ID": {
        "description": "For an event stream: the `id` of the last event you received. It resumes after that."
    },
    "Prefer": {
        "description": "`wait=<seconds>` (RFC 7240) does the same as the parameter `wait`. The maximum is 25."
    },
    RETURN: {"description": REPRESENTATION, "example": "return=representation"},
    WAIT_OR_RETURN: {
        "description": f"`wait=<seconds>` does the same as the parameter `wait`. {REPRESENTATION}",
        "example": "return=representation",
    },
    "dry_run": {  # no header, but read as late: authentication comes first
        "in": "query",
        "schema": {"type": "boolean", "default": False},
        "description": "true: nothing happens. The answer says what would happen, as far as that is certain.",
    },
}


def with_headers(doc: dict[str, Any], doc_info: Any, **_: Any) -> dict[str, Any]:
    """The step of flask-smorest that adds the headers an operation reads."""
    for name in doc_info.get("headers", ()):
        if name == "Authorization":
            continue  # told by `security`
        parameter = {
            "in": "header",
            "name": name.partition(",")[0],
            "required": False,
            "schema": {"type": "string"},
            **HEADERS[name],
        }
        doc.setdefault("parameters", []).append(parameter)
    return doc
