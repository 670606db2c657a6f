"""A lost token is no lost seat: the host hands the seat back, and its player returns with a code, once."""

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.log.verify import verify
from service.matches.play import Play
from service.run.embedded import EmbeddedServer
from service.webhooks.model import entitled
from tests.service.http.limited import limit
from tests.service.http.stream_reader import events
from tests.service.http.table import (
    NDJSON,
    Table,
    another_process,
    every_game,
    lay,
    named,
    post,
    private_table,
    problem,
)

KEY = {"Idempotency-Key": "a-key-of-sixteen-or-more"}
CLOSE = {"type": "close_match"}
TABLES = pytest.mark.parametrize("make", [lay, private_table], ids=["public", "private"])


def hand_back(table: Table, seat: int, **headers: str) -> TestResponse:
    return table.send({}, "host", headers, f"/seats/{seat}/invite")


def code_for(table: Table, seat: int) -> str:
    answer = hand_back(table, seat)
    assert answer.status_code == 201, answer.json
    code: str = answer.json["invite"]["code"]
    return code


def back(table: Table, **body: Any) -> TestResponse:
    return post(table.client, f"{table.url}/seats", body)


def returned(table: Table, code: str) -> Table:
    answer = back(table, invite=code)
    assert answer.status_code == 201, answer.json
    return replace(table, tokens={**table.tokens, **answer.json["tokens"]})


@TABLES
@pytest.mark.parametrize("seats", [named("Ann", "Bob"), [*named("Ann", "Bob"), {"open": True}]])
def test_a_player_returns_to_their_seat_with_a_new_token_before_the_start_and_after(
    client: FlaskClient, play: Play, make: Any, seats: Any
) -> None:
    table = make(client, play, seats)
    before = table.get(who="host").json
    answer = hand_back(table, 1)
    invite = answer.json["invite"]
    assert (answer.json["version"], invite.keys()) == (2, {"id", "to", "seat", "code"})
    assert (invite["to"], invite["seat"]) == ("return", 1)
    problem(table.get(who="seat:1"), 401, "token_unknown")
    away = table.get(who="host").json
    assert [away[part] for part in ("seats", "status", "to_act", "position")] == [
        before[part] for part in ("seats", "status", "to_act", "position")
    ]
    answer = back(table, invite=invite["code"])
    assert (answer.status_code, answer.json["tokens"].keys()) == (201, {"seat:1"})
    assert (answer.json["match"]["viewer"], answer.json["match"]["seats"]) == (1, before["seats"])
    fresh = replace(table, tokens={**table.tokens, **answer.json["tokens"]})
    assert fresh.get(who="seat:1").json["viewer"] == 1
    problem(table.get(who="seat:1"), 401, "token_unknown")
    assert problem(back(table, invite=invite["code"]), 409, "illegal_command")["rule"] in (
        "invite_unknown",
        "invite_required",
    )


@pytest.mark.parametrize(("game", "seats"), every_game())
def test_the_match_goes_on_to_its_proof(client: FlaskClient, play: Play, game: str, seats: int) -> None:
    table = lay(client, play, seats, game=game)
    for _ in range(3):
        table.step()
    seat = next(number for number in range(seats) if f"seat:{number}" in table.tokens)
    table = returned(table, code_for(table, seat))
    log = table.finish().export()
    assert verify(log).complete
    assert b'"seat_reinvited"' in b"".join(log)


def test_the_log_says_that_the_seat_was_handed_back_and_never_has_the_code(
    client: FlaskClient, play: Play
) -> None:
    table = lay(client, play)
    code = code_for(table, 0)
    table = returned(table, code)
    one, two = table.get("/log?after=1").json["items"]
    assert (one["by"], one["command"]["type"]) == ("host", "reinvite_seat")
    assert [event["type"] for event in one["events"]] == ["seat_reinvited"]
    assert (two["by"], two["command"]["type"]) == ("seat:0", "resume_seat")
    assert [event["type"] for event in two["events"]] == ["invite_used", "seat_resumed"]
    kept = table.get("/log", "host", {"Accept": NDJSON}).text + str(play.journal.head(table.id))
    assert code.removeprefix("bricabrac_invite_") not in kept


