"""The form of an answer is the one that the caller likes best of those that there are."""

import pytest
from flask.testing import FlaskClient

from service.matches.play import Play
from tests.service.http.table import JSON, NDJSON, Table, lay, problem


@pytest.fixture
def table(client: FlaskClient, play: Play) -> Table:
    return lay(client, play)


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("application/json; charset=utf-8", JSON),
        ("APPLICATION/JSON", JSON),
        ("application/*", JSON),
        ("application/x-ndjson, application/json;q=0.5", NDJSON),
        ("application/x-ndjson;q=0.4, application/json;q=0.5", JSON),
        ("application/json, application/x-ndjson", JSON),
        ("application/json;q=0, */*", NDJSON),
        ("application/*;q=0.1, application/x-ndjson", NDJSON),
        ("text/html, */*;q=0.1", JSON),
        (" */* ", JSON),
    ],
)
def test_the_form_that_is_liked_best_is_given(table: Table, accept: str, form: str) -> None:
    assert table.get("/log", headers={"Accept": accept}).mimetype == form


def test_a_write_whose_answer_could_not_be_read_is_refused_before_it_is_done(table: Table) -> None:
    who = table.acting
    move = table.legal(who)[0]
    problem(table.send(move, who, {"Accept": "text/html"}), 406, "not_acceptable")
    assert table.version == 1
    assert table.send(move, who, {"Accept": "application/*"}).status_code == 201
