"""How much may be asked for: who is counted by what, what answers tell of it, and what limits never do."""

from dataclasses import replace
from typing import Any

import http_sf
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.auth.api_keys import new_key
from service.bootstrap import policies_of
from service.matches.play import Play
from service.run.embedded import EmbeddedServer
from service.settings import settings
from tests.service.http.at_work import all_at_work
from tests.service.http.limited import WINDOW, limit
from tests.service.http.table import Table, another_process, lay, named, post, problem

COLUMN = {"type": "choose_column", "column": 3}
TABLE = {"game": "whatnot", "seats": named("Ann", "Bob")}
NOBODY = {"Authorization": "Bearer bricabrac_" + "A" * 43}


@pytest.fixture
def table(client: FlaskClient, play: Play) -> Table:
    return lay(client, play)


def told(answer: TestResponse, header: str) -> dict[str, dict[str, Any]]:
    """A header of the limits, read by the grammar of structured fields: parameters by policy."""
    read = http_sf.parse(answer.headers[header].encode(), tltype="list")
    return {name: dict(parameters) for name, parameters in read}


def key(client: FlaskClient, *scopes: str) -> dict[str, str]:
    """The header of a new API key."""
    _, shown = new_key(client.application.extensions["dependencies"].keys, "a key", scopes, 0)
    return {"Authorization": f"Bearer {shown}"}


def test_every_counted_answer_tells_the_policy_and_where_the_caller_stands(table: Table) -> None:
    limit(table.client.application, writes=500, reads=3)
    for left in (2, 1, 0):
        answer = table.get(who="seat:0")
        assert answer.status_code == 200
        assert told(answer, "RateLimit-Policy") == {"reads": {"q": 3, "w": WINDOW}}
        assert told(answer, "RateLimit") == {"reads": {"r": left, "t": WINDOW}}
    refused = table.send([], "seat:0")
    problem(refused, 422, "validation_error")
    assert told(refused, "RateLimit") == {"writes": {"r": 499, "t": WINDOW}}
    assert refused.headers["RateLimit-Policy"] == '"writes";q=500;w=60'


def test_who_has_used_up_his_quota_is_told_which_and_when_to_come_again(table: Table) -> None:
    watch = limit(table.client.application, writes=1)
    who = table.acting
    watch.moment += 18_500
    assert table.send(COLUMN, who).status_code == 201
    refused = table.send(table.legal(who)[0], who)
    document = problem(refused, 429, "rate_limited")
    assert document["violated_policies"] == ["writes"]
    assert refused.headers["Retry-After"] == "42"
    assert told(refused, "RateLimit") == {"writes": {"r": 0, "t": 42}}
    assert table.version == 2
    watch.moment += 42_000
    assert table.send(table.legal(who)[0], who).status_code == 201


def test_reads_and_writes_are_counted_apart_and_each_token_for_itself(table: Table) -> None:
    limit(table.client.application, writes=1, reads=2)
    assert table.send(COLUMN, "seat:0").status_code != 429
    problem(table.send(COLUMN, "seat:0"), 429, "rate_limited")
    assert table.send(COLUMN, "seat:1").status_code != 429
    assert [table.get(who="seat:0").status_code for _ in range(3)] == [200, 200, 429]
    assert [table.get(who="seat:1").status_code for _ in range(3)] == [200, 200, 429]


def test_who_has_no_token_is_counted_by_his_address(table: Table) -> None:
    limit(table.client.application, reads=1, writes=1)
    paths = ("/v1/games", table.url)
    for address in ("192.0.2.1", "192.0.2.2", "2001:db8::1"):
        elsewhere = {"REMOTE_ADDR": address}
        statuses = [table.client.get(path, environ_base=elsewhere).status_code for path in paths]
        assert statuses == [200, 429]
    for address in ("2001:db8::2", "::ffff:192.0.2.1"):
        answer = table.client.get("/v1/games", environ_base={"REMOTE_ADDR": address})
        problem(answer, 429, "rate_limited")
    problem(post(table.client, f"{table.url}/seats", {"name": "Eve"}), 409, "illegal_command")
    problem(post(table.client, f"{table.url}/seats", {"name": "Eve"}), 429, "rate_limited")


@pytest.mark.parametrize("path", ["/v1/games", "/v1/matches", "/v1/no-such-thing"])
def test_tokens_made_up_on_the_way_buy_nothing(table: Table, path: str) -> None:
    limit(table.client.application, reads=3)
    for number in range(9):
        made_up = {"Authorization": f"Bearer bricabrac_{number}"}
        assert (table.client.get(path, headers=made_up).status_code == 429) == (number >= 3)


