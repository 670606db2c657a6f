"""One match that cannot be read harms nobody: it says why, and everything else goes on without it."""

import logging
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.auth.api_keys import new_key
from service.bootstrap import bootstrap
from service.clock import now
from service.http.streaming.forms import streamed
from service.live import feed_cursor
from service.matches.play import Play
from service.redis_store.api_keys import RedisApiKeys
from service.redis_store.dead_letters import DeadLetters
from service.redis_store.deployment import RedisDeployment
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from service.store.journal import StoreUnavailableError
from tests.service.http.stream_reader import AT_ONCE, SSE, TALKATIVE, app_with, caller_of, events
from tests.service.http.table import JSON, Table, another_process, lay, problem
from tests.service.redis_store.damage import EVERY, Damage, a_foreign_entry, a_head_without_its_hash, no_head

PARTS = ("", "?at=1", "/log", "/log?after=1", "/log?after=2&wait=1", "/legal", "/score")
COLUMN = {"type": "choose_column", "column": 3}


def two_tables(client: FlaskClient, play: Play) -> tuple[Table, Table]:
    tables = lay(client, play), lay(client, play)
    for _ in range(4):
        for table in tables:
            table.step()
    return tables


@pytest.fixture
def tables(client: FlaskClient, play: Play) -> tuple[Table, Table]:
    """Two matches that have begun; the first is about to be damaged."""
    return two_tables(client, play)


@pytest.mark.parametrize("name", EVERY)
def test_every_read_and_write_of_the_match_says_what_is_missing(
    tables: tuple[Table, Table], journal: RedisJournal, server: EmbeddedServer, name: str
) -> None:
    (table, other), (damage, reason) = tables, EVERY[name]
    who = table.acting
    damage(journal, table.id)
    cold = Table(*another_process(server), table.id, table.tokens)
    for part in PARTS:
        refused = cold.get(part, who)
        document = problem(refused, 503, "match_unreadable")
        assert int(refused.headers["Retry-After"]) >= 1
        assert reason in document["detail"]
    for form in (SSE, "application/x-ndjson"):
        problem(cold.get("/log", who, {"Accept": form}), 503, "match_unreadable")
    problem(cold.send(COLUMN, who), 503, "match_unreadable")
    assert other.get().status_code == 200


CONTRADICTED = (
    "no head",
    "no hash",
    "no log",
    "a foreign entry",
    "the last commit gone",
    "a commit in the middle gone",
)


@pytest.mark.parametrize("name", CONTRADICTED)
def test_a_process_that_has_the_match_cached_neither_shows_it_nor_plays_it_on(
    tables: tuple[Table, Table], journal: RedisJournal, name: str
) -> None:
    table, _ = tables
    who = table.acting
    body = table.legal(who)[0]
    EVERY[name][0](journal, table.id)
    entries = journal.client.xlen(journal.keys.of_match(table.id, "log"))
    problem(table.send(body, who), 503, "match_unreadable")
    for part in PARTS:
        problem(table.get(part, who), 503, "match_unreadable")
    assert journal.client.xlen(journal.keys.of_match(table.id, "log")) == entries, "nothing was added"


def ids(lines: Sequence[Any]) -> set[str]:
    return {line["match"] for line in lines}


