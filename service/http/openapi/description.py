"""The OpenAPI description, completed by rule: headers and examples as real calls have shown them."""

from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from functools import cached_property
from inspect import cleandoc
from typing import Any

import yaml
from marshmallow import class_registry
from marshmallow.exceptions import RegistryError

from service.http.openapi.examples import problem_example, recorded
from service.http.openapi.response_headers import ANSWERED, header_components
from service.http.protocol.problems import CONTENT_TYPE as PROBLEM
from service.http.protocol.problems import KINDS

ORDER = ("openapi", "info", "servers", "tags", "paths", "webhooks", "components")
METHODS = ("get", "post", "put", "patch", "delete")
FOLLOWS = {"Idempotency-Key": "Idempotent-Replayed", "Prefer": "Preference-Applied", "cursor": "Link"}
Json = dict[str, Any]


class Description:
    """A description: as it is read here, and as callers are given it."""

    def __init__(self, document: Json) -> None:
        self.document = document

    @cached_property
    def written(self) -> str:
        """In YAML and completed; made when it is first asked for."""
        return as_yaml(completed(deepcopy(self.document), recorded()))


def completed(document: Json, shown: Json) -> Json:
    """The document with headers and examples as they were recorded, without components that nothing uses."""
    for operation in operations(document):
        name = operation["operationId"]
        _tell(operation)
        _show_requests(operation, shown["requests"].get(name, {}))
        for status, answer in operation["responses"].items():
            had = shown["answers"].get(name, {}).get(status, {})
            _show_answer(answer, had.get("content", {}))
            codes = _codes(answer)
            names = {"X-Request-ID", *had.get("headers", ())}
            names.update(
                header for code in codes for header in shown["problems"].get(code, {}).get("headers", ())
            )
            names.update(_by_rule(operation, status))
            answer.setdefault("headers", {}).update(
                {name: {"$ref": f"#/components/headers/{name}"} for name in ANSWERED if name in names}
            )
    for name, message in document.get("webhooks", {}).items():
        message["post"].setdefault("security", [])  # receivers know us by the signature
        content = message["post"]["requestBody"]["content"]["application/json"]
        content["examples"] = {"message": {"value": shown["webhooks"][name]}}
    document = _mended(document)
    components = document["components"]
    _describe(components["schemas"])
    components["headers"] = header_components()
    components["examples"] = {code: problem_example(code, shown) for code in KINDS}
    _let_go(document)
    return {name: document[name] for name in ORDER if name in document}


def _describe(schemas: Json) -> None:
    """Let each shape say what its class says of it."""
    for name, schema in schemas.items():
        with suppress(RegistryError):
            kind: Any = class_registry.get_class(name)
            schema.setdefault("description", cleandoc(kind.__doc__))


def _by_rule(operation: Json, status: str) -> Iterator[str]:
    """The headers that follow from what an operation reads, whether a call has shown them or not."""
    read = {parameter.get("name") for parameter in operation.get("parameters", ())}
    if status.startswith("2"):
        yield from (answered for asked, answered in FOLLOWS.items() if asked in read)
    if status == "503":
        yield "Retry-After"


class Plain(yaml.CSafeDumper):
    """Writes everything out where it stands: no anchors, which not every reader of OpenAPI follows."""

    def ignore_aliases(self, _value: object) -> bool:
        """Always."""
        return True


def as_yaml(document: Json) -> str:
    """A document in YAML."""
    text: str = yaml.dump(document, Dumper=Plain, sort_keys=False, allow_unicode=True, width=110)
    return text


def operations(document: Json) -> Iterator[Json]:
    """Every operation of a document."""
    for methods in document["paths"].values():
        yield from (methods[method] for method in METHODS if method in methods)


def _mended(value: Any) -> Any:
    """A document whose fields refer to what they are (`x-is`), and whose lists choose each of their items."""
    match value:
        case {"x-is": str(name)}:
            return {"$ref": f"#/components/schemas/{name}"}
        case {"type": "array", "enum": list(choices), "items": dict(items), **more}:
            return _mended({"type": "array", "items": {**items, "enum": choices}, **more})
        case dict():
            return {name: _mended(inner) for name, inner in value.items()}
        case list():
            return [_mended(inner) for inner in value]
    return value


def _tell(operation: Json) -> None:
    """The first sentence of a docstring is the summary, what follows the description."""
    summary, *more = operation["summary"].split(". ", 1)
    if more:
        operation["summary"] = f"{summary}."
        operation["description"] = "\n\n".join([*more, *filter(None, [operation.get("description")])])


def _show_requests(operation: Json, bodies: Json) -> None:
    if bodies and "requestBody" in operation:
        (content,) = operation["requestBody"]["content"].values()
        content["examples"] = {name: {"value": body} for name, body in bodies.items()}


def _show_answer(answer: Json, content: Json) -> None:
    for media_type, body in content.items():
        if media_type in answer.get("content", {}):
            answer["content"][media_type]["examples"] = {"answer": {"value": body}}
    codes = _codes(answer)
    if codes:
        listed = {code: {"$ref": f"#/components/examples/{code}"} for code in codes}
        answer["content"][PROBLEM]["examples"] = listed


def _codes(answer: Json) -> list[str]:
    """The codes of the problems that an answer may be: each paragraph of a refusal begins with one."""
    if PROBLEM not in answer.get("content", {}):
        return []
    return [remedy.split("`")[1] for remedy in answer["description"].split("\n\n")]


def _let_go(document: Json) -> None:
    """Components that nothing refers to, and those that only they referred to."""
    while unused := sorted(set(_defined(document)) - set(_referred(document))):
        for kind, name in unused:
            del document["components"][kind][name]


def _defined(document: Json) -> Iterator[tuple[str, str]]:
    for kind, named in document["components"].items():
        if kind != "securitySchemes":
            yield from ((kind, name) for name in named)


def _referred(value: Any) -> Iterator[tuple[str, str]]:
    match value:
        case {"$ref": str(ref)} if ref.startswith("#/components/"):
            _, _, kind, name = ref.split("/")
            yield kind, name
        case dict():
            for inner in value.values():
                yield from _referred(inner)
        case list():
            for inner in value:
                yield from _referred(inner)
