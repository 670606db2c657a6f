"""Answers in JSON."""

from typing import Any

import orjson
from flask import Response

from service.http.protocol.etags import content_tag, version_tag
from service.matches.requests import Result
from service.matches.revision import Revision


class Answer(Response):
    """A response whose headers are complete: nothing is looked up or made absolute again."""

    def get_wsgi_headers(self, _environ: Any) -> Any:
        """The headers as they are."""
        return self.headers


def json_response(document: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer."""
    body = orjson.dumps(document)
    complete = {**(headers or {}), "Content-Length": str(len(body))}
    return Answer(body, status, complete, content_type="application/json")


def tagged(document: Any, caching: str) -> Response:
    """A JSON answer without a version: its ETag is a fingerprint of the body."""
    response = json_response(document, headers={"Cache-Control": caching})
    response.headers["ETag"] = content_tag(response.get_data())
    return response


def stored(document: Any, result: Result, location: str, status: int = 201) -> Response:
    """The answer to a stored request, whether it was stored now or earlier with the same key."""
    headers = {
        "Location": location,
        "ETag": version_tag(Revision.of(result.loaded)),
        "Cache-Control": "no-store",
    }
    if result.replayed:
        headers["Idempotent-Replayed"] = "true"
    return json_response(document, status, headers)
