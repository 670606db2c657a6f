"""An operation on its way out says so in time, in headers and in the description, and ends with 410."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import pytest
import yaml
from flask import Flask, Response
from flask.testing import FlaskClient
from http_sf import parse

from service.http.openapi.blueprint import Blueprint
from service.http.openapi.deprecation import Lifetime
from service.http.protocol.json_answers import json_response
from service.http.protocol.problems import Problem
from service.http.resources.health import Index
from service.matches.play import Play
from tests.service.http.table import problem

DEPRECATED = datetime(2030, 1, 1, tzinfo=UTC)
SUNSET = datetime(2030, 7, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
At = Callable[[datetime], FlaskClient]


def ending_operations() -> Blueprint:
    """Operations that end: one with a date and a successor, one without."""
    blueprint = Blueprint("old", __name__)

    @blueprint.route("/v0/games")
    @blueprint.operation("listOldGames", lifetime=Lifetime(DEPRECATED, SUNSET, "/v1/games"))
    @blueprint.response(200, Index)
    def list_old() -> Response:
        """List the games of old."""
        return json_response({"name": "old", "links": {}}, headers={"Link": '</v0/games>; rel="next"'})

    @blueprint.route("/v0/games/<game>")
    @blueprint.operation("getOldGame", "not_found", lifetime=Lifetime(DEPRECATED))
    @blueprint.response(200, Index)
    def get_old(game: str) -> Response:
        """Read a game of old."""
        raise Problem("not_found", f"There is no {game}.")

    return blueprint


@pytest.fixture
def at(app: Flask, play: Play) -> At:
    """A client of an application with such operations, at a moment of the test's choice."""
    app.extensions["flask-smorest"]["apis"][""]["ext_obj"].register_blueprint(ending_operations())

    def moved(now: datetime) -> FlaskClient:
        play.clock = lambda: int(now.timestamp() * 1000)
        return app.test_client()

    return moved


def links(answer: Response) -> set[str]:
    return {word for link in answer.headers.getlist("Link") for word in link.split("; ") if "rel=" in word}


def test_each_answer_of_such_an_operation_says_since_when_and_until_when(at: At) -> None:
    client = at(SUNSET - SECOND)
    answer = client.get("/v0/games")
    assert answer.status_code == 200
    assert parse(answer.headers["Deprecation"].encode(), tltype="item")[0] == DEPRECATED
    assert answer.headers["Deprecation"] == f"@{int(DEPRECATED.timestamp())}"
    assert parsedate_to_datetime(answer.headers["Sunset"]) == SUNSET
    assert links(answer) == {'rel="deprecation"', 'rel="sunset"', 'rel="successor-version"', 'rel="next"'}
    assert '</v1/games>; rel="successor-version"' in answer.headers.getlist("Link")
    refused = client.get("/v0/games/chess")
    problem(refused, 404, "not_found")
    assert refused.headers["Deprecation"] == answer.headers["Deprecation"]
    assert "Sunset" not in refused.headers


def test_after_its_last_second_it_is_gone_and_says_where_to_go(at: At) -> None:
    for moment in (SUNSET, SUNSET + 1000 * SECOND):
        refused = at(moment).get("/v0/games")
        document = problem(refused, 410, "gone")
        assert "/v1/games" in document["detail"]
        assert 'rel="successor-version"' in links(refused)
    problem(at(SUNSET).get("/v0/games/chess"), 404, "not_found")


def test_the_description_says_so_too(at: At) -> None:
    document = yaml.safe_load(at(DEPRECATED).get("/openapi.yaml").text)
    for path, ends in (("/v0/games", True), ("/v0/games/{game}", True), ("/v1/games", False)):
        operation = document["paths"][path]["get"]
        assert operation.get("deprecated", False) is ends
        assert ("410" in operation["responses"]) is ends


def test_no_operation_of_today_says_that_it_ends(at: At) -> None:
    for path in ("/v1/games", "/v1/matches", "/", "/nothing"):
        assert not {"Deprecation", "Sunset"} & set(at(SUNSET).get(path).headers.keys())
