"""Coming and going over HTTP: seats left and taken over, bots, an early start and end, invites."""

from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from domain.match.commands import BOTS
from service.log.verify import verify
from service.matches.play import Play
from tests.service.http.table import Table, every_game, lay, post, problem

KEY = {"Idempotency-Key": "a-key-of-sixteen-or-more"}
CLOSE, START = {"type": "close_match"}, {"type": "start_match"}


def leave(table: Table, seat: int) -> TestResponse:
    answer = table.client.delete(f"{table.url}/seats/{seat}", headers=table.bearer(f"seat:{seat}"))
    assert answer.status_code == 200, answer.json
    return answer


def take(table: Table, **body: Any) -> TestResponse:
    return post(table.client, f"{table.url}/seats", {"name": "Zoe", **body})


def joined(table: Table, answer: TestResponse) -> Table:
    assert answer.status_code == 201, answer.json
    return replace(table, tokens={**table.tokens, **answer.json["tokens"]})


@pytest.mark.parametrize(("game", "seats"), every_game())
def test_a_seat_that_was_left_is_taken_over_and_the_match_goes_on_to_its_proof(
    client: FlaskClient, play: Play, game: str, seats: int
) -> None:
    table = lay(client, play, seats, game=game)
    for _ in range(3):
        table.step()
    seat = next(number for number in range(seats) if f"seat:{number}" in table.tokens)
    left = leave(table, seat)
    tag = f'"v{left.json["version"]}-{left.json["commits"][-1]["hash"][:16]}"'
    assert (left.json["status"], left.headers["ETag"]) == ("playing", tag)
    assert table.get().json["seats"][seat] == {"seat": seat, "kind": "human", "name": None, "entropy": None}
    table = joined(table, take(table))
    assert table.get().json["seats"][seat]["name"] == "Zoe"
    assert table.get(who=f"seat:{seat}").json["viewer"] == seat
    assert verify(table.finish().export()).complete