def test_a_second_invite_back_ends_the_first(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    first, second = code_for(table, 1), code_for(table, 1)
    assert problem(back(table, name="Bob", invite=first), 409, "illegal_command")["rule"] == "invite_unknown"
    assert [item["to"] for item in table.get("/invites", "host").json["items"]] == ["return"]
    returned(table, second)
    assert table.get("/invites", "host").json["items"] == []


def test_after_a_revoked_invite_back_the_seat_waits_for_another(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    code = code_for(table, 1)
    assert client.delete(f"{table.url}/invites/1", headers=table.bearer("host")).status_code == 200
    problem(back(table, invite=code), 409, "illegal_command")
    problem(table.get(who="seat:1"), 401, "token_unknown")
    returned(table, code_for(table, 1))


def test_a_repeated_request_gets_the_same_code_and_a_repeated_return_the_same_token(
    client: FlaskClient, play: Play
) -> None:
    table = lay(client, play)
    first, again = hand_back(table, 1, **KEY), hand_back(table, 1, **KEY)
    assert (again.data, again.headers["Idempotent-Replayed"]) == (first.data, "true")
    body, key = {"invite": first.json["invite"]["code"]}, {"Idempotency-Key": "another-key-than-before"}
    taken, same = (post(client, f"{table.url}/seats", body, key) for _ in range(2))
    assert (same.data, same.headers["Idempotent-Replayed"]) == (taken.data, "true")
    assert table.version == 3
    problem(hand_back(table, 0, **KEY), 422, "idempotency_key_reused")


@TABLES
@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"name": "Bob"}, ["/name"]),
        ({"name": "Eve", "entropy": "00"}, ["/name", "/entropy"]),
        ({"entropy": "00"}, ["/entropy"]),
        ({"seat": "1"}, ["/seat"]),
        ({"code": "x"}, ["/code"]),
    ],
)
def test_who_returns_changes_nothing_about_the_seat(
    client: FlaskClient, play: Play, make: Any, body: Any, pointers: list[str]
) -> None:
    table = make(client, play, [*named("Ann", "Bob"), {"open": True}])
    code = code_for(table, 1)
    refused = problem(back(table, invite=code, **body), 422, "validation_error")
    assert [error["pointer"] for error in refused["errors"]] == pointers
    assert table.get(who="host").json["version"] == 2
    returned(table, code)


def test_an_invite_back_leads_to_its_own_seat_only(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, [*named("Ann", "Bob"), {"open": True}])
    code = code_for(table, 1)
    for seat in (0, 2):
        refused = problem(back(table, invite=code, seat=seat), 409, "illegal_command")
        assert refused["rule"] == "invite_for_other_seat"
    assert back(table, invite=code, seat=1).status_code == 201


@TABLES
def test_a_seat_is_taken_under_a_name_only(client: FlaskClient, play: Play, make: Any) -> None:
    table = make(client, play, [{"name": "Ann"}, {"open": True}])
    for body in ({}, {"seat": 1}):
        assert problem(back(table, **body), 422, "validation_error")["errors"][0]["pointer"] == "/name"
    assert problem(back(table, invite="x"), 409, "illegal_command")["rule"] == "invite_unknown"
    if make is private_table:
        code = table.invite()
        assert problem(back(table, invite=code), 422, "validation_error")["errors"][0]["pointer"] == "/name"
        assert back(table, invite=code, name="Bob").status_code == 201


