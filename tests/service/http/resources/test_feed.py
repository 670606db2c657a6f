"""The feed of all matches: what a key may see, at least once, in all forms, from where one was."""

import threading
from typing import Any
from urllib.parse import urlencode

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.auth.api_keys import new_key
from service.clock import now
from service.live import feed_cursor
from service.live.feed_window import Positions
from service.live.stream_slots import StreamLimits
from service.matches.play import Play
from service.redis_store.api_keys import RedisApiKeys
from service.redis_store.deployment import RedisDeployment
from service.redis_store.feed import Feed
from tests.service.http.stream_reader import (
    AT_ONCE,
    SSE,
    TALKATIVE,
    app_with,
    caller_of,
    events,
    lines,
    taken,
)
from tests.service.http.table import JSON, NDJSON, Table, lay, post, problem


@pytest.fixture
def ring(play: Any) -> RedisApiKeys:
    return RedisApiKeys(play.journal.client)


def bearer(ring: RedisApiKeys, *scopes: str) -> dict[str, str]:
    """A fresh key, as it is shown."""
    return {"Authorization": f"Bearer {new_key(ring, 'a tool', scopes, 0)[1]}"}


def page(client: FlaskClient, key: dict[str, str], query: str = "") -> Any:
    told = client.get(f"/v1/feed{query}", headers={"Accept": JSON, **key})
    assert told.status_code == 200, told.text
    return told.json


def beginning(play: Any) -> str:
    """A cursor before everything."""
    return sealed(play, (b"0-0",) * play.journal.keys.partitions)


def sealed(play: Any, positions: Positions, made: int | None = None) -> str:
    """The cursor of a place, as this service makes it."""
    return feed_cursor.written(positions, now() if made is None else made, secret(play))


def secret(play: Any) -> bytes:
    return RedisDeployment(play.journal.client).secret()


def versions(items: list[Any]) -> dict[str, list[int]]:
    """By match, the versions in the order in which they came."""
    found: dict[str, list[int]] = {}
    for item in items:
        found.setdefault(item["match"], []).append(item["version"])
    return found


def played(client: FlaskClient, play: Play) -> list[Table]:
    """Five matches, with a few commits each."""
    tables = [lay(client, play, 2) for _ in range(5)]
    for _ in range(4):
        for table in tables:
            table.step()
    return tables


def test_all_forms_give_every_commit_as_a_spectator_sees_it_from_any_cursor_on(
    app: Flask, client: FlaskClient, play: Play, ring: RedisApiKeys
) -> None:
    key, quick = bearer(ring), app_with(play, AT_ONCE)
    tables = played(client, play)
    everything = {orjson.loads(line)["hash"]: line for table in tables for line in table.export()[1:]}
    here, found = beginning(play), list[Any]()
    while True:
        for form in (SSE, NDJSON, "follow"):
            assert {orjson.loads(line)["hash"] for line in rest(quick, key, form, here)} == {*everything} - {
                item["hash"] for item in found
            }
        told = page(client, key, f"?limit=7&cursor={here}")
        if not told["items"]:
            break
        assert len(told["items"]) <= 7
        found += told["items"]
        here = told["cursor"]
    assert [orjson.loads(everything[item["hash"]]) for item in found] == found
    assert versions(found) == {table.id: [1, 2, 3, 4, 5] for table in tables}


def rest(app: Flask, key: dict[str, str], form: str, here: str) -> list[bytes]:
    """The commits after a cursor on a stream that ends at once."""
    if form == SSE:
        with events(app, "/v1/feed", {**key, "Last-Event-ID": here}) as stream:
            told = list(stream)
        with events(app, f"/v1/feed?{urlencode({'lastEventId': here})}", key) as stream:
            assert [event.data for event in stream if event.event == "commit"] == [
                event.data for event in told if event.event == "commit"
            ], "as the polyfills send it"
        assert told[0].event == told[-1].event == "cursor"
        return [event.data.encode() for event in told if event.event == "commit"]
    with lines(app, f"/v1/feed?cursor={here}" + ("&follow=true" if form == "follow" else ""), key) as written:
        return [line for line in written if line and not line.startswith(b'{"cursor"')]


