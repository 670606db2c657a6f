"""When the store fails, or what is in it is broken: answers are true, and nothing is lost or doubled."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.matches.play import Play
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from tests.service.http.table import Table, another_process, lay, named, post, problem

COLUMN = {"type": "choose_column", "column": 3}
KEY = {"Idempotency-Key": "a-key-of-sixteen-or-more"}
TABLE = {"game": "whatnot", "seats": named("Ann", "Bob")}


def test_while_the_store_is_away_nothing_is_read_and_no_write_is_called_done(
    own_server: EmbeddedServer,
) -> None:
    table = lay(*another_process(own_server))
    stranger = another_process(own_server)[0]
    who = table.acting
    own_server.stop()

    for path in ("", "/log", "/score"):
        refused = table.get(path)
        problem(refused, 503, "store_unavailable")
        assert int(refused.headers["Retry-After"]) >= 1
    problem(table.get("/legal", who), 503, "store_unavailable")
    problem(table.client.get("/v1/matches"), 503, "store_unavailable")
    unknown = table.send(COLUMN, who, KEY)
    problem(unknown, 503, "outcome_unknown")
    assert int(unknown.headers["Retry-After"]) >= 1
    problem(post(table.client, "/v1/matches", TABLE, KEY), 503, "outcome_unknown")
    problem(Table(stranger, table.play, table.id, table.tokens).send(COLUMN, who), 503, "store_unavailable")
    assert table.client.get("/livez").status_code == 200
    assert table.client.get("/readyz").json["checks"] == {"store": "does not answer"}

    own_server.start()
    answer = table.send(COLUMN, who, KEY)
    assert (answer.status_code, answer.json["version"]) == (201, 2), "the repeat gives the truth"
    assert table.version == 2


def test_a_fault_of_ours_is_a_problem_document_without_its_inside(
    app: Flask, client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    found = app.extensions["dependencies"]
    app.extensions["dependencies"] = replace(found, play="this plays nothing")
    for part in ("", "/log", "/score"):
        refused = client.get(f"/v1/matches/m_{'a' * 26}{part}", headers={"Accept": "application/json"})
        document = problem(refused, 500, "internal_error")
        assert "AttributeError" not in refused.text
        assert "Traceback" not in refused.text
        assert document["request_id"]
    assert "AttributeError" in caplog.text, "the operator finds it in the log"


@pytest.mark.parametrize("hurt", ["a commit is gone", "a commit is of another match"])
def test_a_log_that_does_not_hold_together_is_neither_shown_nor_continued(
    client: FlaskClient, play: Play, journal: RedisJournal, server: EmbeddedServer, hurt: str
) -> None:
    table, other = lay(client, play), lay(client, play)
    for _ in range(3):
        table.step()
        other.step()
    who = table.acting
    log, others = (journal.keys.of_match(match.id, "log") for match in (table, other))
    kept = dict(journal.client.xrange(log))
    kept.pop(b"3-0")
    if hurt == "a commit is of another match":
        kept[b"3-0"] = dict(journal.client.xrange(others))[b"3-0"]
    journal.client.delete(log)
    for id_ in sorted(kept):
        journal.client.xadd(log, kept[id_], id=id_)
    later = Table(*another_process(server), table.id, table.tokens)
    problem(later.get(), 503, "match_unreadable")
    problem(later.send(COLUMN, who), 503, "match_unreadable")
    assert lay(client, play).version == 1, "other matches go on"


@pytest.fixture
def full(journal: RedisJournal) -> Iterator[Any]:
    """Lets the store run out of memory until the test is over."""
    yield lambda: journal.client.config_set("maxmemory", 1)
    journal.client.config_set("maxmemory", 0)


def test_a_full_store_refuses_writes_as_its_own_trouble_and_nothing_is_changed(
    client: FlaskClient, play: Play, full: Any
) -> None:
    table = lay(client, play)
    who = table.acting
    full()
    refused = table.send(COLUMN, who, KEY)
    problem(refused, 503, "store_full")
    assert int(refused.headers["Retry-After"]) >= 1
    problem(post(client, "/v1/matches", TABLE), 503, "store_full")
    assert table.version == 1


def test_a_full_store_still_lets_a_long_match_be_read(
    client: FlaskClient, play: Play, server: EmbeddedServer, full: Any
) -> None:
    table = lay(client, play, 4).finish()
    seen = table.get()
    full()
    again = Table(*another_process(server), table.id, table.tokens).get()
    assert (again.status_code, again.data) == (200, seen.data)


def test_a_snapshot_that_cannot_be_read_costs_time_only(
    client: FlaskClient, play: Play, server: EmbeddedServer, journal: RedisJournal
) -> None:
    table = lay(client, play, 4).finish()
    key = journal.keys.of_match(table.id, "snap")
    assert journal.client.get(key) is None
    cold = Table(*another_process(server), table.id, table.tokens).get()
    snapshot = journal.client.get(key)
    assert snapshot, "a long log that was folded once leaves a snapshot"
    for kept in (snapshot, snapshot[:-9], b"\x80", b"", b"\xff" * 40):
        journal.client.set(key, kept)
        again = Table(*another_process(server), table.id, table.tokens).get()
        assert again.data == cold.data == table.get().data


def test_a_creation_repeated_after_its_answer_expired_harms_nobody(
    client: FlaskClient, play: Play, journal: RedisJournal
) -> None:
    table = lay(client, play, headers=KEY)
    who = table.acting
    (kept,) = (key for key in journal.client.scan_iter() if b":did:" in key)
    assert 0 < journal.client.ttl(kept) <= 24 * 60 * 60
    journal.client.delete(kept)  # a day has passed
    problem(post(client, "/v1/matches", TABLE, KEY), 422, "idempotency_key_reused")
    drawing = table.send({"type": "choose_column", "column": 1}, who)
    assert drawing.status_code == 201, "the process has not forgotten the seed, nor the tokens"
    for _ in range(8):
        table.step()
