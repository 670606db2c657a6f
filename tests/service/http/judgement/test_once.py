"""However many steps judge a request, its body is parsed once and its token is hashed once."""

from collections import Counter
from types import SimpleNamespace

import orjson
import pytest
from flask.testing import FlaskClient

from service.auth.tokens import digest
from service.http.judgement import callers, sent
from service.matches.play import Play
from tests.service.http.table import Table, lay, post


@pytest.fixture
def table(client: FlaskClient, play: Play) -> Table:
    return lay(client, play, [{"name": "Ann"}, {"open": True}])


@pytest.fixture
def counts(table: Table, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a body was parsed and a token hashed, from now on."""
    found = Counter[str]()

    def parse(text: bytes) -> object:
        found["parsed"] += 1
        return orjson.loads(text)

    def hashed(shown: str) -> str:
        found["hashed"] += 1
        return digest(shown)

    monkeypatch.setattr(sent, "orjson", SimpleNamespace(loads=parse))
    monkeypatch.setattr(callers, "digest", hashed)
    return found


def test_a_command_is_parsed_and_its_token_hashed_once(table: Table, counts: Counter[str]) -> None:
    started = table.send({"type": "start_match"}, "host", {"Idempotency-Key": "a-key-of-its-own"})
    assert started.status_code == 201
    assert counts == {"parsed": 1, "hashed": 1}


def test_a_seat_is_taken_with_one_look_at_the_body(table: Table, counts: Counter[str]) -> None:
    key = {"Idempotency-Key": "a-long-key-of-its-own"}
    assert post(table.client, f"{table.url}/seats", {"name": "Bob"}, key).status_code == 201
    assert counts == {"parsed": 1}


def test_a_read_hashes_its_token_once(table: Table, counts: Counter[str]) -> None:
    assert table.get("", "seat:0").status_code == 200
    assert counts == {"hashed": 1}
