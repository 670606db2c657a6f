"""What every route promises, asked of every route that there is: a new one is held to it by being there."""

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.auth.api_keys import SCOPES, new_key
from service.matches.play import Play
from tests.service.http.routes import ASSET, PICTURE, Route, routes
from tests.service.http.stream_reader import AT_ONCE, app_with
from tests.service.http.table import JSON, PROBLEM, Table, lay, post, problem

METHODS = {"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"}
CHANGING_AT = {
    "/v1/feed": "Link",
    "/readyz": "Content-Length",
}  # a cursor with the time; figures of the store
CHANGING = ("Date", "X-Request-ID")
EVERY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
}


@pytest.fixture
def app(play: Play) -> Flask:
    """Streams end at once here, so that they are read like everything else."""
    return app_with(play, AT_ONCE)


@pytest.fixture
def table(client: FlaskClient, play: Play) -> Table:
    laid, ring = lay(client, play, seats=4), client.application.extensions["dependencies"].keys
    return replace(laid, tokens=laid.tokens | {"key": new_key(ring, "reader", SCOPES, 0)[1]})


@pytest.fixture
def every(app: Flask, table: Table) -> list[Route]:
    return routes(app, table)


@pytest.fixture
def reads(every: list[Route]) -> list[Route]:
    return [route for route in every if route.reads]


def test_every_read_answers_head_as_it_answers_get_without_the_body(reads: list[Route], table: Table) -> None:
    for route in reads:
        for form in route.forms or ("*/*",):
            asked = {"Accept": form, "Accept-Encoding": "gzip", **table.bearer(route.who)}
            got = table.client.get(route.path, headers=asked, buffered=True)
            head = table.client.head(route.path, headers=asked, buffered=True)
            assert (head.status_code, head.data) == (got.status_code, b""), route
            changing = (*CHANGING, CHANGING_AT.get(route.rule))
            shown, kept = (
                {name: value for name, value in answer.headers if name not in changing}
                for answer in (head, got)
            )
            assert shown == kept, route


def test_every_answer_carries_the_headers_for_browsers_and_the_request_id(
    every: list[Route], table: Table
) -> None:
    for route in every:
        for method in METHODS:
            for headers in ({}, {"Accept": "image/png"}, {"Authorization": "Bearer of-nobody"}):
                answer = table.client.open(
                    route.path, method=method, headers={**headers, "X-Request-ID": "mine.1"}
                )
                assert answer.headers["X-Request-ID"] == "mine.1", (route, method)
                for name, value in EVERY.items():
                    assert answer.headers.getlist(name) == [value], (route, method, name)
                (policy,) = answer.headers.getlist("Content-Security-Policy")
                assert "default-src 'none'" in policy
                assert "frame-ancestors 'none'" in policy
                assert "unsafe" not in policy
                if answer.status_code >= 400 and method != "HEAD":
                    problem(answer, answer.status_code, answer.json["code"])
                    assert answer.headers["Cache-Control"] == "no-store"


def test_every_path_refuses_the_methods_that_it_has_not_and_names_those_that_it_has(
    every: list[Route], table: Table
) -> None:
    for route in every:
        assert set(table.client.options(route.path).headers["Allow"].split(", ")) == route.methods
        for method in METHODS - route.methods:
            refused = table.client.open(route.path, method=method)
            assert (refused.status_code, refused.content_type) == (405, PROBLEM), (route, method)
            assert set(refused.headers["Allow"].split(", ")) == route.methods, (route, method)


def test_a_path_with_a_slash_too_many_is_nothing_and_sends_nobody_elsewhere(
    every: list[Route], table: Table
) -> None:
    for route in every:
        for path in (f"{route.path}/", route.path.replace("/v1/", "/v1//"), f"{route.path}//"):
            if route.path not in ("/", path):
                problem(table.client.get(path), 404, "not_found")


def test_every_read_refuses_a_parameter_that_it_does_not_know(reads: list[Route], table: Table) -> None:
    for route in reads:
        if route.rule not in (ASSET, PICTURE):
            refused = table.client.get(f"{route.path}?colour=red", headers=table.bearer(route.who))
            assert problem(refused, 422, "validation_error")["errors"][0]["pointer"] == "/colour", route


def test_a_write_with_a_parameter_changes_nothing(every: list[Route], table: Table) -> None:
    for route in every:
        for method in route.methods & {"POST", "PUT", "PATCH", "DELETE"}:
            refused = table.client.open(
                f"{route.path}?a/b~c=1", method=method, headers=table.bearer(route.who), json={}
            )
            if refused.status_code in (403, 404):
                continue  # it is not this caller's, or not there
            assert problem(refused, 422, "validation_error")["errors"][0]["pointer"] == "/a~1b~0c", route
    assert table.version == 1


@pytest.mark.parametrize(
    ("query", "pointer"), [("?at=1&at=2", "/at"), ("/log?limit=1&limit=2", "/limit"), ("?=1", "/")]
)
def test_a_parameter_that_is_given_twice_is_refused(table: Table, query: str, pointer: str) -> None:
    document = problem(table.get(query), 422, "validation_error")
    assert [error["pointer"] for error in document["errors"]] == [pointer]