def test_only_a_seat_that_a_player_holds_is_handed_back_and_only_before_the_end(
    client: FlaskClient, play: Play
) -> None:
    table = lay(client, play, [*named("Ann", "Bob"), {"bot": "random"}, {"open": True}])
    assert client.delete(f"{table.url}/seats/1", headers=table.bearer("seat:1")).status_code == 200
    for seat in (1, 2, 3, 4, 99):
        assert problem(hand_back(table, seat), 409, "illegal_command")["rule"] == "no_player_seated"
    code = code_for(table, 0)
    assert table.send(CLOSE, "host").status_code == 201
    problem(hand_back(table, 0), 409, "match_over")
    problem(back(table, invite=code), 409, "match_over")


def test_a_host_who_plays_gets_their_own_seat_back(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, named("Ann"))
    table = returned(table, code_for(table, 0))
    assert table.get(who="seat:0").json["viewer"] == 0
    assert table.send(CLOSE, "host").status_code == 201, "the host's token is another one, and stays"


def test_what_was_registered_with_the_old_token_ends_with_it(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    side = client.application.extensions["dependencies"]
    made = post(
        client, "/v1/webhooks", {"url": "https://8.8.8.8/", "match": table.id}, table.bearer("seat:1")
    )
    hook = side.webhooks.find(made.json["id"])
    assert entitled(hook, side.keys, play.load(table.id).fields)
    code = code_for(table, 1)
    assert not entitled(hook, side.keys, play.load(table.id).fields)
    returned(table, code)
    assert not entitled(hook, side.keys, play.load(table.id).fields), "the new token is another one"


def test_a_stream_with_the_old_token_ends_and_the_others_go_on(
    app: Flask, client: FlaskClient, play: Play
) -> None:
    table = lay(client, play)
    with (
        events(app, f"{table.url}/log", table.bearer("seat:1")) as lost,
        events(app, f"{table.url}/log", table.bearer("seat:0")) as kept,
    ):
        assert (next(lost).event, next(kept).event) == ("match", "match")
        assert hand_back(table, 1).status_code == 201
        assert list(lost) == []
        assert next(kept).event == "commit"


def test_a_return_is_known_in_a_process_that_had_the_match_already(
    client: FlaskClient, play: Play, server: EmbeddedServer
) -> None:
    table = lay(client, play)
    elsewhere = replace(table, client=another_process(server)[0])
    assert elsewhere.get(who="seat:1").status_code == 200
    table = returned(table, code_for(table, 1))
    problem(elsewhere.get(who="seat:1"), 401, "token_unknown")
    assert replace(elsewhere, tokens=table.tokens).get(who="seat:1").json["viewer"] == 1


REASONS: dict[str, tuple[int, str]] = {
    "no token": (401, "token_missing"),
    "a player's": (403, "host_required"),
    "used up": (429, "rate_limited"),
    "a short key": (400, "idempotency_key_invalid"),
    "key of another request": (422, "idempotency_key_reused"),
    "a body": (422, "validation_error"),
    "stale": (412, "stale_version"),
    "illegal": (409, "illegal_command"),
}


@pytest.mark.parametrize("first", range(len(REASONS)))
def test_of_many_reasons_to_refuse_the_first_of_the_contract_answers(
    client: FlaskClient, play: Play, first: int
) -> None:
    table, reasons = lay(client, play), list(REASONS)[first:]
    assert hand_back(table, 1, **KEY).status_code == 201
    wrong = set(reasons)
    who = None if "no token" in wrong else "seat:0" if "a player's" in wrong else "host"
    headers = {"Idempotency-Key": "short" if "a short key" in wrong else "a-key-of-its-own-0"}
    headers = KEY if "key of another request" in wrong and "a short key" not in wrong else headers
    headers = {**headers, "If-Match": '"v1"' if "stale" in wrong else '"v2"'}
    if "used up" in wrong:
        limit(client.application, writes=1)
        for each in ("host", "seat:0"):
            table.send([], each)
    seat, body = (7 if "illegal" in wrong else 0), ({"name": "Eve"} if "a body" in wrong else {})
    problem(table.send(body, who, headers, f"/seats/{seat}/invite"), *REASONS[reasons[0]])
    assert play.load(table.id).version == 2
