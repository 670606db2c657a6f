"""Pages of other origins may read every answer, and send whatever the contract knows."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.matches.play import Play
from tests.service.http.routes import routes
from tests.service.http.table import Table, lay

PAGE = "https://frontend.example"
SENT = (
    "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, prefer,"
    " x-request-id, traceparent"
)
READ = {
    "ETag",
    "Link",
    "Location",
    "Retry-After",
    "RateLimit",
    "RateLimit-Policy",
    "X-Request-ID",
    "Deprecation",
    "Sunset",
    "Idempotent-Replayed",
    "Preference-Applied",
}


@pytest.fixture
def table(client: FlaskClient, play: Play) -> Table:
    return lay(client, play)


def words(header: str) -> set[str]:
    return {word.strip().lower() for word in header.split(",")}


def preflight(client: FlaskClient, path: str, method: str, origin: str = PAGE) -> dict[str, str]:
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": SENT,
    }
    answer = client.options(path, headers=asked)
    assert answer.status_code == 200, (path, method)
    assert answer.data == b""
    return dict(answer.headers)


def test_a_page_may_send_every_method_and_header_of_every_route(app: Flask, table: Table) -> None:
    for route in routes(app, table):
        for method in route.methods - {"OPTIONS"}:
            allowed = preflight(table.client, route.path, method)
            assert allowed["Access-Control-Allow-Origin"] == "*"
            assert words(allowed["Access-Control-Allow-Methods"]) == words(",".join(route.methods))
            assert words(SENT) <= words(allowed["Access-Control-Allow-Headers"])
            assert allowed["Access-Control-Max-Age"] == "600"


def test_a_page_may_read_every_answer_refusals_included_with_the_headers_of_the_contract(
    app: Flask, table: Table
) -> None:
    paths = [route.path for route in routes(app, table)]
    for path in (*paths, "/nothing", f"{table.url}?at=0", f"{table.url}?at=99"):
        for method in ("GET", "POST", "DELETE"):
            answer = table.client.open(path, method=method, headers={"Origin": PAGE})
            assert answer.headers["Access-Control-Allow-Origin"] == "*", (path, method)
            assert words(answer.headers["Access-Control-Expose-Headers"]) == words(",".join(READ))
            assert "Access-Control-Allow-Credentials" not in answer.headers
            assert "Access-Control-Allow-Methods" not in answer.headers, "that is for a preflight"


def test_no_page_is_told_that_it_may_ask_for_what_is_not_there(client: FlaskClient) -> None:
    asked = {"Origin": PAGE, "Access-Control-Request-Method": "GET"}
    answer = client.options("/nothing", headers=asked)
    assert answer.status_code == 404
    assert "Access-Control-Allow-Methods" not in answer.headers


def test_only_pages_of_the_listed_origins_may_read_where_there_is_a_list(app: Flask, table: Table) -> None:
    app.config["CORS_ORIGINS"] = (PAGE, "https://other.example")
    for path in ("/v1/games", table.url, "/nothing"):
        for origin in (PAGE, "https://other.example"):
            answer = table.client.get(path, headers={"Origin": origin})
            assert answer.headers.getlist("Access-Control-Allow-Origin") == [origin]
            assert "Origin" in answer.headers["Vary"].split(", ")
        for stranger in ("https://evil.example", "null", f"{PAGE}.evil.example", "*", ""):
            answer = table.client.get(path, headers={"Origin": stranger})
            assert "Access-Control-Allow-Origin" not in answer.headers
            assert "Origin" in answer.headers["Vary"].split(", "), "a cache must not mix them up"
    assert preflight(table.client, table.url, "GET")["Access-Control-Allow-Origin"] == PAGE
    assert "Access-Control-Allow-Origin" not in preflight(
        table.client, table.url, "GET", "https://evil.example"
    )
