"""What the description of the API promises of a route, held against each request before its view is called.

So the description is the one place: a form that it does not list is not given (406, where it lists that), a
query parameter that it does not list, or lists once, is not taken (422). A read is looked at before its token
is; a write when it is known that the caller may.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Flask, current_app, request

from service.http.protocol.content_negotiation import best_form
from service.http.protocol.problems import Problem, invalid
from service.strict_json import pointer_part

PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


@dataclass(frozen=True, slots=True)
class Promise:
    """The media types of a route's answers, and whether it refuses who accepts none; its query parameters.

    Each of these with whether it may be repeated.
    """

    forms: tuple[str, ...]
    refuses: bool
    queries: Mapping[str, bool]


def check_read() -> None:
    """`check_promise` of a read."""
    if request.environ["PATH_INFO"].startswith("//"):
        raise Problem("not_found", "A path starts with one slash.")  # werkzeug would take it for one
    if request.method in ("GET", "HEAD"):
        check_promise()


def check_promise() -> None:
    """406 where no form of the route is accepted, 422 with a pointer where a parameter is not the route's."""
    rule, method = request.url_rule, request.method
    if rule is None:
        return
    promise = promises(current_app).get((rule.rule, "GET" if method == "HEAD" else method))
    if promise is None:
        return
    if request.environ.get("QUERY_STRING"):
        _check_query(promise.queries)
    accepted = request.environ.get("HTTP_ACCEPT")
    if accepted and promise.refuses and accepted != "*/*" and accepted not in promise.forms:
        _check_forms(promise.forms)


def promises(app: Flask) -> Mapping[tuple[str, str], Promise]:
    """By rule and method, what the description promises; read from it once."""
    kept = app.extensions
    if "promises" not in kept:
        spec = kept["flask-smorest"]["apis"][""]["ext_obj"].description().document
        kept["promises"] = dict(_read(app, spec))
    found: Mapping[tuple[str, str], Promise] = kept["promises"]
    return found


def _check_query(queries: Mapping[str, bool]) -> None:
    for name, values in request.args.lists():
        if name not in queries:
            raise invalid((f"/{pointer_part(name[:40])}", "Unknown field."))
        if len(values) > 1 and not queries[name]:
            raise invalid((f"/{pointer_part(name)}", "Must be given once."))


def _check_forms(forms: tuple[str, ...]) -> None:
    if best_form(forms) is None:
        raise Problem("not_acceptable", f"This is available as {' or '.join(forms)}.")


def _read(app: Flask, spec: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], Promise]]:
    for rule in app.url_map.iter_rules():
        path = spec["paths"].get(PARAMETER.sub(r"{\1}", rule.rule), {})
        for method in rule.methods or ():
            if operation := path.get(method.lower()):
                listed = [*path.get("parameters", []), *operation.get("parameters", [])]
                forms = _forms(spec, operation)
                refuses = bool(forms) and "406" in map(str, operation["responses"])
                yield (rule.rule, method), Promise(forms, refuses, _queries(spec, listed))


def _forms(spec: Mapping[str, Any], operation: Mapping[str, Any]) -> tuple[str, ...]:
    answers = [
        _at(spec, answer) for status, answer in operation["responses"].items() if str(status).startswith("2")
    ]
    return tuple(dict.fromkeys(form for answer in answers for form in answer.get("content", {})))


def _queries(spec: Mapping[str, Any], listed: list[Any]) -> dict[str, bool]:
    found = [_at(spec, parameter) for parameter in listed]
    return {
        each["name"]: _at(spec, each.get("schema", {})).get("type") == "array"
        for each in found
        if each["in"] == "query"
    }


def _at(spec: Mapping[str, Any], part: Mapping[str, Any]) -> Mapping[str, Any]:
    """A part of the description, or what it refers to."""
    if "$ref" not in part:
        return part
    found: Any = spec
    for step in part["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    resolved: Mapping[str, Any] = found
    return resolved