def test_nobody_plays_for_an_empty_seat(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    acting = table.acting
    leave(table, int(acting[-1]))
    assert table.get().json["to_act"] == [int(acting[-1])]
    problem(table.send({"type": "choose_column", "column": 3}, table.waiting), 409, "not_your_turn")


def test_who_takes_over_brings_no_entropy(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    leave(table, 1)
    assert problem(take(table, entropy="00"), 409, "illegal_command")["rule"] == "too_late_for_entropy"
    assert table.version == 2


def test_a_seat_left_before_the_start_is_open_to_anybody(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, [{"name": "Ann", "entropy": "aa"}, {"open": True}])
    leave(table, 0)
    seats = table.get().json["seats"]
    assert [seat["name"] for seat in seats] == [None, None]
    assert seats[0]["entropy"] is None
    table = joined(table, take(table, entropy="bb"))
    assert table.get().json["seats"][0]["entropy"] == "bb"


def test_nobody_leaves_a_match_that_is_over(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    assert table.send(CLOSE, "host").status_code == 201
    answer = client.delete(f"{table.url}/seats/0", headers=table.bearer("seat:0"))
    problem(answer, 409, "match_over")
    assert problem(take(table), 409, "illegal_command")["rule"] == "seat_taken"


def test_leaving_counts_at_the_version_it_is_meant_for_only(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    headers = table.bearer("seat:0") | {"If-Match": '"v9"'}
    assert problem(client.delete(f"{table.url}/seats/0", headers=headers), 412, "stale_version")
    assert client.delete(f"{table.url}/seats/0", headers=headers | {"If-Match": '"v1"'}).status_code == 200


@pytest.mark.parametrize("part", ["seats/-1", "seats/x", "invites/x"])
def test_there_are_only_numbered_seats_and_invites(client: FlaskClient, play: Play, part: str) -> None:
    table = lay(client, play)
    problem(client.delete(f"{table.url}/{part}", headers=table.bearer("host")), 422, "validation_error")
    problem(client.delete(f"{table.url}/{part}/", headers=table.bearer("host")), 404, "not_found")


def test_a_bot_can_be_seated_when_the_match_is_laid(client: FlaskClient, play: Play) -> None:
    for bot in client.get("/v1/games/whatnot").json["bots"]:
        table = lay(client, play, [{"name": "Ann"}, {"bot": bot}])
        assert table.tokens.keys() == {"host", "seat:0"}
        assert table.get().json["seats"][1] == {"seat": 1, "kind": "bot", "name": bot, "entropy": None}
    assert client.get("/v1/games").json["items"][0]["bots"] == list(BOTS)


def test_bots_alone_play_a_match_to_its_end(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, [{"bot": "random"}] * 3, game="drawer")
    assert table.tokens.keys() == {"host"}
    assert verify(table.finish().export()).complete


@pytest.mark.parametrize(
    ("seat", "pointer"),
    [
        ({"bot": "deep_blue"}, "/seats/0/bot"),
        ({"bot": "random", "name": "Ann"}, "/seats/0"),
        ({"bot": "random", "open": True}, "/seats/0"),
        ({"bot": "random", "entropy": "00"}, "/seats/0/entropy"),
        ({"bot": None}, "/seats/0/bot"),
        ({}, "/seats/0"),
    ],
)
def test_a_seat_is_one_thing(client: FlaskClient, seat: Any, pointer: str) -> None:
    answer = post(client, "/v1/matches", {"game": "whatnot", "seats": [seat]})
    assert problem(answer, 422, "validation_error")["errors"][0]["pointer"] == pointer


def test_a_player_who_is_kicked_is_played_by_a_bot_from_then_on(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    who, seat = table.acting, int(table.acting[-1])
    kicked = table.send({"type": "seat_bot", "seat": seat, "bot": "random"}, "host")
    assert kicked.status_code == 201
    problem(table.get(who=who), 401, "token_unknown")
    assert play.load(table.id).state.due_task == "take_turn"
    assert verify(table.finish().export()).complete


def test_a_host_starts_an_open_match_with_bots(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, [{"open": True}, {"name": "Ann"}, {"open": True}])
    started = table.send(START, "host")
    assert (started.status_code, started.json["status"]) == (201, "playing")
    assert [seat["kind"] for seat in table.get().json["seats"]] == ["bot", "human", "bot"]
    assert problem(table.send(START, "host"), 409, "illegal_command")["rule"] == "not_open"
    problem(take(table), 409, "illegal_command")


@pytest.mark.parametrize(
    ("command", "pointer"),
    [
        ({"type": "seat_bot", "seat": 0, "bot": "deep_blue"}, "/bot"),
        ({"type": "seat_bot", "seat": 16, "bot": "random"}, "/seat"),
        ({"type": "seat_bot", "seat": -1, "bot": "random"}, "/seat"),
        ({"type": "seat_bot", "bot": "random"}, "/seat"),
        ({"type": "start_match", "bot": 7}, "/bot"),
        ({"type": "close_match", "why": "no"}, "/why"),
        ({"type": "leave_seat", "seat": 0}, "/type"),
        ({"type": "rotate_token"}, "/type"),
        ({"type": "issue_invite", "digest": "0", "to": "seat"}, "/type"),
        ({"type": "score_match"}, "/type"),
    ],
)
def test_what_is_no_command_of_a_host_is_refused_with_a_pointer(
    client: FlaskClient, play: Play, command: Any, pointer: str
) -> None:
    table = lay(client, play)
    answer = problem(table.send(command, "host"), 422, "validation_error")
    assert answer["errors"][0]["pointer"] == pointer
    assert table.version == 1


def test_a_batch_of_a_host_is_whole_or_nothing(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, [{"open": True}, {"name": "Ann"}, {"open": True}])
    bot = {"type": "seat_bot", "seat": 0, "bot": "random"}
    refused = problem(table.send([bot, {**bot, "seat": 9}, START], "host"), 409, "illegal_command")
    assert (refused["pointer"], refused["rule"]) == ("/1", "no_players_seat")
    for after in (START, CLOSE):
        refused = problem(table.send([bot, START, after], "host"), 409, "batch_reaches_past_chance")
        assert (refused["pointer"], refused["version"]) == ("/2", 1), "the start draws"
    assert table.version == 1
    problem(table.send([bot, {"type": "choose_column", "column": 1}], "host"), 403, "seat_required")
    assert table.send([bot, START], "host").json["version"] == 3


def test_a_closed_match_shows_where_it_stood_and_proves_itself(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    table.step()
    before = table.get().json
    closed = table.send(CLOSE, "host", KEY)
    assert (closed.json["status"], closed.json["to_act"]) == ("closed", [])
    again = table.send(CLOSE, "host", KEY)
    assert (again.data, again.headers["Idempotent-Replayed"]) == (closed.data, "true")
    after = table.get().json
    assert after["position"] == before["position"]
    assert after["seed"]["revealed"]
    score = table.get("/score").json
    assert (score["final"], score["winners"]) == (False, None)
    for seat in (0, 1):
        assert table.get("/legal", f"seat:{seat}").json["commands"] == []
        move = {"type": "choose_column", "column": 1}
        problem(table.send(move, f"seat:{seat}"), 409, "match_over")
    assert [item["id"] for item in client.get("/v1/matches?status=closed").json["items"]] == [table.id]
    assert client.get("/v1/matches?status=playing").json["items"] == []
    assert verify(table.export()).complete
    assert play.load(table.id).state.due_task == ""


def test_who_takes_over_a_seat_begins_with_keys_of_his_own(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    who, key = table.acting, {"Idempotency-Key": "1"}
    for column in (3, 4):  # the next occupant sends the very request of the one before, and then another
        sent = table.send({"type": "choose_column", "column": 3}, who, key)
        assert "Idempotent-Replayed" not in sent.headers, column
        assert sent.status_code == (201 if column == 3 else 409)
        assert leave(table, int(who[-1])).status_code == 200
        table = joined(table, take(table, seat=int(who[-1])))
