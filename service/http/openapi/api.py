"""flask-smorest with its gaps filled: every error is a problem document, and is documented as one."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ClassVar, TypeVar, is_typeddict

import flask_smorest
import orjson
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask, Response, current_app
from flask.json.provider import JSONProvider
from marshmallow import RAISE
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import HTTPException

from service.http.openapi.deprecation import Lifetime
from service.http.openapi.description import Description
from service.http.openapi.response_schemas import response_schema
from service.http.openapi.security import credentials
from service.http.protocol.etags import VERSION_TAG, content_tag, version_tag
from service.http.protocol.problem_document import ProblemDocument
from service.http.protocol.problems import CONTENT_TYPE, KINDS
from service.http.protocol.refusals import of_http
from service.matches.requests import Result
from service.matches.revision import Revision

ROOT = "/v1/"  # requests below this path are counted
STANDING = ("RateLimit-Policy", "RateLimit")
View = TypeVar("View", bound=Callable[..., Any])
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


class OrjsonProvider(JSONProvider):
    """JSON by orjson."""

    def dumps(self, obj: Any, **_: Any) -> str:
        return orjson.dumps(obj).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        return orjson.loads(s)


class Converter(OpenAPIConverter):
    """Looks at a class once: the schema of a problem is named by every refusal of every operation."""

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self.known: dict[type, dict[str, Any]] = {}

    def resolve_nested_schema(self, schema: Any) -> dict[str, Any]:
        """A reference to a schema, or the schema itself."""
        if isinstance(schema, type) and schema in self.known:
            return dict(self.known[schema])
        found: dict[str, Any] = super().resolve_nested_schema(schema)
        if isinstance(schema, type):
            self.known[schema] = dict(found)
        return found


class Plugin(MarshmallowPlugin):
    """Describes marshmallow's schemas."""

    Converter = Converter


class Api(flask_smorest.Api):  # type: ignore[misc]  # untyped base
    """The API, in which every error is a problem document, and whose description is made when it is read.

    Applications of one process that have the same blueprints share it: it says nothing of their stores.
    """

    ERROR_SCHEMA = response_schema(ProblemDocument)
    DEFAULT_ERROR_RESPONSE_NAME = None  # every operation names its own refusals
    _descriptions: ClassVar[dict[tuple["Blueprint", ...], Description]] = {}

    def __init__(self, app: Flask, describe: Callable[[APISpec], None]) -> None:
        """An API whose description begins with what `describe` adds, before that of any operation."""
        self._blueprints: tuple[Blueprint, ...] = ()
        self._describe = describe
        super().__init__(app)

    def register_blueprint(self, blueprint: "Blueprint", **options: Any) -> None:
        """Let a blueprint's operations be called."""
        self._app.extensions["flask-smorest"]["blp_name_to_api"][blueprint.name] = self
        self._app.register_blueprint(blueprint, **options)
        self._blueprints += (blueprint,)

    def description(self) -> Description:
        """What it says of itself."""
        if self._blueprints not in self._descriptions:
            self._descriptions[self._blueprints] = Description(self._document())
        return self._descriptions[self._blueprints]

    def _document(self) -> dict[str, Any]:
        self._init_spec(marshmallow_plugin=Plugin())
        self._describe(self.spec)
        for each in self._blueprints:
            each.register_views_in_doc(self, self._app, self.spec, name=each.name, parameters=None)
            self.spec.tag({"name": each.name, "description": each.description})
        document: dict[str, Any] = self.spec.to_dict()
        return document

    def handle_http_exception(self, error: HTTPException) -> Response:
        """What the framework refuses, as a problem document."""
        return of_http(error).response()

    def _register_responses(self) -> None:
        """Documents only the refusals that operations name."""


