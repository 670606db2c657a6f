"""flask-smorest with its gaps filled: problem documents everywhere, errors documented as what they are."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import flask_smorest
import orjson
from flask import Response
from flask.json.provider import JSONProvider
from marshmallow import RAISE
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import HTTPException

from service.http.credentials import credentials
from service.http.documents import ProblemDocument
from service.http.problems import CONTENT_TYPE, KINDS, of_http

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


class Parser(FlaskParser):
    """Reads queries; refuses a parameter that it does not know."""

    DEFAULT_UNKNOWN_BY_LOCATION = {"query": RAISE}  # noqa: RUF012  webargs' own form


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]  # untyped base
    """A resource; an operation's refusals are named by the codes of the problem table."""

    ARGUMENTS_PARSER = Parser()

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self._prepare_doc_cbks.append(_with_headers)

    def operation(
        self, name: str, *codes: str, headers: Sequence[str] = (), **doc: Any
    ) -> Callable[[View], View]:
        """Documents an operation: its operationId, the headers it reads, the problems it may answer with.

        Who may call follows from them (`credentials`), unless `security` says it.
        """

        def decorate(view: View) -> View:
            refusals: dict[str, Any] = {}
            for code in (*codes, "bad_request", "internal_error"):
                kind = KINDS[code]
                listed = refusals.setdefault(str(kind.status), [])
                listed.append(f"`{code}`: {kind.remedy}")
            responses = {status: _refusal(remedies) for status, remedies in sorted(refusals.items())}
            told = {"security": credentials(headers, codes), "responses": responses, **doc}
            documented: View = self.doc(operationId=name, **told)(view)
            documented._apidoc["headers"] = headers  # type: ignore[attr-defined]  # noqa: SLF001  where flask-smorest looks
            return documented

        return decorate

    def not_modified(self) -> Callable[[View], View]:
        """Documents that a read with If-None-Match may be answered by 304."""
        documented: Callable[[View], View] = self.alt_response(
            304, description="The match is still at the version of If-None-Match.", success=True
        )
        return documented

    def _prepare_arguments_doc(self, doc: Any, doc_info: Any, **more: Any) -> Any:
        """Queries that are refused say so through `operation`, as every other refusal."""
        doc_info.get("arguments", {}).pop("responses", None)
        return super()._prepare_arguments_doc(doc, doc_info, **more)


def _refusal(remedies: list[str]) -> dict[str, Any]:
    return {
        "description": "\n\n".join(remedies),
        "content": {CONTENT_TYPE: {"schema": ProblemDocument}},
    }


class Answer(Response):
    """A response whose headers are complete: nothing is looked up, or made absolute, once more."""

    def get_wsgi_headers(self, _environ: Any) -> Any:
        """The headers as they are."""
        return self.headers


def json_response(document: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer."""
    body = orjson.dumps(document)
    complete = {**(headers or {}), "Content-Length": str(len(body))}
    return Answer(body, status, complete, content_type="application/json")


def body_of(schema: Any, description: str) -> dict[str, Any]:
    """The documentation of a request body."""
    return {"required": True, "description": description, "content": {"application/json": {"schema": schema}}}


GUARDING_KEY = "Idempotency-Key, guarding tokens"
SIGNS = r"[!#-\[\]-~]"  # visible ASCII without quotes and backslash
HEADERS: dict[str, dict[str, Any]] = {
    "Idempotency-Key": {
        "description": "Makes a repeat harmless: the first answer comes again, for 24 hours.",
        "schema": {"type": "string", "pattern": f'^({SIGNS}{{1,255}}|"{SIGNS}{{1,255}}")$'},
    },
    GUARDING_KEY: {
        "description": "Makes a repeat harmless: the first answer comes again, with its tokens, for 24 hours."
        " Whoever knows the key gets them: choose 16 random characters or more.",
        "schema": {"type": "string", "pattern": f'^({SIGNS}{{16,255}}|"{SIGNS}{{16,255}}")$'},
    },
    "If-Match": {
        "description": 'Only if the match is at this version: the ETag of a read, like "v7"; * is any.',
        "schema": {"type": "string", "pattern": r'^(\*|(W/)?"v[0-9]{1,15}")$'},
        "example": '"v7"',
    },
    "If-None-Match": {"description": "304 if the match is still at this version.", "example": '"v7"'},
}


def _with_headers(doc: dict[str, Any], doc_info: Any, **_: Any) -> dict[str, Any]:
    """flask-smorest's step that adds the headers an operation reads."""
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
