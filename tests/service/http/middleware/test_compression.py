"""Compression: smaller where it is asked for, the same content and versions, never around a secret."""

import gzip
import zlib
from typing import Any

import orjson
import pytest
from flask import Flask, Response
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.http.pages.assets import url_of
from service.log.verify import verify
from service.matches.play import Play
from tests.service.http.table import NDJSON, Table, lay, named, post

GZIP = {"Accept-Encoding": "gzip, deflate, br"}
PLAIN = {"Accept-Encoding": "identity"}


@pytest.fixture
def table(client: FlaskClient, play: Play) -> Table:
    return lay(client, play, seats=4)


def packed(answer: TestResponse) -> bool:
    return answer.headers.get("Content-Encoding") == "gzip"


@pytest.mark.parametrize(
    "path",
    [
        "/v1/games/whatnot",
        "{match}",
        "{match}/log",
        "/openapi.yaml",
        "/docs",
        "/problems",
        url_of("pages.css"),
    ],
)
def test_what_is_large_comes_packed_to_who_accepts_it_and_is_the_same(table: Table, path: str) -> None:
    path = path.format(match=table.url)
    plain, small = (table.client.get(path, headers=headers) for headers in (PLAIN, GZIP))
    assert packed(small)
    assert gzip.decompress(small.data) == plain.data
    assert int(small.headers["Content-Length"]) == len(small.data) < len(plain.data)
    assert small.headers["ETag"] != plain.headers["ETag"], "they are not the same bytes"
    for answer in (plain, small):
        assert "Accept-Encoding" in answer.headers["Vary"].split(", ")
    assert not packed(plain)


@pytest.mark.parametrize("accept", [None, "", "br", "identity", "gzip;q=0", "*;q=0, gzip;q=0"])
def test_nothing_comes_packed_to_who_does_not_accept_it(table: Table, accept: str | None) -> None:
    answer = table.get(headers={} if accept is None else {"Accept-Encoding": accept})
    assert not packed(answer)
    assert answer.json["id"] == table.id


def test_what_is_small_is_left_as_it_is(client: FlaskClient) -> None:
    assert not packed(client.get("/v1/games", headers=GZIP))


def test_a_tag_from_a_packed_answer_is_as_good_as_one_from_a_plain_one(table: Table) -> None:
    for asked in (GZIP, PLAIN):
        tag = table.get(who="seat:0", headers=asked).headers["ETag"]
        for later in (GZIP, PLAIN):
            answer = table.get(who="seat:0", headers={**later, "If-None-Match": tag})
            assert (answer.status_code, answer.data) == (304, b"")
            assert "Content-Encoding" not in answer.headers
            whole = table.get(who="seat:0", headers=later)
            assert answer.headers["ETag"] == whole.headers["ETag"], "the tag that the answer itself has"
        who = table.acting
        assert table.send(table.legal(who)[0], who, {"If-Match": tag}).status_code == 201


def test_answers_with_tokens_or_to_commands_are_never_packed(client: FlaskClient, play: Play) -> None:
    body = {"game": "whatnot", "seats": [*named("Ann", "Bob"), {"open": True}]}
    created = post(client, "/v1/matches", body, GZIP)
    assert len(created.data) > 1000
    table = Table(client, play, created.json["match"]["id"], created.json["tokens"])
    seated = post(client, f"{table.url}/seats", {"name": "Cy"}, GZIP)
    table = Table(client, play, table.id, table.tokens | seated.json["tokens"])
    moved = table.send(table.legal(table.acting)[0], table.acting, GZIP)
    for answer in (created, seated, moved):
        assert (answer.status_code, packed(answer)) == (201, False)


def test_an_export_is_packed_as_it_is_sent_and_verifies(quick_client: FlaskClient, quick_play: Play) -> None:
    table = lay(quick_client, quick_play, 3, game="nonsense").finish()
    asked = {"Accept": NDJSON, "Accept-Encoding": "gzip"}
    answer = table.client.get(f"{table.url}/log", headers=asked)
    parts = list(answer.response)
    assert packed(answer)
    assert "Content-Length" not in answer.headers
    assert len(parts) > 2, "it is not gathered first"
    lines = zlib.decompress(b"".join(parts), 31).splitlines()
    assert lines[:-1] == table.export()
    assert verify(lines) is not None


def test_streams_that_do_not_end_and_what_is_not_to_be_kept_stay_as_they_are(app: Flask) -> None:
    def endless(media_type: str, **headers: str) -> Any:
        return lambda: Response(
            (b"x" * 2000 for _ in range(3)),
            content_type=media_type,
            headers={name.replace("_", "-"): value for name, value in headers.items()},
        )

    app.add_url_rule("/events", view_func=endless("text/event-stream", ETag='"v1"'), endpoint="events")
    app.add_url_rule("/follow", view_func=endless(NDJSON), endpoint="follow")
    app.add_url_rule(
        "/kept", view_func=endless(NDJSON, ETag='"v1"', Cache_Control="no-store"), endpoint="kept"
    )
    app.add_url_rule("/ends", view_func=endless(NDJSON, ETag='"v1"'), endpoint="ends")
    client = app.test_client()
    for path in ("/events", "/follow", "/kept"):
        answer = client.get(path, headers=GZIP)
        assert not packed(answer), path
        assert answer.data == b"x" * 6000
    assert packed(client.get("/ends", headers=GZIP)), "and what ends is packed"


def test_a_packed_answer_is_json_still(table: Table) -> None:
    answer = table.get(headers=GZIP)
    assert answer.content_type == "application/json"
    assert orjson.loads(gzip.decompress(answer.data))["id"] == table.id
