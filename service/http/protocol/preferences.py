"""What a caller prefers (`Prefer`, RFC 7240): to wait for an answer, and to see the match in it."""

import re
from collections.abc import Mapping
from typing import Any

from flask import Response, request

from domain.game import Viewer
from service.matches.aggregate import Aggregate
from service.matches.documents import CommandAnswer, LegalPage
from service.matches.views import match_document

MAX_WAIT_S = 25  # seconds
PREFERENCE = re.compile(
    r'(?:^|,)\s*(wait|return)\s*=\s*"?([a-z0-9-]{1,40})"?\s*(?=[;,]|$)', re.IGNORECASE | re.ASCII
)
REPRESENTATION = "return=representation"


def preferred() -> dict[str, str]:
    """The preferences that are known here; of one that is given twice, the first counts."""
    given = PREFERENCE.findall(request.headers.get("Prefer", ""))
    return {name.lower(): value for name, value in reversed(given)}


def waits(query: Mapping[str, Any]) -> tuple[float, dict[str, str]]:
    """How long an answer may be waited for, and the headers that say so."""
    asked = preferred().get("wait", "")
    if "wait" in query or not asked.isdecimal():
        return query.get("wait", 0), {}
    seconds = min(int(asked), MAX_WAIT_S)
    return seconds, {"Preference-Applied": f"wait={seconds}"}


def add_match(document: CommandAnswer | LegalPage, loaded: Aggregate, viewer: Viewer) -> None:
    """Let a document have the match as the viewer sees it, if the caller prefers that."""
    if preferred().get("return") == "representation":
        document["match"] = match_document(loaded, viewer)


def applied(response: Response, document: Mapping[str, Any]) -> Response:
    """The response; it says so where the match is in it by preference."""
    if "match" in document:
        response.headers.add("Preference-Applied", REPRESENTATION)
    return response
