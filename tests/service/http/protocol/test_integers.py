"""An integer that comes in a query or a path is ASCII digits, and nothing else, wherever one is asked for."""

import re
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.auth.api_keys import SCOPES, new_key
from service.matches.play import Play
from tests.service.http.contract import described
from tests.service.http.routes import routes
from tests.service.http.stream_reader import AT_ONCE, app_with
from tests.service.http.table import JSON, Table, lay, problem

COLUMN = {"type": "choose_column", "column": 3}
WRONG = [
    "1_0",
    "+1",
    "%2B1",
    "%D9%A1",
    "%201",
    "1%20",
    "%EF%BC%91",
    "-1",
    "1.0",
    "0x1",
    "1e0",
    "%C2%B2",
    "1%0A",
]


@pytest.fixture
def app(play: Play) -> Flask:
    """Streams end at once here, so that they are read like everything else."""
    return app_with(play, AT_ONCE)


@pytest.fixture
def table(client: FlaskClient, play: Play) -> Table:
    laid, ring = lay(client, play), client.application.extensions["dependencies"].keys
    return replace(laid, tokens=laid.tokens | {"key": new_key(ring, "reader", SCOPES, 0)[1]})


@pytest.mark.parametrize("wrong", WRONG)
def test_every_integer_of_a_query_is_digits(app: Flask, table: Table, wrong: str) -> None:
    paths = {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route.rule): route for route in routes(app, table)}
    asked = 0
    for path, methods in described(table.client)["paths"].items():
        for parameter in methods.get("get", {}).get("parameters", ()):
            if parameter["in"] == "query" and parameter["schema"].get("type") == "integer":
                route, name = paths[path], parameter["name"]
                form = JSON if JSON in route.forms else route.forms[0]
                headers = {"Accept": form, **table.bearer(route.who)}
                refused = table.client.get(f"{route.path}?{name}={wrong}", headers=headers)
                errors = problem(refused, 422, "validation_error")["errors"]
                assert [error["pointer"] for error in errors] == [f"/{name}"], (path, name)
                asked += 1
    assert asked >= 7


@pytest.mark.parametrize("wrong", WRONG)
def test_every_integer_of_a_path_is_digits(app: Flask, table: Table, wrong: str) -> None:
    rules = [rule for rule in app.url_map.iter_rules() if "<int:" in rule.rule]
    assert rules
    for rule in rules:
        path = rule.rule.replace("<match_id>", table.id)
        name = re.search(r"<int:(\w+)>", path)
        assert name is not None
        (method,) = (rule.methods or set()) - {"OPTIONS"}
        for who in ("host", "seat:0"):
            address = path.replace(name[0], wrong)
            refused = table.client.open(address, method=method, headers=table.bearer(who))
            errors = problem(refused, 422, "validation_error")["errors"]
            assert [error["pointer"] for error in errors] == [f"/{name[1]}"], address
    assert table.version == 1


@pytest.mark.parametrize("wrong", ["1_0", "+1", "\u00b2", "1 0", "1.0", "-1"])
def test_every_integer_of_a_header_is_digits(table: Table, wrong: str) -> None:
    sse = {"Accept": "text/event-stream", "Last-Event-ID": wrong}
    problem(table.get("/log", headers=sse), 422, "validation_error")
    problem(table.send(COLUMN, table.acting, {"If-Match": f'"v{wrong}"'}), 400, "if_match_invalid")
    waited = table.get("/log?after=0", headers={"Prefer": f"wait={wrong}"})
    assert "Preference-Applied" not in waited.headers
