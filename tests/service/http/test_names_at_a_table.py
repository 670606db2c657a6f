"""Whoever gives a name at a table: it can be seen, and told from the others there."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from domain.match.commands import TakeSeat
from service.matches.joining import Caller, take_any_seat
from service.matches.play import Play
from service.matches.requests import CommandRefusedError
from tests.service.http.table import Table, lay, named, post, problem

OPEN = [{"name": "Ada"}, {"open": True}, {"open": True}]
HIDDEN = ["\u200b", "\u2060", "\ufeff", "\u00ad", "\u3164", "\u2800", "Ada\u200b", "A\u202eda"]
LIKE_ADA = ["Ada", "ada", "Ad\u0430", "\uff21da"]
KEY = {"Idempotency-Key": "a-key-of-sixteen-or-more"}


def sit_down(table: Table, name: str, **headers: str) -> Any:
    return post(table.client, f"{table.url}/seats", {"name": name}, headers)


@pytest.mark.parametrize("name", HIDDEN)
def test_a_name_that_hides_something_gets_no_seat(client: FlaskClient, play: Play, name: str) -> None:
    table = lay(client, play, OPEN)
    refused = problem(sit_down(table, name), 422, "validation_error")
    assert [each["pointer"] for each in refused["errors"]] == ["/name"]
    body = {"game": "whatnot", "seats": named("Bob", name)}
    refused = problem(post(client, "/v1/matches", body), 422, "validation_error")
    assert [each["pointer"] for each in refused["errors"]] == ["/seats/1/name"]
    assert table.version == 1


@pytest.mark.parametrize("name", LIKE_ADA)
def test_two_who_look_the_same_do_not_sit_at_one_table(client: FlaskClient, play: Play, name: str) -> None:
    table = lay(client, play, OPEN)
    assert problem(sit_down(table, name), 409, "illegal_command")["rule"] == "name_taken"
    body = {"game": "whatnot", "seats": named("Bob", "Ada", name)}
    refused = problem(post(client, "/v1/matches", body), 422, "validation_error")
    assert [each["pointer"] for each in refused["errors"]] == ["/seats/2/name"]
    assert table.version == 1


def test_nor_do_they_if_they_sit_down_at_the_same_moment(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, OPEN)
    seen_by_both = play.load(table.id)
    assert sit_down(table, "Bob").status_code == 201
    with pytest.raises(CommandRefusedError) as refused:
        take_any_seat(play, seen_by_both, TakeSeat(0, "B\u043eb"), Caller(), None)
    assert refused.value.rule.code == "name_taken"
    assert table.version == 2


def test_who_sits_down_again_with_the_same_key_gets_the_first_answer(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, OPEN)
    first, again = (sit_down(table, "Bob", **KEY) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.data == again.data


def test_a_name_that_was_left_is_free_again(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, OPEN)
    assert client.delete(f"{table.url}/seats/0", headers=table.bearer("seat:0")).status_code == 200
    assert sit_down(table, "ada").status_code == 201
