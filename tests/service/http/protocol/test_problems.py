"""Every refusal, from every layer, is a problem document that says what to do."""

from io import BytesIO

import pytest
from flask.testing import FlaskClient

from service.http.protocol.problems import KINDS
from service.matches.play import Play
from tests.service.http.table import NDJSON, PROBLEM, Table, lay, post, problem

LARGE = b'{"game": "' + b"x" * 70_000 + b'"}'
NO_MATCH = "/v1/matches/m_" + "a" * 26


@pytest.fixture
def table(client: FlaskClient, play: Play) -> Table:
    return lay(client, play)


@pytest.mark.parametrize("code", KINDS)
def test_the_type_of_a_problem_leads_to_its_explanation(client: FlaskClient, code: str) -> None:
    explained = client.get(f"/problems/{code}")
    assert explained.status_code == 200
    assert (explained.json["code"], explained.json["status"]) == (code, KINDS[code].status)
    assert explained.json["remedy"].endswith(".")
    assert explained.json["meaning"].endswith(".")
    example = explained.json["example"]
    assert (example["type"], example["status"]) == (f"/problems/{code}", KINDS[code].status)


def test_a_refusal_names_the_request_and_where_its_kind_is_explained(client: FlaskClient) -> None:
    for sent in ("the-callers.own_id-1", "no word, this", "x" * 129, ""):
        refused = client.get(NO_MATCH, headers={"X-Request-ID": sent})
        document = problem(refused, 404, "match_not_found")
        assert (document["request_id"] == sent) is (sent == "the-callers.own_id-1")
        assert client.get(document["type"]).json["code"] == "match_not_found"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/v1/nothing", "not_found"),
        ("/v1/matches/", "not_found"),
        ("/v1/matches/x/y/z", "not_found"),
        ("/problems/no_such_problem", "not_found"),
        ("/v1/games/chess", "game_not_found"),
        ("/v1/games/%ED%A0%80", "game_not_found"),
        (NO_MATCH, "match_not_found"),
        (f"{NO_MATCH}/log", "match_not_found"),
        (f"{NO_MATCH}/legal", "match_not_found"),
        (f"{NO_MATCH}/score", "match_not_found"),
        ("/v1/matches/m_short", "match_not_found"),
        ("/v1/matches/%00%0a%ff", "match_not_found"),
        (f"/v1/matches/{'m' * 4000}", "match_not_found"),
        (f"{NO_MATCH.upper()}", "not_found"),
    ],
)
def test_what_is_not_there_is_404(client: FlaskClient, path: str, code: str) -> None:
    problem(client.get(path), 404, code)


def test_writing_to_a_match_that_is_not_there_is_404_and_makes_none(client: FlaskClient) -> None:
    for path in (f"{NO_MATCH}/commands", f"{NO_MATCH}/seats", "/v1/matches/m_x/commands"):
        problem(post(client, path, {"name": "Ann"}), 404, "match_not_found")
    problem(client.get(NO_MATCH), 404, "match_not_found")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "BREW"])
def test_a_method_that_a_path_has_not_is_405_with_those_that_it_has(table: Table, method: str) -> None:
    for path, allowed in (
        ("/v1/matches", {"GET", "HEAD", "OPTIONS", "POST"}),
        (table.url, {"GET", "HEAD", "OPTIONS"}),
        (f"{table.url}/commands", {"OPTIONS", "POST"}),
        ("/livez", {"GET", "HEAD", "OPTIONS"}),
    ):
        refused = table.client.open(path, method=method)
        problem(refused, 405, "method_not_allowed")
        assert set(refused.headers["Allow"].split(", ")) == allowed


@pytest.mark.parametrize("accept", ["text/html", "image/png, text/plain", "application/*;q=0, text/*;q=0"])
def test_a_log_that_cannot_be_had_as_asked_is_406_and_says_how_it_can(table: Table, accept: str) -> None:
    refused = problem(table.get("/log", headers={"Accept": accept}), 406, "not_acceptable")
    assert "application/json" in refused["detail"]
    assert NDJSON in refused["detail"]


@pytest.mark.parametrize("path", ["/v1/matches", "{match}/commands", "{match}/seats"])
def test_a_body_that_is_too_large_is_413_with_a_length_and_without(table: Table, path: str) -> None:
    path = path.format(match=table.url)
    problem(post(table.client, path, LARGE, table.bearer("seat:0")), 413, "content_too_large")
    chunked = table.client.post(
        path,
        input_stream=BytesIO(LARGE),
        headers=table.bearer("seat:0"),
        content_type="application/json",
        environ_overrides={"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"},
    )
    problem(chunked, 413, "content_too_large")
    assert table.version == 1


@pytest.mark.parametrize("path", ["/v1/matches", "{match}/commands", "{match}/seats"])
@pytest.mark.parametrize(
    "media_type", [None, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "json"]
)
def test_a_body_that_is_not_json_by_its_type_is_415(table: Table, path: str, media_type: str | None) -> None:
    refused = table.client.post(
        path.format(match=table.url), data=b"{}", headers=table.bearer("seat:0"), content_type=media_type
    )
    problem(refused, 415, "unsupported_media_type")
    assert table.version == 1


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("?at=0", "/at"),
        ("?at=-1", "/at"),
        ("?at=x", "/at"),
        ("?at=", "/at"),
        ("?at=1.0", "/at"),
        ("?at=99999999999999999999", "/at"),
        ("/legal?limit=0", "/limit"),
        ("/legal?limit=1001", "/limit"),
        ("/log?after=-1", "/after"),
        ("/log?after=now", "/after"),
        ("/log?limit=501", "/limit"),
        (f"/log?after={'9' * 5000}", "/after"),
        ("?version=1", "/version"),
        ("/log?from=3", "/from"),
        ("/legal?max=3", "/max"),
    ],
)
def test_a_query_that_cannot_be_meant_is_422_and_points_at_it(table: Table, query: str, pointer: str) -> None:
    document = problem(table.get(query, "seat:0"), 422, "validation_error")
    assert [error["pointer"] for error in document["errors"]] == [pointer]


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=201",
        "status=over",
        "cursor=%E2%98%83",
        "cursor=!!!",
        "cursor=a",
        "cursor=AAAA",
        f"cursor={'A' * 101}",
    ],
)
def test_a_list_query_that_cannot_be_meant_is_422(client: FlaskClient, query: str) -> None:
    document = problem(client.get(f"/v1/matches?{query}"), 422, "validation_error")
    assert [error["pointer"] for error in document["errors"]] == [f"/{query.partition('=')[0]}"]


def test_a_version_that_the_match_has_not_reached_is_404(table: Table) -> None:
    problem(table.get("?at=2"), 404, "version_not_found")
    assert table.get("?at=1").status_code == 200


def test_a_read_is_never_refused_for_a_precondition_in_another_shape_than_a_problem(table: Table) -> None:
    table.step()
    for part in ("", "/log", "/score"):
        read = table.get(part, headers={"If-Match": '"v1"'})
        assert read.status_code < 400 or read.content_type == PROBLEM


def test_a_server_that_is_not_ready_says_so_as_a_problem_too(client: FlaskClient, play: Play) -> None:
    store = play.journal.client  # type: ignore[attr-defined]
    store.config_set("appendfsync", "everysec")
    try:
        unready = client.get("/readyz")
    finally:
        store.config_set("appendfsync", "always")
    assert unready.status_code == 503
    assert "everysec" in unready.json["checks"]["durability"]
    assert unready.content_type == PROBLEM
