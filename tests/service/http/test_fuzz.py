"""Whatever is sent to whatever can be written to: no fault of ours, and no change without a 201."""

from typing import Any
from urllib.parse import quote

import orjson
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from service.matches.play import Play
from tests.service.http.table import JSON, Table, lay, named, post

some = settings(
    max_examples=60,
    deadline=None,
    print_blob=False,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
words = st.text(max_size=8) | st.sampled_from(
    ["type", "tile", "row", "column", "cards", "game", "seats", "name", "open", "entropy", "options", "seed"]
)
numbers = (
    st.integers(-(2**63), 2**64 - 1) | st.integers(-2, 90) | st.floats(allow_nan=False, allow_infinity=False)
)
atoms = st.none() | st.booleans() | numbers | words
values = st.recursive(
    atoms,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
)
commands = st.fixed_dictionaries(
    {"type": st.sampled_from(["choose_column", "take_tile", "retire_curiosities", "release_seed"])},
    optional={"tile": values, "row": values, "column": values, "cards": values, "v": values},
)
tables = st.fixed_dictionaries(
    {"game": st.just("whatnot") | values},
    optional={
        "seats": st.lists(st.dictionaries(words, values, max_size=2) | values, max_size=5) | values,
        "options": st.dictionaries(words, values, max_size=2),
        "edition": values,
        "private": values,
        "seed": values,
    },
)
headers = st.fixed_dictionaries(
    {},
    optional={
        "Idempotency-Key": st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=30),
        "If-Match": st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=12),
        "Content-Type": st.sampled_from([JSON, "application/json; charset=latin-1", "text/plain", "x"]),
        "X-Request-ID": st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=12),
    },
)


def sane(answer: TestResponse, table: Table, before: int) -> None:
    """No fault of ours, and nothing changed unless the answer says so."""
    assert answer.status_code < 500, answer.text
    assert answer.headers["X-Request-ID"]
    if answer.status_code != 201:
        assert answer.status_code >= 400
        assert answer.json["status"] == answer.status_code
        assert table.version == before


@given(body=values | commands | st.lists(commands, max_size=3), header=headers)
@some
def test_any_command_is_accepted_or_refused(
    client: FlaskClient, play: Play, body: Any, header: dict[str, str]
) -> None:
    table = lay(client, play)
    sane(table.send(body, table.acting, header), table, before=1)


@given(body=values | tables, header=headers)
@some
def test_any_table_is_laid_or_refused(
    client: FlaskClient, play: Play, body: Any, header: dict[str, str]
) -> None:
    table = lay(client, play)
    sane(post(client, "/v1/matches", body, header), table, before=1)
    assert table.version == 1


@given(body=values | st.dictionaries(st.sampled_from(["name", "seat", "entropy"]), values), header=headers)
@some
def test_anybody_sits_down_or_is_refused(
    client: FlaskClient, play: Play, body: Any, header: dict[str, str]
) -> None:
    table = lay(client, play, [*named("Ann"), {"open": True}])
    answer = post(client, f"{table.url}/seats", body, header)
    sane(answer, table, 1)
    assert table.version == (2 if answer.status_code == 201 else 1)


broken = st.binary(max_size=60) | values.map(orjson.dumps).map(lambda sent: sent[:-1])
nested = st.integers(1, 3000).map(lambda depth: b'[{"a":' * depth + b"1" + b"}]" * depth)


@given(raw=broken | nested)
@some
def test_any_bytes_are_refused_or_understood(client: FlaskClient, play: Play, raw: bytes) -> None:
    table = lay(client, play)
    for path in ("/v1/matches", f"{table.url}/commands", f"{table.url}/seats"):
        answer = post(client, path, raw, table.bearer("seat:0"))
        sane(answer, table, 1)
        assert answer.status_code in (409, 422)


parts = st.sampled_from(["", "/log", "/legal", "/score", "/seats", "/commands"])
parameters = st.sampled_from(["at", "after", "limit", "cursor", "game", "x"])


@given(
    place=st.tuples(st.sampled_from(["", "m_" + "a" * 26]) | st.text(max_size=30), parts),
    query=st.dictionaries(parameters, words, max_size=3),
    accept=st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=20),
)
@some
def test_any_question_is_answered_or_refused(
    client: FlaskClient, play: Play, place: tuple[str, str], query: dict[str, str], accept: str
) -> None:
    table = lay(client, play)
    word, part = quote(place[0]), place[1]
    for path in (table.url + part, "/v1/matches", f"/v1/matches/{word}{part}", f"/v1/games/{word}"):
        for who in ("seat:0", None):
            asked = {"Accept": accept, "If-None-Match": accept, **table.bearer(who)}
            answer = client.get(path, query_string=query, headers=asked)
            assert answer.status_code < 500, answer.text
            assert answer.status_code < 400 or answer.json["request_id"]
