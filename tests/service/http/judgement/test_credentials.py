"""Who may do what: every endpoint with every kind of credential, also with tokens not seen before."""

import re
from itertools import combinations
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.matches.play import Play
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from tests.service.http.table import JSON, Table, another_process, lay, post, problem

TAKE = {"type": "take_tile", "tile": 1, "row": 0, "column": 0}
CHOOSE = {"type": "choose_column", "column": 3}

READ = {"nobody": "200", "acting": "200", "waiting": "200", "host": "200"}
BAD = {
    "unknown token": "401 token_unknown",
    "another match's token": "401 token_unknown",
    "another match's host": "401 token_unknown",
    "digest of a token": "401 token_unknown",
    "Basic": "401 token_missing",
    "no scheme": "401 token_missing",
    "no token": "401 token_missing",
    "empty": "401 token_missing",
}
UNREADABLE = {name: told for name, told in BAD.items() if told == "401 token_missing"}
ANYBODY = dict.fromkeys([*READ, *BAD], "200")
EXPECTED = {
    "getMatch": READ | BAD,
    "readLog": READ | BAD,
    "getScore": READ | BAD,
    "listLegalCommands": READ | BAD | {"nobody": "401 token_missing", "host": "403 seat_required"},
    "sendCommands": BAD
    | {
        "nobody": "401 token_missing",
        "acting": "201",
        "waiting": "409 not_your_turn",
        "host": "403 seat_required",
    },
    "releaseSeed": BAD
    | {
        "nobody": "401 token_missing",
        "acting": "403 host_required",
        "waiting": "403 host_required",
        "host": "409 illegal_command",
    },
    "takeSeat": dict.fromkeys(ANYBODY, "409 illegal_command"),
    "createMatch": dict.fromkeys(ANYBODY, "201") | UNREADABLE,
    "listMatches": ANYBODY,
    "listGames": ANYBODY,
    "checkLiveness": ANYBODY,
}


@pytest.fixture
def table(client: FlaskClient, play: Play) -> Table:
    return lay(client, play)


def call(table: Table, endpoint: str, headers: dict[str, str]) -> TestResponse:
    """One call of an endpoint that is right but for its credential."""
    client, headers = table.client, {"Accept": JSON, **headers}
    match endpoint:
        case "sendCommands":
            return post(client, f"{table.url}/commands", CHOOSE, headers)
        case "releaseSeed":
            return post(client, f"{table.url}/commands", {"type": "release_seed"}, headers)
        case "takeSeat":
            return post(client, f"{table.url}/seats", {"name": "Eve", "seat": 0}, headers)
        case "createMatch":
            return post(client, "/v1/matches", {"game": "whatnot", "seats": [{"name": "Eve"}]}, headers)
    paths = {
        "getMatch": table.url,
        "readLog": f"{table.url}/log",
        "getScore": f"{table.url}/score",
        "listLegalCommands": f"{table.url}/legal",
        "listMatches": "/v1/matches",
        "listGames": "/v1/games",
        "checkLiveness": "/livez",
    }
    return client.get(paths[endpoint], headers=headers)


def credentials(table: Table, other: Table) -> dict[str, dict[str, str]]:
    """Every kind of Authorization header."""
    digest = table.play.load(table.id).fields["token:seat:0"]
    shown = {
        "unknown token": "Bearer bricabrac_" + "A" * 43,
        "another match's token": f"Bearer {other.tokens['seat:0']}",
        "another match's host": f"Bearer {other.tokens['host']}",
        "digest of a token": f"Bearer {digest}",
        "Basic": f"Basic {table.tokens['seat:0']}",
        "no scheme": table.tokens["seat:0"],
        "no token": "Bearer ",
        "empty": "",
    }
    actors = {"acting": table.acting, "waiting": table.waiting, "host": "host", "nobody": None}
    return {name: {"Authorization": value} for name, value in shown.items()} | {
        name: table.bearer(who) for name, who in actors.items()
    }


