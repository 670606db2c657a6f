"""flask-smorest with its gaps filled: problem documents everywhere, errors documented as what they are."""

from collections.abc import Callable
from typing import Any, TypeVar

import flask_smorest
import orjson
from flask import Response
from flask.json.provider import JSONProvider
from werkzeug.exceptions import HTTPException

from service.http.problems import CONTENT_TYPE, KINDS, of_http
from service.http.schemas import ProblemDocument

View = TypeVar("View", bound=Callable[..., Any])


class OrjsonProvider(JSONProvider):
    """JSON by orjson."""

    def dumps(self, obj: Any, **_: Any) -> str:
        return orjson.dumps(obj).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        return orjson.loads(s)


class Api(flask_smorest.Api):  # type: ignore[misc]  # untyped base
    """The API: every error is a problem document."""

    ERROR_SCHEMA = ProblemDocument
    DEFAULT_ERROR_RESPONSE_NAME = None  # every operation names its own refusals

    def handle_http_exception(self, error: HTTPException) -> Response:
        """What the framework refuses, as a problem document."""
        return of_http(error).response()

    def _register_responses(self) -> None:
        """Only the refusals that operations name are documented."""


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]  # untyped base
    """A resource; an operation's refusals are named by the codes of the problem table."""

    def operation(self, name: str, *codes: str, **doc: Any) -> Callable[[View], View]:
        """Documents an operation: its operationId and the problems it may answer with."""

        def decorate(view: View) -> View:
            refusals: dict[str, Any] = {}
            for code in (*codes, "bad_request", "internal_error"):
                kind = KINDS[code]
                listed = refusals.setdefault(str(kind.status), [])
                listed.append(f"`{code}`: {kind.remedy}")
            responses = {status: _refusal(remedies) for status, remedies in sorted(refusals.items())}
            documented: View = self.doc(operationId=name, responses=responses, **doc)(view)
            return documented

        return decorate

    def _prepare_arguments_doc(self, doc: Any, doc_info: Any, **more: Any) -> Any:
        """Queries that are refused say so through `operation`, as every other refusal."""
        doc_info.get("arguments", {}).pop("responses", None)
        return super()._prepare_arguments_doc(doc, doc_info, **more)


def _refusal(remedies: list[str]) -> dict[str, Any]:
    return {
        "description": "\n\n".join(remedies),
        "content": {CONTENT_TYPE: {"schema": ProblemDocument}},
    }


def json_response(document: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer."""
    return Response(orjson.dumps(document), status, headers, mimetype="application/json")


def body_of(schema: Any, description: str) -> dict[str, Any]:
    """The documentation of a request body."""
    return {"required": True, "description": description, "content": {"application/json": {"schema": schema}}}


HEADERS: dict[str, dict[str, Any]] = {
    "Authorization": {
        "description": "Bearer and the token of a seat (or the host).",
        "example": "Bearer bricabrac_…",
    },
    "Idempotency-Key": {
        "description": "Makes a repeat harmless: the first answer comes again, for 24 hours."
    },
    "If-Match": {"description": 'Only if the match is at this version: the ETag of a read, like "v7".'},
    "If-None-Match": {"description": "304 if the match is still at this version."},
}


def header(name: str) -> dict[str, Any]:
    """A request header as an OpenAPI parameter."""
    return {"in": "header", "name": name, "required": False, "schema": {"type": "string"}, **HEADERS[name]}
