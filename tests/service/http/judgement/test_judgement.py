"""The order in which a write is judged: of two reasons to refuse, the earlier one answers."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.matches.play import Play
from tests.service.http.limited import limit
from tests.service.http.table import Table, lay, named, post, problem

FIRST = {"type": "choose_column", "column": 3}
KEY = "the-key-of-the-first-request"

# What is wrong with a request → how it is answered, in the order of the contract.
REASONS = {
    "no token": (401, "token_missing"),
    "not for the host": (403, "seat_required"),
    "used up": (429, "rate_limited"),
    "key of another request": (422, "idempotency_key_reused"),
    "not JSON by its type": (415, "unsupported_media_type"),
    "not a command": (422, "validation_error"),
    "stale": (412, "stale_version"),
    "illegal": (409, "illegal_command"),
}


@pytest.fixture
def table(client: FlaskClient, play: Play) -> Table:
    """Version 2: the acting seat has chosen its column under KEY, and is to take a tile."""
    laid = lay(client, play)
    assert laid.send(FIRST, laid.acting, {"Idempotency-Key": KEY}).status_code == 201
    return laid


def flawed(table: Table, *reasons: str) -> TestResponse:
    """Send what would be accepted but for these reasons."""
    who: str | None = table.acting
    body: Any = table.legal(f"{who}")[0]
    headers = {"Idempotency-Key": "a-key-of-its-own", "If-Match": '"v2"'}
    if "illegal" in reasons:
        body = FIRST  # a column is chosen already
        headers["Idempotency-Key"] = "another-key-of-its-own"
    if "stale" in reasons:
        headers["If-Match"] = '"v1"'
    if "not a command" in reasons:
        body = {"type": "choose_column", "column": "three"}
    if "not JSON by its type" in reasons:
        headers["Content-Type"] = "text/plain"
    if "key of another request" in reasons:
        headers["Idempotency-Key"] = KEY
        body = body | {"column": 4} if body == FIRST else body
    if "not for the host" in reasons:
        who = "host"
    if "no token" in reasons:
        who = None
    if "used up" in reasons:
        use_up(table)
    return table.send(body, who, headers)


def use_up(table: Table) -> None:
    """Everybody at the table, and the address, has sent the one write that he may."""
    limit(table.client.application, writes=1)
    for who in table.tokens:
        problem(table.send([], who), 422, "validation_error")
    problem(post(table.client, f"{table.url}/seats", {}), 422, "validation_error")


def test_a_request_with_nothing_wrong_is_accepted(table: Table) -> None:
    assert flawed(table).status_code == 201
    assert table.version == 3


@pytest.mark.parametrize("reason", REASONS)
def test_each_reason_alone_refuses_and_changes_nothing(table: Table, reason: str) -> None:
    problem(flawed(table, reason), *REASONS[reason])
    assert table.version == 2


@pytest.mark.parametrize("reasons", list(combinations(REASONS, 2)), ids=" and ".join)
def test_of_two_reasons_the_earlier_answers(table: Table, reasons: tuple[str, str]) -> None:
    problem(flawed(table, *reasons), *REASONS[reasons[0]])
    assert table.version == 2


@pytest.mark.parametrize("first", range(len(REASONS)))
def test_with_everything_wrong_at_once_the_first_reason_answers(table: Table, first: int) -> None:
    reasons = list(REASONS)[first:]
    problem(flawed(table, *reasons), *REASONS[reasons[0]])


REPEATS: dict[str, dict[str, str]] = {
    "as it was": {},
    "meant for a version long gone": {"If-Match": '"v1"'},
    "with an If-Match that cannot be read": {"If-Match": "seven"},
    "without a media type": {"Content-Type": ""},
    "with another media type": {"Content-Type": "text/plain"},
}


@pytest.mark.parametrize("repeat", REPEATS)
def test_a_repeated_command_gets_its_first_answer_whatever_is_wrong_with_it_now(
    client: FlaskClient, play: Play, repeat: str
) -> None:
    table = lay(client, play)
    who, headers = table.acting, {"Idempotency-Key": KEY}
    first = table.send(FIRST, who, headers)
    again = table.send(FIRST, who, headers | REPEATS[repeat])
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers


@pytest.mark.parametrize("repeat", REPEATS)
@pytest.mark.parametrize("write", ["create", "sit down"])
def test_a_repeated_request_for_a_token_gets_its_first_answer_likewise(
    client: FlaskClient, play: Play, write: str, repeat: str
) -> None:
    send = TOKEN_WRITES[write](client, play)
    first = send({}, {})
    assert first.status_code == 201
    again = send({}, REPEATS[repeat])
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize(
    ("changed", "headers"),
    [
        ({"name": "Eve"}, {}),
        ({"name": "Eve"}, {"Content-Type": "text/plain"}),
        ({"name": 7}, {}),
        ({"name": "Eve"}, {"If-Match": '"v0"'}),
    ],
    ids=["other name", "other name and media type", "not even valid", "other name and stale"],
)
@pytest.mark.parametrize("write", ["create", "sit down"])
def test_a_key_that_handed_out_tokens_serves_no_other_request(
    client: FlaskClient, play: Play, write: str, changed: dict[str, Any], headers: dict[str, str]
) -> None:
    send = TOKEN_WRITES[write](client, play)
    assert send({}, {}).status_code == 201
    problem(send(changed, headers), 422, "idempotency_key_reused")


Send = Callable[[dict[str, Any], dict[str, str]], TestResponse]


def _creating(client: FlaskClient, _: Play) -> Send:
    def send(changed: dict[str, Any], headers: dict[str, str]) -> TestResponse:
        body = {"game": "whatnot", "seats": [{"name": "Ann"} | changed, *named("Bob")]}
        return post(client, "/v1/matches", body, {"Idempotency-Key": KEY} | headers)

    return send


def _sitting_down(client: FlaskClient, play: Play) -> Send:
    table = lay(client, play, [{"name": "Ann"}, {"open": True}, {"open": True}])

    def send(changed: dict[str, Any], headers: dict[str, str]) -> TestResponse:
        return post(
            client, f"{table.url}/seats", {"name": "Bob"} | changed, {"Idempotency-Key": KEY} | headers
        )

    return send


TOKEN_WRITES = {"create": _creating, "sit down": _sitting_down}


def test_a_repeat_is_counted_as_any_other_request(table: Table) -> None:
    who = table.acting
    use_up(table)
    problem(table.send(FIRST, who, {"Idempotency-Key": KEY}), 429, "rate_limited")


@pytest.mark.parametrize("write", ["create", "sit down"])
def test_who_has_used_up_his_quota_gets_no_token(client: FlaskClient, play: Play, write: str) -> None:
    send = TOKEN_WRITES[write](client, play)
    limit(client.application, writes=1)
    assert send({}, {}).status_code == 201
    for again in (send({}, {}), send({"name": 7}, {}), send({}, {"Content-Type": "text/plain"})):
        problem(again, 429, "rate_limited")


@pytest.mark.parametrize("body", [FIRST, [FIRST, {}], [{}, FIRST], {"type": "take_tile"}])
def test_what_is_not_for_the_host_is_refused_before_the_rest_of_it_is_read(table: Table, body: Any) -> None:
    problem(table.send(body, "host", {"Content-Type": "text/plain"}), 403, "seat_required")


@pytest.mark.parametrize("body", [{"type": "release_seed", "x": 1}, [FIRST, {"type": "release_seed"}]])
def test_what_is_for_the_host_only_likewise(table: Table, body: Any) -> None:
    problem(table.send(body, table.acting, {"Content-Type": "text/plain"}), 403, "host_required")


def test_a_stranger_learns_nothing_from_a_key_that_a_seat_has_used(table: Table) -> None:
    problem(table.send(FIRST, None, {"Idempotency-Key": KEY}), 401, "token_missing")


def test_another_seat_with_the_same_key_is_judged_on_its_own(table: Table) -> None:
    problem(table.send(FIRST, table.waiting, {"Idempotency-Key": KEY}), 409, "not_your_turn")
    problem(table.send(FIRST, "host", {"Idempotency-Key": KEY}), 403, "seat_required")


def test_a_match_that_is_over_takes_no_move_and_says_so(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, seats=1).finish()
    refused = table.send(FIRST, "seat:0")
    assert problem(refused, 409, "match_over")["rule"] == "match_over"
    assert table.legal("seat:0") == []
    assert table.get().json["to_act"] == []