@pytest.mark.parametrize("name", EVERY)
def test_the_feed_goes_on_without_it_and_says_so_once(
    tables: tuple[Table, Table],
    journal: RedisJournal,
    server: EmbeddedServer,
    name: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (table, other), (damage, _) = tables, EVERY[name]
    damage(journal, table.id)
    journal.client.xadd(journal.keys.shared(table.id, "feed"), {"foo": "bar"})
    _, cold = another_process(server)
    key = {"Authorization": f"Bearer {new_key(RedisApiKeys(journal.client), 'a tool', (), 0)[1]}"}
    here = feed_cursor.written(
        (b"0-0",) * journal.keys.partitions, now(), RedisDeployment(journal.client).secret()
    )
    app = app_with(cold, AT_ONCE)
    caplog.set_level(logging.WARNING)
    for _ in range(3):
        page = app.test_client().get(f"/v1/feed?cursor={here}", headers={"Accept": JSON, **key})
        assert page.status_code == 200, page.text
        assert ids(page.json["items"]) == {other.id}
        assert len(page.json["items"]) == other.version
        with events(app, "/v1/feed", {**key, "Last-Event-ID": here}) as stream:
            told = list(stream)
        assert ids([orjson.loads(each.data) for each in told if each.event == "commit"]) == {other.id}
        assert told[-1].event == "cursor", "it has come to its end"
    said = [
        record
        for record in caplog.records
        if table.id in record.getMessage() and "skips" in record.getMessage()
    ]
    assert len(said) == 1


def test_the_list_goes_on_without_a_match_whose_head_is_gone_or_whose_place_is_none(
    client: FlaskClient, play: Play, journal: RedisJournal
) -> None:
    tables = [lay(client, play) for _ in range(4)]
    no_head(journal, tables[1].id)
    journal.client.hdel(journal.keys.of_match(tables[2].id, "head"), "status")
    journal.client.zadd(
        journal.keys.shared(tables[0].id, "public"),
        {"foo": 0, b"\xff": 0, f"x-{tables[0].id}": 0, "//foo": 0, b"//\xff": 0, "//x-m_y/chess/open": 0},
    )
    for query in ("", "?game=whatnot", "?status=playing"):
        listed = client.get(f"/v1/matches{query}")
        assert listed.status_code == 200
        assert {item["id"] for item in listed.json["items"]} == {tables[0].id, tables[3].id}
        assert listed.json["next"] is None


@pytest.mark.parametrize("damage", [a_foreign_entry, no_head, a_head_without_its_hash])
def test_a_stream_of_a_match_that_can_no_longer_be_read_ends_after_a_whole_event(
    client: FlaskClient, play: Play, journal: RedisJournal, damage: Damage
) -> None:
    table, _ = two_tables(client, play)
    app = app_with(play, TALKATIVE)
    path = f"{table.url}/log?after=0"
    with caller_of(app) as caller, caller.stream("GET", path, headers={"Accept": SSE}) as stream:
        pieces = stream.iter_bytes()
        first = next(pieces)
        damage(journal, table.id)
        journal.client.xadd(
            journal.keys.shared(table.id, "feed"), {"match": table.id, "version": 6, "calls": ""}
        )
        whole = first + b"".join(pieces)
    assert whole.endswith(b"\n\n")
    app.extensions["broadcaster"].close()


@pytest.mark.parametrize("fault", [StoreUnavailableError("it is away"), RuntimeError("a fault of ours")])
def test_a_stream_in_which_something_fails_ends_after_its_last_whole_event(
    app: Flask, fault: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    closed = list[bool]()

    def written() -> Iterator[bytes]:
        yield b"event: commit\n\n"
        raise fault

    app.add_url_rule("/failing", view_func=lambda: streamed(written(), SSE, lambda: closed.append(True)))
    with caller_of(app) as caller:
        assert caller.get("/failing").content == b"event: commit\n\n"
    assert closed == [True]
    assert str(fault) in caplog.text, "the operator finds it in the log"


def doctor(server: EmbeddedServer, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "service.cli.main", "doctor"],
        env=os.environ | {"REDIS_URL": server.url} | more,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_doctor_lists_each_match_that_cannot_be_read_with_the_reason(
    client: FlaskClient, play: Play, journal: RedisJournal, server: EmbeddedServer
) -> None:
    sound = [two_tables(client, play)[0] for _ in range(2)]
    well = doctor(server)
    assert (well.returncode, well.stdout) == (0, ""), well.stderr
    ill = {
        lay(client, play).finish().id if name == "an edition" else two_tables(client, play)[0].id: name
        for name in EVERY
    }
    for match, name in ill.items():
        EVERY[name][0](journal, match)
    listed = lay(client, play).id
    journal.client.delete(*(journal.keys.of_match(listed, name) for name in ("head", "log")))
    before = journal.client.dbsize()
    found = doctor(server)
    told = dict(line.split(": ", 1) for line in found.stdout.splitlines())
    assert found.returncode == 1
    assert told.keys() == {*ill, listed}
    assert not {table.id for table in sound} & told.keys()
    for match, name in ill.items():
        assert EVERY[name][1] in told[match] or "head" in told[match], name
    assert "its head is gone" in told[listed]
    assert journal.client.dbsize() == before, "it changes nothing"


def test_the_doctor_lists_what_was_put_aside_and_nothing_of_what_stands_in_it(
    journal: RedisJournal, server: EmbeddedServer
) -> None:
    DeadLetters(journal.client).put("feed", b"1-0\n", {"seed": "a secret"}, "It names no match.")
    found = doctor(server)
    (line,) = found.stdout.splitlines()
    assert found.returncode == 1
    assert line.startswith("dead letter from feed, put aside at 20")
    assert line.endswith("It names no match.")
    assert "secret" not in found.stdout


def test_the_doctor_says_when_it_is_not_the_store_of_this_deployment(
    journal: RedisJournal, server: EmbeddedServer
) -> None:
    bootstrap(journal.client).deployment.claim(64)
    other = doctor(server, PARTITIONS="32")
    assert other.returncode == 1
    assert "PARTITIONS=64" in other.stderr
    assert "Traceback" not in other.stderr
