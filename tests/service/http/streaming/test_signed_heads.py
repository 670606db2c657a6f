"""Where a log ends for its reader its head is signed: in an export, lines to the end, the last event."""

import logging
from collections.abc import Mapping

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.bootstrap import bootstrap
from service.clock import milliseconds, now
from service.http.app import create_app
from service.log.public_keys import WELL_KNOWN, PublicKey, read_keys
from service.log.signed_head import SignedHead
from service.log.verify import verify
from service.matches.play import Play
from service.redis_store.journal import RedisJournal
from service.redis_store.signing_keys import PRIVATE
from tests.service.http.stream_reader import AT_ONCE, all_events, app_with, lines
from tests.service.http.table import JSON, NDJSON, Table, lay


def keys(client: FlaskClient) -> Mapping[str, PublicKey]:
    """What the service publishes."""
    return read_keys(client.get(WELL_KNOWN).data)


def check(signed: SignedHead, table: Table, version: int) -> None:
    """It is of the match at a version, signed just now, by a key that is published."""
    assert (signed.match, signed.version) == (table.id, version)
    assert abs(milliseconds(signed.at) - now()) < 60_000
    signed.check_signature(keys(table.client))
    assert signed.hash == orjson.loads(table.export()[version])["hash"]


def test_an_export_ends_with_its_head_for_everybody_at_every_version(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    for version in range(1, 4):
        for who in table.viewers:
            signed = verify(table.signed_export(who)).signed_head
            assert signed is not None
            check(signed, table, version)
        table.step()
    table.finish()
    verdict = verify(table.signed_export())
    assert verdict.complete
    assert verdict.signed_head is not None
    check(verdict.signed_head, table, table.version)


@pytest.mark.parametrize("query", ["?after=0", "?follow=true", "?follow=true&after=0"])
def test_whoever_reads_a_whole_log_to_its_end_gets_what_an_export_is(
    app: Flask, client: FlaskClient, play: Play, query: str
) -> None:
    table = lay(client, play).finish()
    with lines(app, f"{table.url}/log{query}") as stream:
        *log, trailer = list(stream)
    assert log == table.export()
    check(SignedHead.read(orjson.loads(trailer)["signed_head"]), table, table.version)


@pytest.mark.parametrize("query", ["?after=2", "?after=2&follow=true", "?follow=true"])
def test_a_part_of_a_log_has_no_trailer(client: FlaskClient, play: Play, query: str) -> None:
    table = lay(client, play)
    for _ in range(4):
        table.step()
    if "after" in query:
        table.finish()
    with lines(app_with(play, AT_ONCE), f"{table.url}/log{query}") as stream:
        parts = [orjson.loads(line) for line in stream if line]
    assert parts[-1]["version"] == table.version
    assert not any("signed_head" in part for part in parts)


def test_a_page_has_none_for_it_is_asked_for_again_and_again(client: FlaskClient, play: Play) -> None:
    page = lay(client, play).get("/log", headers={"Accept": JSON})
    assert page.json.keys() == {"items", "next", "status", "to_act", "version"}


@pytest.mark.parametrize("ending", ["finished", "closed"])
def test_the_last_event_has_the_head(app: Flask, client: FlaskClient, play: Play, ending: str) -> None:
    table = lay(client, play)
    if ending == "finished":
        table.finish()
    else:
        assert table.send({"type": "close_match"}, "host").status_code == 201
    for headers in ({}, {"Last_Event_ID": "1"}):
        end = orjson.loads(all_events(app, table, None, **headers)[-1].data)
        assert end.keys() == {"version", "status", "signed_head"}
        assert end["status"] == ending
        check(SignedHead.read(end["signed_head"]), table, table.version)


def test_many_readers_of_one_head_get_one_signature(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    clock_ms = now()
    trailers = {table.signed_export(who)[-1] for who in table.viewers for _ in range(5)}
    assert len(trailers) <= 1 + (now() - clock_ms) // 1000 + 1


def test_who_cannot_sign_answers_all_the_same(
    journal: RedisJournal, play: Play, caplog: pytest.LogCaptureFixture
) -> None:
    app = create_app(bootstrap(journal.client, play=play))
    table = lay(app.test_client(), play).finish()
    table.client.get(WELL_KNOWN)
    for name in journal.client.keys(PRIVATE + "*"):
        journal.client.delete(name)
    with caplog.at_level(logging.WARNING, "bricabrac"):
        whole = table.signed_export()
        end = orjson.loads(all_events(app, table, None)[-1].data)
    app.extensions["broadcaster"].close()
    assert orjson.loads(whole[-1])["version"] == table.version
    assert (end["version"], end["signed_head"]) == (table.version, None)
    assert len([line for line in caplog.messages if "heads are not signed" in line]) == 1


def test_an_export_that_a_client_has_is_not_sent_again_though_it_would_tell_another_time(
    client: FlaskClient, play: Play
) -> None:
    table = lay(client, play)
    first = table.get("/log", headers={"Accept": NDJSON})
    again = table.get("/log", headers={"Accept": NDJSON, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
