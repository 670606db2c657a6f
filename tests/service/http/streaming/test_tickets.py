"""Tickets: how a browser's EventSource gets in, once, and with no token in a URL."""

import logging
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.auth.api_keys import new_key
from service.auth.tickets import LIFETIME_S
from service.auth.tokens import digest
from service.matches.play import Play
from service.redis_store.api_keys import RedisApiKeys
from tests.service.http.stream_reader import SSE, caller_of, events
from tests.service.http.table import Table, lay, post, problem


def ticket_of(table: Table, who: str) -> str:
    """A fresh ticket."""
    told = post(table.client, f"{table.url}/tickets", {}, table.bearer(who))
    assert told.status_code == 201, told.text
    ticket: str = told.json["ticket"]
    return ticket


def refused(app: Flask, path: str) -> str:
    """The code by which a stream is refused."""
    with caller_of(app) as caller:
        answer = caller.get(path, headers={"Accept": SSE})
    assert answer.status_code == 401, answer.text
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    return str(answer.json()["code"])


@pytest.mark.parametrize("who", ["seat:0", "seat:1", "host"])
def test_a_ticket_shows_one_stream_as_its_holder_sees_it(
    app: Flask, client: FlaskClient, play: Play, who: str
) -> None:
    table = lay(client, play, 2)
    path = f"{table.url}/log?ticket={ticket_of(table, who)}"
    with events(app, path) as stream:
        assert orjson.loads(next(stream).data) == table.get(who=who).json
        table.step()
        assert next(stream).data.encode() == table.export(who)[-1]
    assert refused(app, path) == "ticket_invalid", "an EventSource that comes again needs a new one"


def test_a_ticket_says_until_when_it_is_good_and_is_not_kept_longer(
    app: Flask, client: FlaskClient, play: Play
) -> None:
    table = lay(client, play)
    told = post(client, f"{table.url}/tickets", {}, table.bearer("seat:0"))
    left = datetime.fromisoformat(told.json["expires_at"]).timestamp() - time.time()
    assert 0 < left <= LIFETIME_S
    assert told.headers["Cache-Control"] == "no-store"
    store = play.journal.client  # type: ignore[attr-defined]
    name = f"ticket:{digest(told.json['ticket'])}"
    assert 0 < store.ttl(name) <= LIFETIME_S
    store.pexpire(name, 1)
    time.sleep(0.01)
    assert refused(app, f"{table.url}/log?ticket={told.json['ticket']}") == "ticket_invalid"


def test_of_many_who_come_with_one_ticket_one_gets_in(app: Flask, client: FlaskClient, play: Play) -> None:
    table = lay(client, play).finish()
    path = f"{table.url}/log?ticket={ticket_of(table, 'seat:0')}"

    def come(_: int) -> int:
        with caller_of(app) as caller:
            return caller.get(path, headers={"Accept": SSE}).status_code

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(come, range(8))) == [200] + [401] * 7


def test_a_ticket_is_for_one_match_and_for_event_streams_only(
    app: Flask, client: FlaskClient, play: Play
) -> None:
    table, other = lay(client, play), lay(client, play)
    assert refused(app, f"{other.url}/log?ticket={ticket_of(table, 'host')}") == "ticket_invalid"
    assert refused(app, f"{table.url}/log?ticket=bricabrac_ticket_made-up") == "ticket_invalid"
    assert refused(app, f"{table.url}/log?ticket={table.tokens['host']}") == "ticket_invalid"
    shown = ticket_of(table, "host")
    for path in (f"/log?ticket={shown}", f"?ticket={shown}", f"/legal?ticket={shown}"):
        assert table.get(path).status_code in (401, 422)
    with events(app, f"{table.url}/log?ticket={shown}") as stream:
        assert next(stream).event == "match", "what was refused has not used it"


def test_only_who_may_look_gets_a_ticket(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    problem(post(client, f"{table.url}/tickets", {}), 401, "token_missing")
    problem(post(client, f"{table.url}/tickets", {}, {"Authorization": "Bearer x"}), 401, "token_unknown")
    problem(post(client, "/v1/matches/m_x/tickets", {}, table.bearer("host")), 404, "match_not_found")


def test_a_ticket_is_worth_nothing_once_its_holder_is(app: Flask, client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    ring = RedisApiKeys(play.journal.client)  # type: ignore[attr-defined]
    key, shown = new_key(ring, "a tool", [], 0)
    tickets = [
        post(client, f"{table.url}/tickets", {}, {"Authorization": f"Bearer {shown}"}).json["ticket"]
        for _ in range(2)
    ]
    with events(app, f"{table.url}/log?ticket={tickets[0]}") as stream:
        assert orjson.loads(next(stream).data)["viewer"] is None
    ring.revoke(key.id)
    assert refused(app, f"{table.url}/log?ticket={tickets[1]}") == "ticket_invalid"


def test_neither_a_ticket_nor_its_token_is_kept_or_written_down(
    app: Flask, client: FlaskClient, play: Play, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    table = lay(client, play)
    shown = ticket_of(table, "seat:0")
    store = play.journal.client  # type: ignore[attr-defined]
    kept = b"".join(store.dump(name) + name for name in store.scan_iter(match="ticket:*"))
    assert kept
    with events(app, f"{table.url}/log?ticket={shown}") as stream:
        next(stream)
    refused(app, f"{table.url}/log?ticket={shown}")
    written = "".join(record.getMessage() for record in caplog.records if record.name != "httpx")
    for secret in (shown, table.tokens["seat:0"]):
        assert secret.encode() not in kept
        assert secret not in written


def test_the_headers_of_a_stream_are_for_who_may_have_the_stream(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, private=True)
    stream = {"Accept": SSE}
    for query, status in (("?ticket=bricabrac_ticket_x", 401), ("", 401)):
        assert client.head(f"{table.url}/log{query}", headers=stream).status_code == status
    ahead = client.head(f"{table.url}/log?after=99", headers=stream | table.bearer("host"))
    assert ahead.status_code == 422
    assert client.head(f"{table.url}/log", headers=stream | table.bearer("host")).status_code == 200


def test_where_the_store_takes_nothing_there_is_no_ticket_and_the_problem_says_so(
    client: FlaskClient, play: Any
) -> None:
    table, store = lay(client, play), play.journal.client
    store.config_set("maxmemory", 1)
    try:
        refused = post(client, f"{table.url}/tickets", {}, table.bearer("host"))
    finally:
        store.config_set("maxmemory", 0)
    assert problem(refused, 503, "store_full")["code"]
    assert refused.headers["Retry-After"]


@pytest.mark.parametrize("body", [b"[]", b"{", b'{"colour": "red"}'])
def test_what_takes_no_body_refuses_one(client: FlaskClient, play: Play, body: bytes) -> None:
    table = lay(client, play)
    for part in ("tickets", "tokens"):
        problem(post(client, f"{table.url}/{part}", body, table.bearer("host")), 422, "validation_error")
    assert table.version == 1
