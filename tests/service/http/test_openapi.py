"""The OpenAPI document is valid, complete, and true of every real answer."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from openapi_spec_validator import OpenAPIV31SpecValidator

from service.embedded import EmbeddedServer
from service.http.problems import KINDS
from service.play import Play
from tests.service.http.contract import Contract
from tests.service.http.table import JSON, NDJSON, PROBLEM, Table, another_process, lay, named, post

ROOT = Path(__file__).parents[3]
COLUMN = {"type": "choose_column", "column": 3}
KEY = {"Idempotency-Key": "a-key-of-sixteen-or-more"}
BODY = {"game": "whatnot", "seats": named("Ann", "Bob")}


@pytest.fixture
def contract(app: Flask) -> Contract:
    return Contract(app)


def test_the_document_is_a_valid_description_in_openapi_3_1_1(contract: Contract) -> None:
    assert contract.document["openapi"] == "3.1.1"
    assert [error.message for error in OpenAPIV31SpecValidator(contract.document).iter_errors()] == []


def test_the_committed_document_is_the_generated_one(client: FlaskClient) -> None:
    committed = ROOT / "openapi.yaml"
    if not committed.exists():
        pytest.skip("none is committed yet")
    assert committed.read_text(encoding="utf-8") == client.get("/openapi.yaml").text


def test_every_operation_has_a_name_of_its_own_a_summary_and_its_refusals(contract: Contract) -> None:
    operations = list(contract.operations())
    names = Counter(operation["operationId"] for _, _, operation in operations)
    assert set(names.values()) == {1}
    for path, _, operation in operations:
        assert operation["summary"].endswith("."), path
        assert operation["description"].endswith("."), path
        assert any(int(status) < 300 for status in operation["responses"])
        refusals = {status: told for status, told in operation["responses"].items() if int(status) >= 400}
        assert refusals, path
        for status, told in refusals.items():
            assert told["content"].keys() == {PROBLEM}, (path, status)


def test_every_code_that_is_documented_is_a_kind_of_problem_under_its_own_status(contract: Contract) -> None:
    for path, _, operation in contract.operations():
        for status, told in operation["responses"].items():
            if int(status) >= 400:
                for line in told["description"].split("\n\n"):
                    kind = KINDS.get(line.split("`")[1]) if line.startswith("`") else None
                    assert kind is not None, (path, status, line)
                    assert kind.status == int(status), (path, line)


@pytest.mark.parametrize(
    ("path", "method", "wanted"),
    [
        ("/v1/matches", "get", {"game", "status", "limit", "cursor"}),
        ("/v1/matches", "post", {"Idempotency-Key"}),
        ("/v1/matches/{match_id}", "get", {"match_id", "at", "Authorization", "If-None-Match"}),
        ("/v1/matches/{match_id}/legal", "get", {"match_id", "limit", "Authorization"}),
        ("/v1/matches/{match_id}/log", "get", {"match_id", "after", "limit", "Authorization"}),
        ("/v1/matches/{match_id}/seats", "post", {"match_id", "Idempotency-Key", "If-Match"}),
        ("/v1/matches/{match_id}/commands", "post", {"Authorization", "Idempotency-Key", "If-Match"}),
    ],
)
def test_every_parameter_that_is_read_is_documented(
    contract: Contract, path: str, method: str, wanted: set[str]
) -> None:
    methods = contract.document["paths"][path]
    listed = [*methods.get("parameters", []), *methods[method].get("parameters", [])]
    asked = ["Authorization"] if methods[method]["security"] else []
    assert wanted <= {*asked, *(parameter["name"] for parameter in listed)}


@pytest.mark.parametrize("seats", [1, 3])
def test_every_answer_of_a_whole_match_is_as_documented(
    contract: Contract, client: FlaskClient, play: Play, seats: int
) -> None:
    table = lay(client, play, [*named("Ann", "Bob", "Cy")[: seats - 1], {"open": True}], KEY)
    seated = post(client, f"{table.url}/seats", {"name": "Zoe", "entropy": "00ff"})
    table = Table(client, play, table.id, table.tokens | seated.json["tokens"])
    for number, _ in enumerate(table.steps()):
        for who in table.viewers if number % 6 == 0 else ():
            for part in ("", "?at=1", "/log", "/score", "/legal", "/log?limit=2"):
                table.get(part, who)
            table.get(who=who, headers={"If-None-Match": "*"})
            table.get("/log", who, {"Accept": NDJSON})
        assert contract.flaws == set()
    games = ("/v1/games", "/v1/games/whatnot", "/v1/matches")
    for path in (*games, "/", "/readyz", "/livez", "/problems/match_over", "/openapi.yaml"):
        assert client.get(path).status_code == 200
    assert contract.flaws == set()
    answered = {name for name, status, _ in contract.seen if status < 300}
    assert answered == {operation["operationId"] for _, _, operation in contract.operations()}


def refuse_everything(table: Table) -> None:
    """Calls that are refused for every reason that a caller can have."""
    client, who = table.client, table.acting
    bodies: list[Any] = [b"{", {}, [], BODY, COLUMN, {"name": ""}, b"x" * 70_000, {"name": "Eve"}]
    headers: list[dict[str, str]] = [
        {},
        KEY,
        {"Idempotency-Key": "a b"},
        {"If-Match": "seven"},
        {"If-Match": '"v999"'},
        {"Content-Type": "text/plain"},
        {"Authorization": "Bearer of-nobody"},
        table.bearer(who),
        table.bearer(table.waiting),
        table.bearer(who) | KEY,
        table.bearer(who) | {"If-Match": '"v999"'},
        table.bearer(who) | {"If-Match": "seven"},
        table.bearer(who) | {"Content-Type": "text/plain"},
        table.bearer(who) | {"Idempotency-Key": "a b"},
    ]
    for path in ("/v1/matches", f"{table.url}/seats", f"{table.url}/commands", "/v1/matches/m_x/seats"):
        for body in bodies:
            for header in headers:
                post(client, path, body, header)
    for match in (table.url, "/v1/matches/m_x"):
        for part in ("", "?at=0", "?at=999", "/log?limit=0", "/legal", "/legal?limit=0", "/score"):
            for header in [*headers, table.bearer("host")]:
                client.get(match + part, headers={"Accept": JSON, **header})
        client.get(f"{match}/log", headers={"Accept": "image/png"})
    for path in ("/v1/games/chess", "/problems/none", "/v1/matches?limit=0", "/v1/matches?cursor=a"):
        client.get(path)


def test_every_refusal_that_can_be_had_is_documented_where_it_was_had(
    contract: Contract, client: FlaskClient, play: Play
) -> None:
    table = lay(client, play, headers=KEY)
    refuse_everything(table)
    table.finish()
    table.send(COLUMN, "seat:0")
    table.send({"type": "release_seed"}, "seat:0")
    assert contract.flaws == set()
    had = {code for _, status, code in contract.seen if status < 500}
    ours = {code for code, kind in KINDS.items() if kind.status < 500}
    assert had - {""} == ours - {"bad_request", "method_not_allowed"}, "all reasons were tried"


def test_what_a_broken_store_makes_us_answer_is_documented_too(own_server: EmbeddedServer) -> None:
    client, play = another_process(own_server)
    contract = Contract(client.application)
    table, broken = lay(client, play), lay(client, play)
    for _ in range(3):
        Table(*another_process(own_server), broken.id, broken.tokens).step()
    play.journal.client.xdel(play.journal.keys.of_match(broken.id, "log"), "3-0")  # type: ignore[attr-defined]
    _try_everything(broken)
    assert contract.flaws == set()
    own_server.stop()
    _try_everything(table)
    _try_everything(Table(client, play, "m_" + "a" * 26, table.tokens))
    post(client, "/v1/matches", BODY)
    for path in ("/v1/matches", "/readyz"):
        client.get(path)
    assert contract.flaws == set()
    had = {code for _, _, code in contract.seen}
    assert had >= {"store_unavailable", "outcome_unknown", "match_quarantined"}


def _try_everything(table: Table) -> None:
    for part in ("", "?at=2", "/log", "/score", "/legal"):
        table.get(part, "seat:0")
    for who in ("seat:0", "seat:1", "host"):
        table.send(COLUMN, who)
        table.send([], who, KEY)
    post(table.client, f"{table.url}/seats", {"name": "Eve"})