class Parser(FlaskParser):
    """Reads queries; refuses parameters it does not know."""

    DEFAULT_UNKNOWN_BY_LOCATION = {"query": RAISE}  # noqa: RUF012  webargs' own form


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]  # untyped base
    """A resource whose operations name their refusals by the codes of the problem table."""

    ARGUMENTS_PARSER = Parser()

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self.counted = f"{self.url_prefix or ''}/".startswith(ROOT)
        self._prepare_doc_cbks.append(_with_headers)
        self._prepare_doc_cbks.append(self._with_limits)

    def operation(
        self,
        name: str,
        *codes: str,
        headers: Sequence[str] = (),
        lifetime: Lifetime | None = None,
        any_accept: bool = False,
        **doc: Any,
    ) -> Callable[[View], View]:
        """Documents an operation: its operationId, the headers it reads, the problems it may answer with.

        Who may call follows from them (`credentials`), unless `security` says it. With `any_accept` it
        answers callers who accept none of its forms, too (RFC 9110, 12.5.1).
        """

        def decorate(view: View) -> View:
            refusals: dict[str, Any] = {}
            counted = ("rate_limited",) if self.counted else ()
            ending = ("gone",) if lifetime else ()
            writing = ("store_full",) if "outcome_unknown" in codes else ()
            everywhere = (code for code in EVERYWHERE if not (any_accept and code == NOT_ACCEPTABLE))
            for code in dict.fromkeys((*codes, *writing, *counted, *everywhere, *ending)):
                kind = KINDS[code]
                listed = refusals.setdefault(str(kind.status), [])
                listed.append(f"`{code}`: {kind.remedy}")
            if lifetime is not None:
                view, doc["deprecated"] = _ending(view, lifetime), True
            responses = {
                status: _refusal(remedies) | self._limits_of(status)
                for status, remedies in sorted(refusals.items())
            }
            told = {"security": credentials(headers, codes), "responses": responses, **doc}
            documented: View = self.doc(operationId=name, **told)(view)
            documented._apidoc["headers"] = headers  # type: ignore[attr-defined]  # noqa: SLF001  where flask-smorest looks
            return documented

        return decorate

    def response(self, status: int, shape: Any = None, **more: Any) -> Callable[[View], View]:
        """Documents an answer; its shape is a TypedDict."""
        described: Callable[[View], View] = super().response(status, _schema(shape), **more)
        return described

    def alt_response(self, status: int, *, schema: Any = None, **more: Any) -> Callable[[View], View]:
        """Documents another answer of the operation."""
        described: Callable[[View], View] = super().alt_response(status, schema=_schema(schema), **more)
        return described

    def not_modified(self) -> Callable[[View], View]:
        """Documents that a read with If-None-Match may be answered with 304."""
        documented: Callable[[View], View] = self.alt_response(
            304, description="Not modified: what you hold is current.", success=True
        )
        return documented

    def also(self, *forms: str) -> Callable[[View], View]:
        """Documents the other forms of an answer, which its description explains."""

        def decorate(view: View) -> View:
            for form in forms:
                told = "A page of JSON, lines of JSON, or server-sent events, as `Accept` asks."
                view = self.alt_response(
                    200, schema={"type": "string"}, content_type=form, description=told, success=True
                )(view)
            return view

        return decorate

    def _with_limits(self, doc: dict[str, Any], _info: Any, **_: Any) -> dict[str, Any]:
        """The step of flask-smorest that adds the rate limit headers to successful answers."""
        for status, told in doc.get("responses", {}).items() if self.counted else ():
            told.setdefault("headers", {}).update(self._limits_of(str(int(status)))["headers"])
        return doc

    def _limits_of(self, status: str) -> dict[str, Any]:
        """The headers that state a caller's limits, and for 429 and 503 when to try again."""
        again = ("Retry-After",) if status in ("429", "503") else ()
        names = (*STANDING, *again) if self.counted else again
        headers = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
        return {"headers": headers} if headers else {}

    def _prepare_arguments_doc(self, doc: Any, doc_info: Any, **more: Any) -> Any:
        """Refused queries are documented through `operation`, like every other refusal."""
        doc_info.get("arguments", {}).pop("responses", None)
        return super()._prepare_arguments_doc(doc, doc_info, **more)


def _schema(shape: Any) -> Any:
    return response_schema(shape) if is_typeddict(shape) else shape


def _ending(view: View, lifetime: Lifetime) -> View:
    """The view of a deprecated operation."""

    @wraps(view)
    def announced(*words: Any, **named: Any) -> Any:
        lifetime.begin(current_app.extensions["dependencies"].play.clock())
        return view(*words, **named)

    return announced  # type: ignore[return-value]  # it is called as the view is


def _refusal(remedies: list[str]) -> dict[str, Any]:
    return {
        "description": "\n\n".join(remedies),
        "content": {CONTENT_TYPE: {"schema": response_schema(ProblemDocument)}},
    }


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


def body_of(schema: Any, description: str) -> dict[str, Any]:
    """The documentation of a request body."""
    return {"required": True, "description": description, "content": {"application/json": {"schema": schema}}}


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


def _with_headers(doc: dict[str, Any], doc_info: Any, **_: Any) -> dict[str, Any]:
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


MATCHES = Blueprint(  # of two files: one match, and lists of them
    "matches", __name__, url_prefix="/v1/matches", description="Create, list and read matches."
)