def test_a_forwarded_address_is_believed_of_our_own_proxies_only(
    server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for proxies, expected in (("0", [200, 429]), ("1", [200, 200])):
        monkeypatch.setenv("PROXIES", proxies)
        settings.cache_clear()
        client = another_process(server)[0]
        client.application.extensions["dependencies"].keys.client.flushall()
        limit(client.application, reads=1)
        callers = [{"X-Forwarded-For": f"192.0.2.{number}"} for number in range(2)]
        assert [client.get("/v1/games", headers=headers).status_code for headers in callers] == expected
    monkeypatch.undo()
    settings.cache_clear()


def test_new_matches_have_a_quota_of_their_own(client: FlaskClient) -> None:
    limit(client.application, writes=10, creations=2)
    answers = [post(client, "/v1/matches", TABLE) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert problem(answers[2], 429, "rate_limited")["violated_policies"] == ["creations"]
    assert told(answers[1], "RateLimit") == {
        "writes": {"r": 8, "t": WINDOW},
        "creations": {"r": 0, "t": WINDOW},
    }
    assert post(client, "/v1/matches", TABLE, key(client, "create")).status_code == 201
    assert len(client.get("/v1/matches").json["items"]) == 3


def test_a_search_for_matches_ends(client: FlaskClient, table: Table) -> None:
    limit(client.application, writes=2, reads=2)
    for send in (
        lambda: post(client, "/v1/matches/m_" + "a" * 26 + "/commands", COLUMN, table.bearer("seat:0")),
        lambda: client.get("/v1/matches/m_" + "a" * 26, headers=table.bearer("seat:0")),
    ):
        assert [send().status_code for _ in range(3)] == [404, 404, 429]
    assert table.get(who="seat:0").status_code == 200


def test_guessing_tokens_ends_and_takes_nothing_from_the_good_ones(table: Table) -> None:
    limit(table.client.application, failures=3, reads=100)
    guesses = [table.get(headers=NOBODY) for _ in range(3)]
    guesses += [table.client.get(table.url, headers={"Authorization": "Bearer bricabrac_key_x"})]
    assert [answer.status_code for answer in guesses] == [401, 401, 401, 429]
    assert problem(guesses[3], 429, "rate_limited")["violated_policies"] == ["failures"]
    assert told(guesses[0], "RateLimit") == {"failures": {"r": 2, "t": WINDOW}}
    problem(table.send(COLUMN, None), 429, "rate_limited")
    no_key = {"Authorization": "Bearer bricabrac_key_x"}
    problem(table.client.get("/v1/limits", headers=no_key), 429, "rate_limited")
    assert table.get(who="seat:0").status_code == 200
    elsewhere = table.client.get(table.url, headers=NOBODY, environ_base={"REMOTE_ADDR": "192.0.2.9"})
    problem(elsewhere, 401, "token_unknown")


def test_what_keeps_the_service_going_is_not_counted(table: Table) -> None:
    limit(table.client.application, reads=1, writes=1)
    all_at_work(table.play.journal)  # type: ignore[arg-type]
    for path in ("/livez", "/readyz", "/", "/openapi.yaml", "/problems/rate_limited", "/v1/limits"):
        for _ in range(3):
            answer = table.client.get(path)
            assert answer.status_code == 200, path
            assert "RateLimit" not in answer.headers
    assert table.client.options("/v1/games").status_code == 200
    assert table.client.get("/v1/games").status_code == 200


def test_retry_after_comes_with_429_and_503_only(own_server: EmbeddedServer) -> None:
    client, play = another_process(own_server)
    table = lay(client, play)
    limit(client.application, reads=12, writes=6)
    seen: dict[int, set[bool]] = {}

    def note(answer: TestResponse) -> None:
        seen.setdefault(answer.status_code, set()).add("Retry-After" in answer.headers)

    for number in range(9):
        note(table.get(who="seat:0"))
        note(table.get("?at=99", "seat:0"))
        note(table.get(headers=NOBODY))
        note(table.send([COLUMN, {}, COLUMN][number % 3], table.acting if number < 4 else "host"))
        note(table.send(COLUMN, "seat:1", {"If-Match": '"v99"'}))
    own_server.stop()
    note(client.get(table.url, headers=table.bearer("seat:1")))
    assert set(seen) >= {200, 201, 401, 403, 404, 412, 422, 429, 503}
    assert {status for status, with_it in seen.items() if True in with_it} == {429, 503}
    assert seen[429] == seen[503] == {True}


def test_the_list_of_limits_tells_what_is_on_and_where_the_caller_stands(table: Table) -> None:
    client = table.client
    limit(client.application, writes=500, reads=100, creations=5, failures=9)
    for _ in range(3):
        table.get(who="seat:0")
    table.get()
    table.get(headers=NOBODY)
    post(client, "/v1/matches", TABLE)

    def left(headers: dict[str, str]) -> dict[str, int]:
        items = client.get("/v1/limits", headers=headers).json["items"]
        assert {item["window"] for item in items} == {WINDOW}
        return {item["name"]: item["remaining"] for item in items}

    both = {"creations": 4, "failures": 8}
    assert left(table.bearer("seat:0")) == {"writes": 500, "reads": 97, **both}
    assert left({}) == {"writes": 499, "reads": 99, **both}
    assert left(key(client, "create")) == {"writes": 500, "reads": 100, "creations": 5, "failures": 8}
    problem(
        client.get("/v1/limits", headers={"Authorization": "Bearer bricabrac_key_x"}), 401, "token_unknown"
    )


def test_while_the_counts_are_away_the_games_go_on(table: Table, own_server: EmbeddedServer) -> None:
    elsewhere = another_process(own_server)[0].application
    limit(elsewhere, writes=1, reads=1)
    own, other = (app.extensions["dependencies"] for app in (table.client.application, elsewhere))
    table.client.application.extensions["dependencies"] = replace(own, limiter=other.limiter)
    own_server.stop()
    for _ in range(5):
        assert table.step() is not None
        answer = table.get()
        assert answer.status_code == 200
        assert "RateLimit" not in answer.headers


def test_the_limits_that_come_with_the_service_are_generous(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WRITES", "READS", "CREATIONS", "FAILURES"):
        monkeypatch.delenv(f"LIMIT_{name}")
    settings.cache_clear()
    policies = policies_of(settings())
    settings.cache_clear()
    assert {name: policy.quota / policy.window for name, policy in policies.items()} == {
        "writes": 100,
        "reads": 500,
        "creations": 50,
        "failures": 5,
    }