def test_every_read_refuses_who_accepts_no_form_that_it_has_and_names_its_forms(
    reads: list[Route], table: Table
) -> None:
    for route in reads:
        for accept in ("image/png", "text/x-nothing;q=1", "*/*;q=0", "application/problem+json"):
            if route.refuses:
                asked = {"Accept": accept, **table.bearer(route.who)}
                document = problem(table.client.get(route.path, headers=asked), 406, "not_acceptable")
                assert all(form in document["detail"] for form in route.forms), route


def test_texts_are_markdown_to_who_accepts_no_form_that_they_have(reads: list[Route], table: Table) -> None:
    lenient = [route for route in reads if route.forms and not route.refuses]
    assert {route.rule for route in lenient} == {"/v1/games/<game>/rules", "/v1/rules", "/docs/<guide>"}
    for route in lenient:
        for accept in ("application/json", "application/json, application/problem+json", "image/png"):
            answer = table.client.get(route.path, headers={"Accept": accept})
            assert (answer.status_code, answer.mimetype) == (200, "text/markdown"), (route, accept)


def test_every_read_is_given_to_who_accepts_anything_or_does_not_say(
    reads: list[Route], table: Table
) -> None:
    for route in reads:
        for accept in (None, "", "*/*", "image/png, */*;q=0.1", *route.forms):
            asked: dict[str, Any] = table.bearer(route.who) | ({} if accept is None else {"Accept": accept})
            answer = table.client.get(route.path, headers=asked, buffered=True)
            if route.path == "/readyz":  # nobody is at work here
                assert problem(answer, 503, "not_ready")
                continue
            assert answer.status_code == 200, (route, accept, answer.text)
            if JSON in route.forms and accept not in route.forms:
                assert answer.content_type == JSON, route


def test_an_answer_that_may_be_kept_says_what_it_depends_on(reads: list[Route], table: Table) -> None:
    for route in reads:
        answer = table.client.get(route.path, headers=table.bearer(route.who), buffered=True)
        cached = answer.headers.get("Cache-Control", "")
        assert cached, route
        if "private" in cached:
            assert {"Authorization", "Accept"} <= set(answer.headers["Vary"].split(", ")), route
        if len(route.forms) > 1:
            assert "Accept" in answer.headers["Vary"].split(", "), route
        if "no-store" not in cached:
            again = {**table.bearer(route.who), "If-None-Match": answer.headers["ETag"]}
            unchanged = table.client.get(route.path, headers=again)
            assert (unchanged.status_code, unchanged.data) == (304, b""), route
            for name in ("ETag", "Cache-Control", "Vary"):
                assert unchanged.headers.get(name) == answer.headers.get(name), (route, name)
            assert "Content-Type" not in unchanged.headers


@pytest.mark.parametrize("coding", ["gzip", "br", "x-unknown", "gzip, identity"])
def test_a_body_that_comes_packed_is_415_and_says_so(table: Table, coding: str) -> None:
    refused = post(
        table.client, f"{table.url}/commands", b"{}", {"Content-Encoding": coding, **table.bearer("seat:0")}
    )
    problem(refused, 415, "unsupported_media_type")
    assert refused.headers["Accept-Encoding"] == "identity"
    assert table.send({}, "seat:0", {"Content-Encoding": "identity"}).status_code == 422


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        (b'{"column": 3, "type": "choose_column", "column": 4}', "/column"),
        (b'[{"type": "choose_column", "column": {"a": {"b": 1, "\\u0062": 2}}}]', "/0/column/a/b"),
        (b'{"a/b~c": [{}, {"x": 1, "x": 1}]}', "/a~1b~0c/1/x"),
        (b'{"": 1, "": 2}', "/"),
        (b'{"x": {"type": 1}, "type": 1, "type": 2}', "/type"),
    ],
)
def test_a_key_that_comes_twice_is_pointed_at(table: Table, body: bytes, pointer: str) -> None:
    for path in ("/v1/matches", f"{table.url}/seats", f"{table.url}/commands"):
        document = problem(post(table.client, path, body, table.bearer("seat:0")), 422, "validation_error")
        assert [error["pointer"] for error in document["errors"]] == [pointer]
    assert table.version == 1


@pytest.mark.parametrize(
    "name", ["%2e%2e%2f", "..%2F..%2Fetc%2Fpasswd", "%F0%9F%8E%B2", "a%20b", "%3Cscript%3E", "m_%0d%0aX:%201"]
)
def test_odd_names_in_a_path_are_of_nothing(table: Table, name: str) -> None:
    for path in (f"/v1/matches/{name}", f"/v1/games/{name}", f"/problems/{name}", f"/docs/x/{name}"):
        answer = table.client.get(path)
        assert (answer.status_code, answer.content_type) == (404, PROBLEM), path
        assert "<script>" not in str(answer.headers)
