"""Waiting for a page: as soon as there is news, or an empty page in time; by query or by RFC 7240."""

import threading
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.auth.tokens import digest
from service.live.stream_slots import StreamLimits
from service.matches.play import Play
from service.matches.requests import Request
from tests.service.http.stream_reader import app_with, taken, waiting
from tests.service.http.table import Table, lay, problem


@pytest.mark.parametrize("how", [{"wait": "25"}, {"Prefer": "wait=25"}])
def test_a_page_that_is_waited_for_comes_with_the_next_commit(
    app: Flask, client: FlaskClient, play: Play, how: dict[str, str]
) -> None:
    table = lay(client, play, 2)
    after = f"?after={table.version}"
    query = after + (f"&wait={how['wait']}" if "wait" in how else "")
    prefer = {"Prefer": how["Prefer"]} if "Prefer" in how else {}
    asked = waiting(app, lambda: table.get(f"/log{query}", "seat:1", prefer))
    table.step()
    page = asked.result(30)
    assert page.json["items"] == table.get(f"/log{after}", "seat:1").json["items"]
    assert len(page.json["items"]) == 1
    assert page.headers.get("Preference-Applied") == prefer.get("Prefer")
    assert page.headers["ETag"] == f'"v2-{page.json["items"][0]["hash"][:16]}"'
    assert taken(app) == 0


def test_polling_on_and_on_gives_every_commit_of_a_match_once(
    app: Flask, client: FlaskClient, play: Play
) -> None:
    table = lay(client, play)
    player = threading.Thread(target=table.finish)
    player.start()
    found: list[Any] = []
    while True:
        page = table.get(f"/log?after={len(found)}&wait=25&limit=7").json
        found += page["items"]
        if not page["items"]:
            break
    player.join()
    assert [commit["version"] for commit in found] == list(range(1, table.version + 1))
    assert table.get().json["status"] == "finished"


def test_where_nothing_comes_the_page_is_empty_and_says_where_the_match_is(
    client: FlaskClient, play: Play
) -> None:
    table = lay(client, play)
    tag = {"If-None-Match": f'"v{table.version}"'}
    page = table.get(f"/log?after={table.version}&wait=1", headers=tag)
    stands = {name: table.get().json[name] for name in ("version", "status", "to_act")}
    assert (page.status_code, page.json) == (200, stands | {"items": [], "next": None})
    assert table.get("/log?wait=1", headers=tag).status_code == 200, "what was waited for is news"
    assert table.get("/log?wait=0", headers=tag).status_code == 304, "who does not wait is told as always"


def test_nothing_is_waited_for_that_is_there_or_can_not_come(
    app: Flask, client: FlaskClient, play: Play
) -> None:
    table = lay(client, play)
    assert len(table.get("/log?wait=25").json["items"]) == 1
    table.finish()
    assert table.get(f"/log?after={table.version}&wait=25").json["items"] == []


@pytest.mark.parametrize(
    ("prefer", "applied"),
    [
        ("wait=1", "wait=1"),
        ("respond-async, wait=2", "wait=2"),
        ('wait = "3"; x=y', "wait=3"),
        ("WAIT=600", "wait=25"),
        ("wait=soon", None),
        ("nowait=9", None),
        ("return=minimal", None),
    ],
)
def test_a_preference_is_answered_by_what_was_made_of_it(
    client: FlaskClient, play: Play, prefer: str, applied: str | None
) -> None:
    table = lay(client, play)
    told = table.get("/log?after=0", headers={"Prefer": prefer})
    assert told.status_code == 200
    assert told.headers.get("Preference-Applied") == applied


def test_who_waits_takes_a_place(client: FlaskClient, play: Play) -> None:
    table, app = lay(client, play), app_with(play, StreamLimits(per_caller=1))
    other = Table(app.test_client(), play, table.id, table.tokens)
    asked = waiting(app, lambda: other.get("/log?after=1&wait=25", "seat:0"))
    problem(other.get("/log?after=1&wait=25", "seat:0"), 429, "too_many_streams")
    assert other.get("/log?wait=25", "seat:0").status_code == 200, "what is there needs no place"
    table.step()
    assert asked.result(30).status_code == 200
    assert taken(app) == 0


def test_whose_token_was_replaced_while_he_waited_is_not_told_what_came(
    app: Flask, client: FlaskClient, play: Play
) -> None:
    table = lay(client, play, 2)
    asked = waiting(app, lambda: table.get("/log?after=1&wait=25", "seat:0"))
    loaded = play.load(table.id)
    seat = loaded.state.to_act[0]
    command = next(loaded.state.game.legal(loaded.state.position, seat))
    play.do(loaded, [command], Request(f"seat:{seat}", fields={"token:seat:0": digest("another")}))
    problem(asked.result(30), 401, "token_unknown")