def test_wherever_the_stream_of_all_is_cut_it_resumes_without_a_gap(
    client: FlaskClient, play: Play, ring: RedisApiKeys
) -> None:
    key, app = bearer(ring), app_with(play, TALKATIVE)
    with events(app, "/v1/feed", key) as stream:
        here = next(stream).id
    stop, tables = threading.Event(), [lay(client, play) for _ in range(3)]

    def keep_playing() -> None:
        while not stop.is_set():
            for table in tables:
                table.step()

    player = threading.Thread(target=keep_playing)
    player.start()
    found: list[Any] = []
    for cut in range(1, 12):
        with events(app, "/v1/feed", {**key, "Last-Event-ID": here}) as stream:
            for _, event in zip(range(cut), stream, strict=False):
                here = event.id
                if event.event == "commit":
                    found.append(orjson.loads(event.data))
    stop.set()
    player.join()
    with events(app_with(play, AT_ONCE), "/v1/feed", {**key, "Last-Event-ID": here}) as stream:
        found += [orjson.loads(event.data) for event in stream if event.event == "commit"]
    for table in tables:
        assert set(versions(found)[table.id]) == set(range(1, table.version + 1))


def test_a_key_sees_the_matches_that_it_may_see(client: FlaskClient, play: Play, ring: RedisApiKeys) -> None:
    some, every = bearer(ring), bearer(ring, "read-all")
    public, private = lay(client, play), lay(client, play, private=True)
    start = f"?cursor={beginning(play)}"
    assert versions(page(client, some, start)["items"]).keys() == {public.id}
    assert versions(page(client, every, start)["items"]).keys() == {public.id, private.id}
    told = page(client, some, start)["cursor"]
    assert page(client, some, f"?cursor={told}")["items"] == []


def test_without_a_cursor_it_begins_now_and_a_page_can_be_waited_for(
    app: Flask, client: FlaskClient, play: Play, ring: RedisApiKeys
) -> None:
    key = bearer(ring)
    table = lay(client, play)
    here = page(client, key)
    assert here["items"] == []
    assert page(client, key, f"?cursor={here['cursor']}&wait=1")["items"] == []
    waiting = threading.Timer(0.2, table.step)
    waiting.start()
    told = client.get("/v1/feed?wait=25", headers={"Accept": JSON, "Prefer": "wait=1", **key})
    waiting.join()
    assert [item["version"] for item in told.json["items"]] == [2]
    assert taken(app) == 0


def test_a_stream_of_all_is_live(app: Flask, client: FlaskClient, play: Play, ring: RedisApiKeys) -> None:
    with events(app, "/v1/feed", bearer(ring)) as stream:
        assert next(stream).event == "cursor"
        tables = [lay(client, play) for _ in range(3)]
        seen = set()
        while seen != {table.id for table in tables}:
            event = next(stream)
            seen |= {orjson.loads(event.data)["match"]} if event.event == "commit" else set()


def test_a_cursor_that_is_none_is_refused_and_one_too_old_is_said_to_be(
    client: FlaskClient, play: Any, ring: RedisApiKeys
) -> None:
    key, many = bearer(ring), play.journal.keys.partitions
    for word in ("x", "AAAA", "é", sealed(play, (b"0-0",) * (many - 1)), "-" * 200):
        told = client.get("/v1/feed", query_string={"cursor": word}, headers={"Accept": JSON, **key})
        assert problem(told, 422, "validation_error")["errors"][0]["pointer"] == "/cursor"
    told = client.get("/v1/feed", headers={"Accept": SSE, "Last-Event-ID": "x", **key})
    assert problem(told, 422, "validation_error")["errors"][0]["pointer"] == "/Last-Event-ID"
    old = sealed(play, (b"0-0",) * many, now() - feed_cursor.KEPT_MS - 1)
    problem(client.get(f"/v1/feed?cursor={old}", headers={"Accept": JSON, **key}), 410, "cursor_expired")


def test_only_an_api_key_opens_it_and_only_while_it_is_good(
    client: FlaskClient, play: Play, ring: RedisApiKeys
) -> None:
    table, app = lay(client, play), app_with(play, TALKATIVE)
    problem(client.get("/v1/feed"), 401, "token_missing")
    problem(client.get("/v1/feed", headers=table.bearer("seat:0")), 401, "token_missing")
    problem(client.get("/v1/feed", headers={"Authorization": "Bearer bricabrac_key_x"}), 401, "token_unknown")
    key, shown = new_key(ring, "a tool", [], 0)
    with events(app, "/v1/feed", {"Authorization": f"Bearer {shown}"}) as stream:
        next(stream)
        ring.revoke(key.id)
        assert [event.event for event in stream] == ["cursor"]


