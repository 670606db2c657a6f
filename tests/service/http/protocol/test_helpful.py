"""Refusals help: they point at what is wrong, and link only to what their receiver can use."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.http.judgement import bot_matches
from service.matches.play import Play
from tests.service.http.table import lay, named, post, problem


def create(client: FlaskClient, **body: Any) -> Any:
    return post(client, "/v1/matches", {"game": "whatnot", "seats": named("Ann"), **body})


def test_a_seat_with_a_name_and_a_bot_is_told_to_have_one(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_matches, "open_to_all", lambda: False)
    told = problem(create(client, seats=[{"name": "Ann", "bot": "random"}]), 422, "validation_error")
    assert told["errors"] == [{"pointer": "/seats/0", "detail": "Give exactly one of name, open and bot."}]
    problem(create(client, seats=[{"bot": "random"}]), 403, "person_required")


@pytest.mark.parametrize(
    ("options", "pointer"),
    [({"advanced": 7}, "/options/advanced"), ({"advance": True}, "/options/advance")],
)
def test_an_unfit_option_is_pointed_at(client: FlaskClient, options: dict[str, Any], pointer: str) -> None:
    told = problem(create(client, options=options), 422, "validation_error")
    assert [error["pointer"] for error in told["errors"]] == [pointer]


def test_an_option_that_does_not_fit_the_seats_is_pointed_at(client: FlaskClient) -> None:
    four = named("Ann", "Bob", "Cy", "Dot")
    told = problem(create(client, seats=four, options={"advanced": True}), 422, "validation_error")
    assert (told["rule"], told["errors"][0]["pointer"]) == ("advanced_for_two", "/options/advanced")


def test_only_a_seat_is_led_to_its_legal_commands(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    assert problem(table.send({"type": "choose_column", "column": 1}, table.waiting), 409, "not_your_turn")[
        "legal"
    ]
    assert "legal" not in problem(table.send({"type": "start_match"}, "host"), 409, "illegal_command")
    late = problem(post(client, f"{table.url}/seats", {"name": "Late"}), 409, "illegal_command")
    assert "legal" not in late
    assert late["detail"] == "No seat is open."


def test_nobody_needs_an_invite_to_watch_a_public_match(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    told = problem(post(client, f"{table.url}/spectators", {"invite": "x"}), 409, "illegal_command")
    assert (told["rule"], told["rule_url"]) == ("not_private", "/v1/rules#not_private")
    hidden = lay(client, play, private=True)
    told = problem(post(client, f"{hidden.url}/spectators", {"invite": "x"}), 409, "illegal_command")
    assert told["rule"] == "invite_unknown"


def test_a_match_that_is_over_leads_to_its_score(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, seats=1).finish()
    refused = problem(table.send({"type": "choose_column", "column": 1}, "seat:0"), 409, "match_over")
    assert client.get(refused["score"]).json["final"] is True


def test_a_version_that_is_still_to_come_is_told_apart_from_a_match_that_is_not_there(
    client: FlaskClient, play: Play
) -> None:
    table = lay(client, play)
    assert "is at version 1" in problem(table.get("?at=9"), 404, "version_not_found")["detail"]
    early = table.send({"type": "choose_column", "column": 1}, table.acting, {"If-Match": '"v9"'})
    told = problem(early, 412, "stale_version")
    assert (told["current_version"], "changes" in told) == (1, False)


def test_a_list_of_a_game_that_there_is_not_is_refused(client: FlaskClient) -> None:
    told = problem(client.get("/v1/matches?game=chess"), 422, "validation_error")
    assert told["errors"][0]["pointer"] == "/game"


def test_a_command_without_a_type_is_told_so(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    told = problem(table.send({"column": 1}, table.acting), 422, "validation_error")
    assert told["errors"] == [{"pointer": "/type", "detail": "Missing data for required field."}]
