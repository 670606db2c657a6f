"""A match that bots alone play takes an API key, unless an operator opens it, and is counted by address."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.auth.api_keys import new_key
from service.matches.play import Play
from tests.service.http.limited import limit
from tests.service.http.table import lay, named, post, problem

BOT = {"bot": "random"}
BOTS = {"game": "whatnot", "seats": [BOT, BOT]}
START = {"type": "start_match"}


def kick(seat: int) -> dict[str, Any]:
    return {"type": "seat_bot", "seat": seat, "bot": "random"}


def key(client: FlaskClient, *scopes: str) -> dict[str, str]:
    _, shown = new_key(client.application.extensions["dependencies"].keys, "a key", scopes, 0)
    return {"Authorization": f"Bearer {shown}"}


@pytest.fixture(autouse=True)
def closed(client: FlaskClient) -> None:
    """As by default."""
    client.application.config["OPEN_BOT_MATCHES"] = False


def test_bots_play_alone_with_an_api_key_only(client: FlaskClient) -> None:
    problem(post(client, "/v1/matches", BOTS), 403, "person_required")
    problem(post(client, "/v1/matches", BOTS, key(client, "read-all")), 403, "scope_required")
    assert client.get("/v1/matches").json["items"] == []
    assert post(client, "/v1/matches", BOTS, key(client, "create")).status_code == 201
    for seats in ([BOT, {"open": True}], [*named("Ann"), BOT]):
        assert post(client, "/v1/matches", BOTS | {"seats": seats}).status_code == 201
    problem(post(client, "/v1/matches", BOTS | {"seats": []}), 422, "validation_error")


@pytest.mark.parametrize(
    ("seat", "pointer"),
    [
        ({"name": "Ann", "bot": "random"}, "/seats/1"),
        ({"bot": "clever"}, "/seats/1/bot"),
        ({"bot": ["random"]}, "/seats/1/bot"),
        ({"bot": "random", "entropy": "00"}, "/seats/1/entropy"),
    ],
)
def test_a_seat_that_is_no_bots_is_told_what_is_wrong_with_it(
    client: FlaskClient, seat: dict[str, Any], pointer: str
) -> None:
    refused = problem(post(client, "/v1/matches", BOTS | {"seats": [BOT, seat]}), 422, "validation_error")
    assert [error["pointer"] for error in refused["errors"]] == [pointer]


def test_an_operator_may_open_it_to_everybody(client: FlaskClient) -> None:
    client.application.config["OPEN_BOT_MATCHES"] = True
    assert post(client, "/v1/matches", BOTS).status_code == 201


@pytest.mark.parametrize("dry", ["", "?dry_run=true"])
@pytest.mark.parametrize("commands", [START, [START], [kick(0), START], [kick(1), kick(0)]], ids=repr)
def test_no_host_leaves_a_match_to_bots_without_a_key(
    client: FlaskClient, play: Play, commands: Any, dry: str
) -> None:
    seats = [{"open": True}] * 2
    table = lay(client, play, seats)
    problem(table.send(commands, "host", part=f"/commands{dry}"), 403, "person_required")
    assert table.version == 1
    own = lay(client, play, seats, key(client, "create"))
    assert own.send(commands, "host", part=f"/commands{dry}").status_code in (200, 201)


def test_a_player_who_leaves_or_is_put_out_leaves_no_match_of_bots(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    assert table.send(kick(0), "host").status_code == 201
    problem(table.send(kick(1), "host"), 403, "person_required")
    left = client.delete(f"{table.url}/seats/1", headers=table.bearer("seat:1"))
    assert (left.status_code, left.json["status"]) == (200, "playing")
    problem(table.send(kick(1), "host"), 403, "person_required")
    assert table.send({"type": "close_match"}, "host").status_code == 201


def test_matches_of_bots_are_counted_by_address_whoever_creates_them(client: FlaskClient, play: Play) -> None:
    watch = limit(client.application, bot_matches=2)
    one, other = key(client, "create"), key(client, "create")
    assert post(client, "/v1/matches", BOTS, one).status_code == 201
    own = lay(client, play, [{"open": True}, BOT], one)
    assert own.send(START, "host").status_code == 201, "it is one from now on"
    refused = problem(post(client, "/v1/matches", BOTS, other), 429, "rate_limited")
    assert refused["violated_policies"] == ["bot_matches"]
    problem(lay(client, play, [{"open": True}, BOT], one).send(START, "host"), 429, "rate_limited")
    assert lay(client, play).version == 1, "others are not counted"
    elsewhere = client.post(
        "/v1/matches", json=BOTS, headers=other, environ_base={"REMOTE_ADDR": "192.0.2.7"}
    )
    assert elsewhere.status_code == 201
    watch.moment += 60_000
    assert post(client, "/v1/matches", BOTS, other).status_code == 201


def test_a_command_that_seats_no_bot_is_not_counted_as_if_it_did(client: FlaskClient, play: Play) -> None:
    limit(client.application, bot_matches=1)
    table = lay(client, play, [{"open": True}], key(client, "create"))
    for wrong in (kick(0) | {"bot": "clever"}, kick(0) | {"colour": "red"}, START | {"seat": 0}):
        problem(table.send(wrong, "host"), 422, "validation_error")
    assert table.send(kick(0), "host").status_code == 201
