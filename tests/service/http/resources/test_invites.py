"""Invites over HTTP: who comes to a private match, with codes that are shown once and used once."""

from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.matches.play import Play
from tests.service.http.table import Table, lay, named, post, private_table, problem

KEY = {"Idempotency-Key": "a-key-of-sixteen-or-more"}
OTHER_KEY = {"Idempotency-Key": "another-key-than-before"}
CLOSE = {"type": "close_match"}


def take(table: Table, **body: Any) -> TestResponse:
    return post(table.client, f"{table.url}/seats", {"name": "Zoe", **body})


def joined(table: Table, answer: TestResponse) -> Table:
    assert answer.status_code == 201, answer.json
    return replace(table, tokens={**table.tokens, **answer.json["tokens"]})


def test_a_private_match_fills_by_invites_each_used_once(client: FlaskClient, play: Play) -> None:
    table = private_table(client, play, [{"name": "Ann"}, {"open": True}, {"open": True}])
    any_seat, last_seat = table.invite(), table.invite(seat=2)
    assert any_seat != last_seat
    for body, rule in (
        ({}, "invite_required"),
        ({"invite": "x"}, "invite_unknown"),
        ({"invite": last_seat, "seat": 1}, "invite_for_other_seat"),
    ):
        assert problem(take(table, **body), 409, "illegal_command")["rule"] == rule
    table = joined(table, take(table, invite=last_seat, name="Bob"))
    assert table.get(who="seat:2").json["viewer"] == 2
    assert problem(take(table, invite=last_seat), 409, "illegal_command")["rule"] == "invite_unknown"
    table = joined(table, take(table, invite=any_seat))
    assert table.get(who="host").json["status"] == "playing"


def test_the_log_never_has_an_invites_code(client: FlaskClient, play: Play) -> None:
    table = private_table(client, play, [{"name": "Ann"}, {"open": True}])
    codes = [table.invite(), table.invite(to="spectator")]
    table = joined(table, take(table, invite=codes[0]))
    joined(table, post(client, f"{table.url}/spectators", {"invite": codes[1]}))
    log = table.get("/log", "host").text + str(play.journal.head(table.id))
    assert "invite_used" in log
    for code in codes:
        assert code.removeprefix("bricabrac_invite_") not in log


def test_a_repeated_issue_or_admission_is_the_first_one_again(client: FlaskClient, play: Play) -> None:
    table = private_table(client, play)
    first = table.send({"to": "spectator"}, "host", KEY, "/invites")
    again = table.send({"to": "spectator"}, "host", KEY, "/invites")
    assert (again.data, again.headers["Idempotent-Replayed"]) == (first.data, "true")
    body = {"invite": first.json["invite"]["code"]}
    admitted = post(client, f"{table.url}/spectators", body, OTHER_KEY)
    same = post(client, f"{table.url}/spectators", body, OTHER_KEY)
    assert (same.data, same.headers["Idempotent-Replayed"]) == (admitted.data, "true")
    assert table.get(who="host").json["version"] == 3
    other = post(client, f"{table.url}/spectators", body)
    assert problem(other, 409, "illegal_command")["rule"] == "invite_unknown"


def test_open_invites_are_listed_without_their_codes(client: FlaskClient, play: Play) -> None:
    table = private_table(client, play, [{"name": "Ann"}, {"open": True}])
    codes = [table.invite(**body) for body in ({}, {"to": "spectator"}, {"seat": 1})]
    listed = table.get("/invites", "host")
    assert [(item["id"], item["to"], item["seat"]) for item in listed.json["items"]] == [
        (1, "seat", None),
        (2, "spectator", None),
        (3, "seat", 1),
    ]
    assert not [code for code in codes if code in listed.text]
    assert client.delete(f"{table.url}/invites/1", headers=table.bearer("host")).status_code == 200
    problem(client.delete(f"{table.url}/invites/1", headers=table.bearer("host")), 409, "illegal_command")
    assert problem(take(table, invite=codes[0]), 409, "illegal_command")["rule"] == "invite_unknown"
    joined(table, take(table, invite=codes[2]))
    assert [item["id"] for item in table.get("/invites", "host").json["items"]] == [2]


def test_a_spectator_looks_on_and_no_more(client: FlaskClient, play: Play) -> None:
    table = private_table(client, play, named("Ann", "Bob"))
    body = {"invite": table.invite(to="spectator")}
    table = joined(table, post(client, f"{table.url}/spectators", body))
    seen = table.get(who="spectator:1").json
    assert (seen["viewer"], seen["position"]) == (None, table.get(who="host").json["position"])
    problem(table.get("/legal", "spectator:1"), 403, "seat_required")
    problem(table.send({"type": "choose_column", "column": 1}, "spectator:1"), 403, "seat_required")
    problem(table.send(CLOSE, "spectator:1"), 403, "host_required")


def test_nobody_is_invited_to_a_public_match(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, [{"name": "Ann"}, {"open": True}])
    assert problem(table.send({}, "host", part="/invites"), 409, "illegal_command")["rule"] == "not_private"
    assert problem(take(table, invite="x"), 409, "illegal_command")["rule"] == "invite_unknown"


@pytest.mark.parametrize(
    ("part", "body", "pointer"),
    [
        ("/invites", {"to": "nobody"}, "/to"),
        ("/invites", {"seat": 16}, "/seat"),
        ("/invites", {"seat": "1"}, "/seat"),
        ("/invites", {"code": "x"}, "/code"),
        ("/spectators", {}, "/invite"),
        ("/spectators", {"invite": ""}, "/invite"),
        ("/spectators", {"invite": 7}, "/invite"),
        ("/seats", {"name": "Zoe", "invite": ""}, "/invite"),
        ("/seats", {"name": "Zoe", "invite": "x" * 201}, "/invite"),
    ],
)
def test_bad_bodies_are_refused_with_a_pointer(
    client: FlaskClient, play: Play, part: str, body: Any, pointer: str
) -> None:
    table = private_table(client, play, [{"name": "Ann"}, {"open": True}])
    answer = problem(table.send(body, "host", part=part), 422, "validation_error")
    assert answer["errors"][0]["pointer"] == pointer


def test_the_invites_come_in_pages_and_each_once(client: FlaskClient, play: Play) -> None:
    table = private_table(client, play, [{"name": "Ann"}, {"open": True}])
    for _ in range(7):
        table.invite(to="spectator")
    path, pages = "/invites?limit=3", list[list[int]]()
    while path:
        told = table.get(path, "host")
        pages.append([item["id"] for item in told.json["items"]])
        following = told.json["next"]
        path = f"/invites?limit=3&cursor={following}" if following else ""
        link = told.headers.get("Link", "")
        assert link == (f'<{table.url}{path}>; rel="next"' if path else "")
        assert len(pages) < 9
    assert pages == [[1, 2, 3], [4, 5, 6], [7]]
    exactly = table.get("/invites?limit=7", "host").json
    assert (len(exactly["items"]), exactly["next"]) == (7, None)
    table.client.delete(f"{table.url}/invites/3", headers=table.bearer("host"))
    after = table.get("/invites?limit=3&cursor=3", "host").json
    assert [item["id"] for item in after["items"]] == [4, 5, 6], "a cursor leads on though its invite is gone"
    for query in ("limit=0", "limit=201", "cursor=x", "cursor=-1", "cursor=%D9%A1", "cursor=", "page=2"):
        problem(table.get(f"/invites?{query}", "host"), 422, "validation_error")
