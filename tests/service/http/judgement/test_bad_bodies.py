"""Bodies that are wrong: each is refused with a pointer to what is wrong with it, and changes nothing."""

from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient

from service.matches.play import Play
from tests.service.http.table import Table, lay, post, problem

NOT_JSON = {
    "nothing": b"",
    "space": b"   ",
    "a word": b"choose",
    "half an object": b'{"type": "choose_column"',
    "two values": b"{} {}",
    "a comment": b'{"column": 3 /* the third */, "type": "choose_column"}',
    "a comma too many": b'{"type": "choose_column", "column": 3,}',
    "single quotes": b"{'type': 'choose_column', 'column': 3}",
    "not a number": b'{"type": "choose_column", "column": NaN}',
    "infinity": b'{"type": "choose_column", "column": -Infinity}',
    "a key twice": b'{"type": "choose_column", "column": 3, "column": 4}',
    "a key twice, deep within": b'[{"type": "choose_column", "column": {"a": {"b": 1, "\\u0062": 2}}}]',
    "half a surrogate pair": b'{"type": "\\ud800", "column": 3}',
    "a raw control character": b'{"type": "choose\x00_column", "column": 3}',
    "Latin-1": b'{"type": "choose_column\xe9", "column": 3}',
    "UTF-16": '{"type": "choose_column", "column": 3}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"type": "choose_column", "column": 3}',
    "too deep": b"[" * 300 + b"]" * 300,
    "much too deep": b"[" * 30_000 + b"]" * 30_000,
    "objects too deep": b'{"a":' * 400 + b"1" + b"}" * 400,
    "a number of 20000 digits": b'{"type": "choose_column", "column": ' + b"3" * 20_000 + b"}",
}
CHOOSE = {"type": "choose_column", "column": 3}
TAKE = {"type": "take_tile", "tile": 1, "row": 0, "column": 0}
WRONG_COMMANDS: list[tuple[Any, str]] = [
    (None, ""),
    (3, ""),
    ("choose_column", ""),
    ({}, "/type"),
    ([], ""),
    ([CHOOSE] * 51, ""),
    ([[CHOOSE]], "/0"),
    ([CHOOSE, None], "/1"),
    ({"type": None}, "/type"),
    ({"type": ["choose_column"]}, "/type"),
    ({"type": {"a": 1}}, "/type"),
    ({"type": "create_match"}, "/type"),
    ({"type": "take_seat", "seat": 0, "name": "Eve"}, "/type"),
    ({"type": "score_match"}, "/type"),
    ({"type": "take_rival_turn"}, "/type"),
    ({"column": 3}, "/type"),
    ({"type": "choose_column"}, "/column"),
    (CHOOSE | {"column": "3"}, "/column"),
    (CHOOSE | {"column": 3.0}, "/column"),
    (CHOOSE | {"column": True}, "/column"),
    (CHOOSE | {"column": None}, "/column"),
    (CHOOSE | {"column": 0}, "/column"),
    (CHOOSE | {"column": 6}, "/column"),
    (CHOOSE | {"column": 2**63}, "/column"),
    (CHOOSE | {"column": [3]}, "/column"),
    (CHOOSE | {"v": 2}, "/v"),
    (CHOOSE | {"seat": 1}, "/seat"),
    (CHOOSE | {"a/b~c": 1}, "/a~1b~0c"),
    (CHOOSE | {"json": 1}, "/json"),
    (TAKE | {"tile": False}, "/tile"),
    (TAKE | {"row": None}, "/row"),
    (TAKE | {"row": -1}, "/row"),
    ([CHOOSE, TAKE | {"row": 4}], "/1/row"),
    ({"type": "retire_curiosities", "cards": "ab"}, "/cards"),
    ({"type": "retire_curiosities", "cards": ["a", 2]}, "/cards/1"),
    ({"type": "retire_curiosities", "cards": ["a"] * 101}, "/cards"),
    ({"type": "retire_curiosities", "cards": ["a" * 201]}, "/cards/0"),
    ({"type": "retire_curiosities", "cards": [["a"]]}, "/cards/0"),
]
ANN = {"name": "Ann"}
TABLE: dict[str, Any] = {"game": "whatnot", "seats": [ANN, {"name": "Bob"}]}
WRONG_TABLES: list[tuple[Any, str]] = [
    ([], ""),
    ({"seats": [ANN]}, "/game"),
    ({"game": "whatnot"}, "/seats"),
    (TABLE | {"game": "chess"}, "/game"),
    (TABLE | {"game": 7}, "/game"),
    (TABLE | {"seats": []}, "/seats"),
    (TABLE | {"seats": {"0": ANN}}, "/seats"),
    (TABLE | {"seats": [{"name": name} for name in "ABCDE"]}, "/seats"),
    (TABLE | {"seats": [ANN] * 17}, "/seats"),
    (TABLE | {"seats": ["Ann"]}, "/seats/0"),
    (TABLE | {"seats": [ANN, {}]}, "/seats/1"),
    (TABLE | {"seats": [ANN | {"open": True}]}, "/seats/0"),
    (TABLE | {"seats": [{"open": False}]}, "/seats/0/open"),
    (TABLE | {"seats": [{"open": 1}]}, "/seats/0/open"),
    (TABLE | {"seats": [{"open": True, "entropy": "ab"}]}, "/seats/0/entropy"),
    (TABLE | {"seats": [ANN | {"kind": "automaton"}]}, "/seats/0/kind"),
    (TABLE | {"edition": "gold"}, "/edition"),
    (TABLE | {"options": []}, "/options"),
    (TABLE | {"options": {"advanced": 1.5}}, "/options/advanced"),
    (TABLE | {"options": {"advanced": None}}, "/options/advanced"),
    (TABLE | {"options": {"advanced": 1}}, "/options/advanced"),
    (TABLE | {"options": {"Größe": 1}}, "/options/Größe"),
    (TABLE | {"options": {"a/b~c": 1}}, "/options/a~1b~0c"),
    (TABLE | {"private": "no"}, "/private"),
    (TABLE | {"private": 0}, "/private"),
    (TABLE | {"seed": "ab"}, "/seed"),
    (TABLE | {"seed": "AB" * 32}, "/seed"),
    (TABLE | {"seed": "ab" * 32 + "\n"}, "/seed"),
    (TABLE | {"seed": 7}, "/seed"),
    (TABLE | {"tokens": {}}, "/tokens"),
    (TABLE | {"json": 1}, "/json"),
]
WRONG_PEOPLE: list[tuple[Any, str]] = [
    ({"name": ""}, "/name"),
    ({"name": "A" * 61}, "/name"),
    ({"name": None}, "/name"),
    ({"name": ["Ann"]}, "/name"),
    ({"name": "A\x00nn"}, "/name"),
    ({"name": "Ann\nseat 1 resigns"}, "/name"),
    ({"name": "   "}, "/name"),
    (ANN | {"entropy": "abc"}, "/entropy"),
    (ANN | {"entropy": "AB"}, "/entropy"),
    (ANN | {"entropy": "ab\n"}, "/entropy"),
    (ANN | {"entropy": "ab" * 33}, "/entropy"),
    (ANN | {"entropy": ""}, "/entropy"),
]


