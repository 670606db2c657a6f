"""The log of requests: one line each by which an operator finds it again, and nothing that is a secret."""

import logging
import re
from dataclasses import replace
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient

from service.http.middleware.access_log import LOG
from service.matches.play import Play
from tests.service.http.table import NDJSON, Table, lay, post

TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Any:
    """What was logged since the last look, line by line."""
    caplog.set_level(logging.INFO, LOG.name)

    def since() -> list[dict[str, Any]]:
        found = [orjson.loads(record.getMessage()) for record in caplog.records if record.name == LOG.name]
        caplog.clear()
        return found

    return since


@pytest.fixture
def table(client: FlaskClient, play: Play) -> Table:
    return lay(client, play)


def test_a_request_is_a_line_with_what_was_asked_and_what_became_of_it(table: Table, lines: Any) -> None:
    lines()
    answer = table.get("?at=1", "seat:0", {"X-Request-ID": "mine.7"})
    (line,) = lines()
    assert answer.status_code == 200
    assert line.pop("ms") >= 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("at"))
    assert line == {
        "method": "GET",
        "route": "/v1/matches/<match_id>",
        "status": 200,
        "request_id": "mine.7",
    }


def test_a_refusal_is_a_line_with_its_code_and_the_id_that_the_caller_was_told(
    table: Table, lines: Any
) -> None:
    for path, method, code in (
        (f"{table.url}?at=9", "GET", "version_not_found"),
        ("/nothing/at/all", "GET", "not_found"),
        (table.url, "DELETE", "method_not_allowed"),
        ("/v1/matches", "POST", "unsupported_media_type"),
    ):
        lines()
        answer = table.client.open(path, method=method)
        (line,) = lines()
        assert (line["status"], line["code"]) == (answer.status_code, code)
        assert line["request_id"] == answer.json["request_id"] == answer.headers["X-Request-ID"]


def test_a_trace_that_the_request_belongs_to_is_logged_if_it_is_one(table: Table, lines: Any) -> None:
    lines()
    for sent in (TRACE, "00-xyz", "", TRACE.upper(), f"{TRACE}\\n"):
        table.get(headers={"traceparent": sent})
        (line,) = lines()
        assert line.get("trace_id") == (TRACE.split("-")[1] if sent == TRACE else None)


def test_no_line_has_a_token_a_query_a_body_or_a_path_of_the_callers(
    client: FlaskClient, play: Play, lines: Any
) -> None:
    table = lay(client, play, headers={"Idempotency-Key": "secret-idempotency-key"})
    for who in table.viewers:
        for part in ("", "/log", "/legal?limit=7", "/score", "?at=secret", "?ticket=secret", "/secret/path"):
            table.get(part, who)
            table.get(part, who, {"Accept": NDJSON, "If-None-Match": '"secret"'})
        table.send({"type": "secret"}, who)
    table.client.get(
        "/secret", headers={"Authorization": "Bearer bricabrac_secret", "X-Request-ID": "se cret"}
    )
    table.client.open("/", method="METHODSECRET")
    written = orjson.dumps(lines()).decode()
    assert table.id not in written
    assert "secret" not in written.lower()
    for token in table.tokens.values():
        assert token not in written
    assert set(orjson.loads(written)[0]) == {"at", "method", "route", "status", "ms", "request_id"}


def test_a_fault_of_ours_is_found_in_the_log_by_the_id_that_the_caller_was_told(
    client: FlaskClient, play: Play, caplog: pytest.LogCaptureFixture
) -> None:
    table = lay(client, play)
    found = client.application.extensions["dependencies"]
    client.application.extensions["dependencies"] = replace(found, play=None)
    answer = table.get("?at=1", headers={"X-Request-ID": "find.me"})
    assert (answer.status_code, answer.json["request_id"]) == (500, "find.me")
    (fault,) = (record for record in caplog.records if record.levelno >= logging.ERROR)
    assert "find.me" in fault.getMessage()
    assert "/v1/matches/<match_id>" in fault.getMessage()
    assert table.id not in fault.getMessage()


def test_where_nobody_listens_nothing_is_written(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    post(table.client, "/v1/matches", {})
    assert [record for record in caplog.records if record.name == LOG.name] == []
