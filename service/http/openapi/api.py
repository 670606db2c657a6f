"""flask-smorest with its gaps filled: every error is a problem document, and JSON is orjson's."""

from collections.abc import Callable
from typing import Any, ClassVar

import flask_smorest
import orjson
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask, Response
from flask.json.provider import JSONProvider
from werkzeug.exceptions import HTTPException

from service.http.openapi.blueprint import Blueprint
from service.http.openapi.description import Description
from service.http.openapi.response_schemas import response_schema
from service.http.protocol.problem_document import ProblemDocument
from service.http.protocol.refusals import of_http


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