@pytest.fixture
def table(client: FlaskClient, play: Play) -> Table:
    return lay(client, play, [ANN, {"open": True}, {"open": True}])


@pytest.mark.parametrize("body", NOT_JSON.values(), ids=NOT_JSON)
@pytest.mark.parametrize("path", ["/v1/matches", "{match}/commands", "{match}/seats"])
def test_what_is_not_strict_json_is_refused(table: Table, path: str, body: bytes) -> None:
    key = {"Idempotency-Key": "a-key-like-any-other"}
    refused = post(table.client, path.format(match=table.url), body, table.bearer("seat:0") | key)
    assert problem(refused, 422, "validation_error")["errors"]
    assert table.version == 1


@pytest.mark.parametrize(("body", "pointer"), WRONG_COMMANDS)
def test_a_command_that_is_none_is_refused_with_a_pointer(table: Table, body: Any, pointer: str) -> None:
    document = problem(table.send(body, "seat:0"), 422, "validation_error")
    assert pointer in [error["pointer"] for error in document["errors"]]
    assert table.version == 1


@pytest.mark.parametrize(("body", "pointer"), WRONG_TABLES)
def test_a_table_that_cannot_be_laid_is_refused_with_a_pointer(
    client: FlaskClient, body: Any, pointer: str
) -> None:
    document = problem(post(client, "/v1/matches", body), 422, "validation_error")
    assert pointer in [error["pointer"] for error in document["errors"]]
    assert client.get("/v1/matches").json["items"] == []


@pytest.mark.parametrize(("person", "pointer"), WRONG_PEOPLE)
def test_somebody_who_is_nobody_gets_no_seat(table: Table, person: Any, pointer: str) -> None:
    document = problem(post(table.client, f"{table.url}/seats", person), 422, "validation_error")
    assert pointer in [error["pointer"] for error in document["errors"]]
    laid = post(table.client, "/v1/matches", {"game": "whatnot", "seats": [ANN, person]})
    assert f"/seats/1{pointer}" in [e["pointer"] for e in problem(laid, 422, "validation_error")["errors"]]
    assert table.version == 1


@pytest.mark.parametrize("seat", ["-1", "16", '"1"', "1.0", "1e0", "true", "null", "9" * 19, "9" * 99])
def test_a_seat_that_is_no_number_of_a_seat_is_refused(table: Table, seat: str) -> None:
    answer = post(table.client, f"{table.url}/seats", b'{"name": "Bob", "seat": %s}' % seat.encode())
    assert problem(answer, 422, "validation_error")["errors"][0]["pointer"] == "/seat"


def test_a_body_of_many_wrong_keys_is_told_of_some_of_them(client: FlaskClient) -> None:
    body = orjson.dumps({f"{n:x}": 0 for n in range(7200)})
    document = problem(post(client, "/v1/matches", body), 422, "validation_error")
    assert len(document["errors"]) == 20
