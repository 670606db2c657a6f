"""Blueprints of flask-smorest whose operations tell all that they may answer."""

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from typing import Any, TypeVar, is_typeddict

import flask_smorest
from flask import current_app
from marshmallow import RAISE
from webargs.flaskparser import FlaskParser

from service.http.openapi.deprecation import Lifetime
from service.http.openapi.operation_refusals import EVERYWHERE, NOT_ACCEPTABLE, by_status, refusals_of
from service.http.openapi.request_headers import with_headers
from service.http.openapi.response_headers import STANDING
from service.http.openapi.response_schemas import response_schema
from service.http.openapi.security import credentials
from service.http.protocol.problem_document import ProblemDocument
from service.http.protocol.problems import CONTENT_TYPE

ROOT = "/v1/"  # requests below this path are counted
View = TypeVar("View", bound=Callable[..., Any])


class Parser(FlaskParser):
    """Reads queries; refuses parameters it does not know."""

    DEFAULT_UNKNOWN_BY_LOCATION = {"query": RAISE}  # noqa: RUF012  webargs' own form


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]  # untyped base
    """A resource whose operations name their refusals by the codes of the problem table."""

    ARGUMENTS_PARSER = Parser()

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self.counted = f"{self.url_prefix or ''}/".startswith(ROOT)
        self._prepare_doc_cbks.append(with_headers)
        self._prepare_doc_cbks.append(self._with_limits)

    def operation(
        self,
        name: str,
        *own: str,
        headers: Sequence[str] = (),
        lifetime: Lifetime | None = None,
        any_accept: bool = False,
        **doc: Any,
    ) -> Callable[[View], View]:
        """Documents an operation: its operationId, the headers it reads, the problems of its own.

        Those that follow from what it reads are documented with them (`refusals_of`). Who may call follows
        from its headers and problems (`credentials`), unless `security` says it. With `any_accept` it answers
        callers who accept none of its forms, too (RFC 9110, 12.5.1).
        """

        def decorate(view: View) -> View:
            read = (*(header.partition(",")[0] for header in headers), *signature(view).parameters, *doc)
            codes = refusals_of(own, read)
            if self.counted:
                codes.append("rate_limited")
            codes += (code for code in EVERYWHERE if not (any_accept and code == NOT_ACCEPTABLE))
            if lifetime is not None:
                view, doc["deprecated"] = _ending(view, lifetime), True
                codes.append("gone")
            responses = {
                status: _refusal(remedies) | self._limits_of(status)
                for status, remedies in by_status(codes).items()
            }
            described = {"security": credentials(headers, own), "responses": responses, **doc}
            documented: View = self.doc(operationId=name, **described)(view)
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
                described = "A page of JSON, lines of JSON, or server-sent events, as `Accept` asks."
                view = self.alt_response(
                    200, schema={"type": "string"}, content_type=form, description=described, success=True
                )(view)
            return view

        return decorate

    def _with_limits(self, doc: dict[str, Any], _info: Any, **_: Any) -> dict[str, Any]:
        """The step of flask-smorest that adds the rate limit headers to successful answers."""
        for status, answer in doc.get("responses", {}).items() if self.counted else ():
            answer.setdefault("headers", {}).update(self._limits_of(str(int(status)))["headers"])
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


def body_of(schema: Any, description: str) -> dict[str, Any]:
    """The documentation of a request body."""
    return {"required": True, "description": description, "content": {"application/json": {"schema": schema}}}


MATCHES = Blueprint(  # of three files: creation, one match, and lists of them
    "matches", __name__, url_prefix="/v1/matches", description="Create, list and read matches."
)