@pytest.mark.parametrize(
    ("endpoint", "credential"),
    [(endpoint, credential) for endpoint, expected in EXPECTED.items() for credential in expected],
)
def test_a_credential_opens_what_is_its_own_and_nothing_else(
    client: FlaskClient, play: Play, table: Table, endpoint: str, credential: str
) -> None:
    headers = credentials(table, lay(client, play))[credential]
    status, *codes = EXPECTED[endpoint][credential].split()
    answer = call(table, endpoint, headers)
    assert str(answer.status_code) == status, answer.text
    for code in codes:
        problem(answer, int(status), code)
    if status == "401":
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    own_move = endpoint == "sendCommands" and credential == "acting"
    assert table.version == (2 if own_move else 1)


def test_the_scheme_is_bearer_however_it_is_written(table: Table) -> None:
    for scheme in ("Bearer", "bearer", "BEARER"):
        answer = table.get(headers={"Authorization": f"{scheme} {table.tokens['seat:1']}"})
        assert answer.json["viewer"] == 1


@pytest.mark.parametrize("token", ["\xff\xfe", "bricabrac_☃".encode().decode("latin-1"), "x" * 8000, "a b c"])
def test_a_token_of_strange_letters_is_of_nobody(table: Table, token: str) -> None:
    problem(table.get(headers={"Authorization": f"Bearer {token}"}), 401, "token_unknown")


def test_a_seat_taken_through_another_process_is_known_to_the_one_that_had_the_match_already(
    client: FlaskClient, play: Play, server: EmbeddedServer
) -> None:
    table = lay(client, play, [{"name": "Ann"}, {"open": True}, {"open": True}])
    other = another_process(server)[0]
    tokens = dict(table.tokens)
    for name in ("Bob", "Cy"):
        assert table.get(who="seat:0").status_code == 200, "cached here"
        seated = post(other, f"{table.url}/seats", {"name": name})
        tokens |= seated.json["tokens"]
        (actor,) = seated.json["tokens"]
        mine = Table(client, play, table.id, tokens)
        assert mine.get(who=actor).json["viewer"] == int(actor[-1])
        assert mine.get("/legal", actor).status_code == 200
    mine = Table(client, play, table.id, tokens)
    for _ in range(12):
        mine.step()
        assert Table(other, play, table.id, tokens).get(who="seat:2").json["version"] == mine.version


def test_a_move_with_a_token_that_this_process_has_not_seen_is_judged_on_the_newest_match(
    client: FlaskClient, play: Play, server: EmbeddedServer
) -> None:
    for _ in range(4):
        table = lay(client, play, [{"open": True}, {"open": True}])
        other = another_process(server)[0]
        seats = [post(other, f"{table.url}/seats", {"name": name}).json["tokens"] for name in ("Ann", "Bob")]
        tokens = table.tokens | seats[0] | seats[1]
        at_other = Table(other, play, table.id, tokens)
        assert Table(client, play, table.id, tokens).send(CHOOSE, at_other.acting).status_code == 201


def test_the_store_keeps_no_token_and_no_key_that_could_make_one(
    client: FlaskClient, play: Play, journal: RedisJournal
) -> None:
    key = "the-creator-keeps-this-secret"
    table = lay(client, play, [{"name": "Ann"}, {"open": True}], {"Idempotency-Key": key})
    seated = post(client, f"{table.url}/seats", {"name": "Bob"}, {"Idempotency-Key": key + "-too"}).json
    secrets = [key, *table.tokens.values(), *seated["tokens"].values()]
    kept = "".join(str(_content(journal.client, name)) for name in journal.client.scan_iter())
    assert "token:seat:1" in kept
    assert '"nonce"' in kept
    for secret in secrets:
        assert secret.removeprefix("bricabrac_") not in kept


def _content(store: Any, name: bytes) -> Any:
    read = {b"hash": store.hgetall, b"string": store.get, b"stream": store.xrange}
    whole = {b"zset": lambda key: store.zrange(key, 0, -1), b"set": store.smembers}
    return (read | whole)[store.type(name)](name)


def test_tokens_are_long_random_and_never_alike(client: FlaskClient, play: Play) -> None:
    tokens = [token for _ in range(5) for token in lay(client, play, 4).tokens.values()]
    assert len(set(tokens)) == 25
    assert all(re.fullmatch(r"bricabrac_[A-Za-z0-9_-]{43}", token) for token in tokens)
    for one, two in combinations(tokens, 2):
        assert one[10:16] != two[10:16]