def test_a_ticket_opens_the_stream_of_all_once(
    app: Flask, client: FlaskClient, play: Play, ring: RedisApiKeys
) -> None:
    problem(post(client, "/v1/feed/tickets", {}), 401, "token_missing")
    table = lay(client, play)
    problem(post(client, "/v1/feed/tickets", {}, table.bearer("host")), 401, "token_missing")
    path = f"/v1/feed?ticket={post(client, '/v1/feed/tickets', {}, bearer(ring)).json['ticket']}"
    with events(app, path) as stream:
        assert next(stream).event == "cursor"
    with caller_of(app) as caller:
        assert caller.get(path, headers={"Accept": SSE}).json()["code"] == "ticket_invalid"
    of_match = post(client, f"{table.url}/tickets", {}, table.bearer("host")).json["ticket"]
    with caller_of(app) as caller:
        told = caller.get(f"/v1/feed?ticket={of_match}", headers={"Accept": SSE})
    assert told.json()["code"] == "ticket_invalid"
    of_feed = post(client, "/v1/feed/tickets", {}, bearer(ring)).json["ticket"]
    with caller_of(app) as caller:
        told = caller.get(f"{table.url}/log?ticket={of_feed}", headers={"Accept": SSE})
    assert told.json()["code"] == "ticket_invalid"


def test_streams_of_all_take_places_too(play: Play, ring: RedisApiKeys) -> None:
    app, key = app_with(play, StreamLimits(per_caller=1)), bearer(ring)
    with events(app, "/v1/feed", key) as stream:
        next(stream)
        for form, query in ((SSE, ""), (NDJSON, "?follow=true"), (JSON, "?wait=5")):
            told = app.test_client().get(f"/v1/feed{query}", headers={"Accept": form, **key})
            problem(told, 429, "too_many_streams")
    assert taken(app) == 0


def test_a_match_that_cannot_be_read_is_left_out_and_holds_up_no_other(
    client: FlaskClient, play: Any, ring: RedisApiKeys
) -> None:
    good, broken = lay(client, play), lay(client, play)
    play.journal.client.xdel(play.journal.keys.of_match(broken.id, "log"), "1-0")
    fresh = Play(play.journal)
    found = page(app_with(fresh, AT_ONCE).test_client(), bearer(ring), f"?cursor={beginning(play)}")
    assert versions(found["items"]) == {good.id: [1]}


def test_the_headers_of_a_stream_of_all_can_be_had_alone(client: FlaskClient, ring: RedisApiKeys) -> None:
    told = client.head("/v1/feed", headers={"Accept": SSE, **bearer(ring)})
    assert (told.status_code, told.mimetype, told.data) == (200, SSE, b"")
    assert client.head("/v1/feed", headers={"Accept": SSE}).status_code == 401


def test_the_cursor_moves_over_what_the_key_may_not_see_and_tells_nothing_of_it(
    client: FlaskClient, play: Any, ring: RedisApiKeys
) -> None:
    key, shown = bearer(ring), lay(client, play)
    hidden = lay(client, play, private=True)
    first = page(client, key, f"?cursor={beginning(play)}")
    assert set(versions(first["items"])) == {shown.id}
    hidden.step()
    later = page(client, key, f"?cursor={first['cursor']}&limit=1")
    assert later["items"] == []
    again = page(client, key, f"?cursor={first['cursor']}&limit=1")
    assert len({first["cursor"], later["cursor"], again["cursor"]}) == 3, (
        "wherever it leads it is another one"
    )
    assert len(first["cursor"]) == len(later["cursor"])
    partitions = play.journal.keys.partitions
    places = [
        feed_cursor.read(told["cursor"], partitions, now(), secret(play)) for told in (first, later, again)
    ]
    assert places[0] != places[1] == places[2]
    shown.step()
    assert versions(page(client, key, f"?cursor={later['cursor']}&limit=1")["items"]) == {shown.id: [2]}


@pytest.mark.parametrize("form", [JSON, NDJSON, SSE])
def test_a_cursor_after_which_commits_were_let_go_of_is_410_and_never_a_feed_with_gaps(
    client: FlaskClient, play: Any, ring: RedisApiKeys, form: str
) -> None:
    """As after a clock that was set two hours ahead: by position, however young the cursor is."""
    key = bearer(ring)
    here = page(client, key, "")["cursor"]
    table = lay(client, play)
    table.step()
    assert len(page(client, key, f"?cursor={here}")["items"]) == 2
    feed = Feed(play.journal.client, play.journal.keys.partitions, "relay", kept_ms=0)
    feed.prepare()
    while read := feed.new(0):
        feed.done(read)
    feed.trim()
    told = client.get("/v1/feed", query_string={"cursor": here}, headers={"Accept": form, **key})
    problem(told, 410, "cursor_expired")


def test_a_foreign_entry_in_the_feed_stops_nobody(client: FlaskClient, play: Any, ring: RedisApiKeys) -> None:
    key = bearer(ring, "read-all")
    here = page(client, key, "")["cursor"]
    for feed in play.journal.keys.every("feed"):
        play.journal.client.xadd(feed, {"foo": "bar"})
    table = lay(client, play)
    told = page(client, key, f"?cursor={here}")
    assert [item["match"] for item in told["items"]] == [table.id]
    assert page(client, key, f"?cursor={told['cursor']}")["items"] == []
