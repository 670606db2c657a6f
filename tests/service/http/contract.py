"""Holds real answers against the OpenAPI document: status, media type, shape, and the codes of problems."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import yaml
from flask import Flask, Response, g, request
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from tests.service.http.stream_reader import SSE
from tests.service.http.table import NDJSON, PROBLEM

COUNTED = ("post", "put", "patch", "delete")
METHODS = ("get", "post", "put", "patch", "delete")
DOCUMENT = "urn:openapi"


def described(client: FlaskClient) -> dict[str, Any]:
    """The OpenAPI document that an application shows; not to be changed."""
    return _parsed(client.get("/openapi.yaml").text)


@lru_cache(maxsize=4)
def _parsed(document: str) -> dict[str, Any]:
    parsed: dict[str, Any] = yaml.load(document, yaml.CSafeLoader)
    return parsed


class Contract:
    """The document of an application, and every answer of that application that is not as it says."""

    def __init__(self, app: Flask) -> None:
        self.flaws: set[str] = set()
        self.seen: set[tuple[str, int, str]] = set()  # operationId, status, code or ""
        self.client = app.test_client()
        app.after_request(self._hold)
        self.document = described(app.test_client())
        resource = Resource.from_contents(self.document, default_specification=DRAFT202012)
        self._registry: Any = Registry().with_resource(DOCUMENT, resource)

    def operations(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Every path and method with its operation."""
        for path, methods in self.document["paths"].items():
            for method in METHODS:
                if method in methods:
                    yield path, method, methods[method]

    def fits(self, value: Any, pointer: str) -> list[str]:
        """What is wrong with a value by the schema at a pointer into the document."""
        schema = {"$ref": f"{DOCUMENT}#{pointer}"}
        found = Draft202012Validator(schema, registry=self._registry).iter_errors(value)
        return [f"{error.json_path}: {error.message[:200]}" for error in found]

    def _hold(self, response: Response) -> Response:
        if request.url_rule is not None and request.method.lower() in METHODS and hasattr(self, "document"):
            path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", request.url_rule.rule)
            for flaw in self._flaws(path, request.method.lower(), response):
                self.flaws.add(f"{request.method} {path} {response.status_code}: {flaw}")
        return response

    def _flaws(self, path: str, method: str, response: Response) -> Iterator[str]:
        operation, status = self.document["paths"].get(path, {}).get(method), str(response.status_code)
        if operation is None:
            return
        media_type = response.mimetype
        code = response.get_json()["code"] if media_type == PROBLEM else ""
        self.seen.add((operation["operationId"], response.status_code, code))
        documented = operation["responses"].get(status)
        if "Retry-After" in response.headers and status not in ("429", "503"):
            yield "Retry-After comes with 429 and 503 only"
        if method in COUNTED and response.status_code < 400 and "standings" not in g:
            yield "it was done before it was counted: call admit() first"
        if documented is None:
            yield f"the status is not documented ({code or media_type})"
        elif response.status_code in (204, 304):
            return
        elif media_type not in documented.get("content", {}):
            yield f"{media_type} is not documented"
        else:
            if code and f"`{code}`" not in documented["description"]:
                yield f"the code {code} is not documented"
            if media_type not in (NDJSON, SSE, "application/yaml", "text/html", "text/markdown"):
                escaped = [part.replace("~", "~0").replace("/", "~1") for part in (path, media_type)]
                pointer = f"/paths/{escaped[0]}/{method}/responses/{status}/content/{escaped[1]}/schema"
                yield from self.fits(response.get_json(), pointer)
