"""The OpenAPI document is valid, complete, and true of every real answer."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from openapi_spec_validator import OpenAPIV31SpecValidator

from domain.games import AnyGame, games
from domain.stored import stored_as
from service.auth.api_keys import new_key
from service.bootstrap import bootstrap
from service.http.app import create_app
from service.http.protocol.problems import KINDS
from service.matches.play import Play
from service.rate_limits.policy import Policy
from service.run.embedded import EmbeddedServer
from service.webhooks.model import MOST_HOOKS
from tests.installed import only_ours
from tests.playing import twin_of
from tests.service.http.at_work import all_at_work
from tests.service.http.contract import Contract
from tests.service.http.goings import come_and_go, refuse_comings_and_goings
from tests.service.http.live_calls import everything_live, full_house
from tests.service.http.table import JSON, NDJSON, PROBLEM, Table, another_process, lay, named, post

ROOT = Path(__file__).parents[4]
COLUMN = {"type": "choose_column", "column": 3}
KEY = {"Idempotency-Key": "a-key-of-sixteen-or-more"}
BODY = {"game": "whatnot", "seats": named("Ann", "Bob")}
LOST = f"/log?after=1&after_hash={'0' * 16}"  # as after a restore: a commit that the log does not have


@pytest.fixture
def contract(app: Flask) -> Contract:
    return Contract(app)


def test_the_document_is_a_valid_description_in_openapi_3_1_1(contract: Contract) -> None:
    assert contract.document["openapi"] == "3.1.1"
    assert [error.message for error in OpenAPIV31SpecValidator(contract.document).iter_errors()] == []


def test_the_committed_document_is_the_generated_one_of_the_games_that_come_with_the_service(
    play: Play,
) -> None:
    with only_ours():
        client = create_app(bootstrap(play.journal.client, play=play)).test_client()  # type: ignore[attr-defined]
        served = client.get("/openapi.yaml").text
    assert (ROOT / "openapi.yaml").read_text(encoding="utf-8") == served


@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_the_document_has_every_command_and_refusal_of_every_installed_game(
    contract: Contract, game: AnyGame
) -> None:
    schemas = contract.document["components"]["schemas"]
    union = schemas[f"{game.name}.command"]
    assert [*union["discriminator"]["mapping"]] == [stored_as(kind).name for kind in game.commands]
    assert {"$ref": f"#/components/schemas/{game.name}.command"} in schemas["Command"]["anyOf"]
    assert {*map(str, game.refusals)} <= {*schemas["Rule"]["enum"]}


@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_every_answer_of_a_match_of_every_installed_game_is_as_documented(
    contract: Contract, client: FlaskClient, play: Play, game: AnyGame
) -> None:
    table = lay(client, play, game.seats[0], game=game.name, options=twin_of(game).SHORT)
    for number, _ in enumerate(table.steps()):
        for who in table.viewers if number % 6 == 0 else ():
            for part in ("", "?at=1", "/log", "/score", "/legal"):
                table.get(part, who)
        assert contract.flaws == set()
    for path in (f"/v1/games/{game.name}", f"/v1/games/{game.name}/rules", f"/v1/matches?game={game.name}"):
        assert client.get(path).status_code == 200
    assert contract.flaws == set()


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
        (
            "/v1/matches/{match_id}/log",
            "get",
            {"wait", "follow", "ticket", "lastEventId", "Last-Event-ID", "Prefer"},
        ),
        ("/v1/matches/{match_id}/tickets", "post", {"match_id", "Authorization"}),
        ("/v1/feed", "get", {"cursor", "limit", "wait", "follow", "ticket", "Last-Event-ID", "Prefer"}),
        ("/v1/feed/tickets", "post", {"Authorization"}),
        ("/v1/matches/{match_id}/seats", "post", {"match_id", "Idempotency-Key", "If-Match"}),
        (
            "/v1/matches/{match_id}/commands",
            "post",
            {"Authorization", "Idempotency-Key", "If-Match", "dry_run"},
        ),
        ("/v1/matches/{match_id}/tokens", "post", {"Authorization", "Idempotency-Key", "If-Match"}),
        ("/v1/matches/{match_id}/seats/{seat}", "delete", {"seat", "Authorization", "Idempotency-Key"}),
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
    come_and_go(client, play)
    all_at_work(play.journal)  # type: ignore[arg-type]
    games = ("/v1/games", "/v1/games/whatnot", "/v1/games/whatnot/rules", "/v1/rules", "/v1/matches")
    pages = (
        "/v1/limits",
        "/.well-known/bricabrac-keys",
        "/",
        "/readyz",
        "/livez",
        "/problems",
        "/problems/match_over",
        "/docs",
        "/docs/verifying",
        "/openapi.yaml",
    )
    for path in (*games, *pages):
        assert client.get(path).status_code == 200
    for path in ("/", "/problems", "/problems/match_over", "/docs/verifying", *games[2:4]):
        assert client.get(path, headers={"Accept": "text/html"}).status_code == 200
    use_webhooks(table)
    assert contract.flaws == set()
    streamed = everything_live(table)
    assert streamed.flaws == set()
    answered = {name for name, status, _ in contract.seen | streamed.seen if status < 300}
    assert answered == {operation["operationId"] for _, _, operation in contract.operations()}


def use_webhooks(table: Table) -> None:
    """Everything that can be done with a webhook."""
    who, hooks = table.bearer("host"), "/v1/webhooks"
    made = post(table.client, hooks, {"url": "https://1.1.1.1/hook", "match": table.id}, who)
    own = f"{hooks}/{made.json['id']}"
    sent = table.client.post(f"{own}/ping", headers=who).json["id"]
    for path in (f"{hooks}?match={table.id}", own, f"{own}/deliveries"):
        assert table.client.get(path, headers=who).status_code == 200
    for path in ("rotate", f"deliveries/{sent}/redeliver"):
        assert table.client.post(f"{own}/{path}", headers=who).status_code in (200, 202)
    assert table.client.patch(own, json={"enabled": False}, headers=who).status_code == 200
    assert table.client.delete(own, headers=who).status_code == 204


def refuse_webhooks(table: Table) -> None:
    """Webhooks that are refused for every reason there is."""
    who, client, hooks = table.bearer("host"), table.client, "/v1/webhooks"
    body = {"url": "https://1.1.1.1/hook", "match": table.id}
    made = [post(client, hooks, body, who).json for _ in range(MOST_HOOKS)]
    post(client, hooks, body, who)
    own = f"{hooks}/{made[0]['id']}"
    client.patch(own, json={"enabled": False}, headers=who)
    for path in ("ping", "deliveries/x/redeliver", "rotate"):
        for hook in (made[0]["id"], made[1]["id"], "h_x"):
            client.post(f"{hooks}/{hook}/{path}", headers=who)
    keys = bootstrap(table.play.journal.client).keys  # type: ignore[attr-defined]
    client.get(hooks, headers={"Authorization": f"Bearer {new_key(keys, 'Test', ['create'], 0)[1]}"})


def refuse_everything(table: Table) -> None:
    """Calls that are refused for every reason that a caller can have."""
    client, who = table.client, table.acting
    bodies: list[Any] = [
        b"{",
        {},
        [],
        BODY,
        [COLUMN, COLUMN],
        COLUMN,
        {"name": ""},
        b"x" * 70_000,
        {"name": "Eve"},
    ]
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
    parts = ("seats", "commands", "commands?dry_run=true", "commands?dry_run=x", "invites", "spectators")
    paths = ("/v1/matches", "/v1/matches/m_x/seats", "/v1/webhooks")
    for path in (*paths, *(f"{table.url}/{part}" for part in parts)):
        for body in bodies:
            for header in headers:
                post(client, path, body, header)
    for match in (table.url, "/v1/matches/m_x"):
        for part in ("", "?at=0", "?at=999", "/log?limit=0", LOST, "/legal", "/legal?limit=0", "/score"):
            for header in [*headers, table.bearer("host")]:
                client.get(match + part, headers={"Accept": JSON, **header})
        client.get(f"{match}/log", headers={"Accept": "image/png"})
    for path in (
        "/v1/games/chess",
        "/v1/games/chess/rules",
        "/problems/none",
        "/docs/none",
        "/v1/matches?limit=0",
        "/v1/matches?cursor=a",
    ):
        client.get(path)
    for header in headers:
        client.get("/v1/matches?mine=true", headers=header)


def _be_without_the_scope(client: FlaskClient) -> None:
    _, shown = new_key(client.application.extensions["dependencies"].keys, "reader", ["read-all"], 0)
    post(client, "/v1/matches", BODY, {"Authorization": f"Bearer {shown}"})


def _come_too_late(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    table.step()
    table.send(COLUMN, table.acting, {"If-Match": '"v1"'})


def _leave_a_match_to_bots(client: FlaskClient, play: Play) -> None:
    """Where that takes an API key."""
    client.application.config["OPEN_BOT_MATCHES"] = False
    post(client, "/v1/matches", BODY | {"seats": [{"bot": "random"}] * 2})
    lay(client, play, [{"open": True}]).send({"type": "start_match"}, "host")


def _use_up_what_may_be_asked_for(client: FlaskClient) -> None:
    client.application.extensions["dependencies"].limiter.policies = {"reads": Policy("reads", 1, 3600)}
    for path in ["/v1/games"] * 3:
        client.get(path)


def test_every_refusal_that_can_be_had_is_documented_where_it_was_had(
    contract: Contract, client: FlaskClient, play: Play
) -> None:
    _come_too_late(client, play)
    table = lay(client, play, headers=KEY)
    refuse_everything(table)
    refuse_comings_and_goings(client, play)
    refuse_webhooks(table)
    table.finish()
    table.send(COLUMN, "seat:0")
    table.send({"type": "release_seed"}, "seat:0")
    _be_without_the_scope(client)
    _leave_a_match_to_bots(client, play)
    streamed, crowded = everything_live(table), full_house(table)
    _use_up_what_may_be_asked_for(client)
    assert contract.flaws | streamed.flaws | crowded.flaws == set()
    had = {code for _, status, code in contract.seen | streamed.seen | crowded.seen if status < 500}
    ours = {code for code, kind in KINDS.items() if kind.status < 500}
    of_the_wire = {"bad_request", "request_timeout", "too_many_unfinished"}  # tests/e2e has them
    assert had - {""} == ours - of_the_wire - {"method_not_allowed", "gone"}, "all reasons were tried"


def test_what_a_broken_store_makes_us_answer_is_documented_too(own_server: EmbeddedServer) -> None:
    client, play = another_process(own_server)
    contract = Contract(client.application)
    table, broken = lay(client, play), lay(client, play)
    for _ in range(3):
        Table(*another_process(own_server), broken.id, broken.tokens).step()
    play.journal.client.xdel(play.journal.keys.of_match(broken.id, "log"), "3-0")  # type: ignore[attr-defined]
    _try_everything(broken)
    assert contract.flaws == set()
    store: Any = play.journal.client  # type: ignore[attr-defined]
    store.config_set("maxmemory", 1)
    _try_everything(table)
    post(client, f"{table.url}/tickets", {}, table.bearer("host"))
    store.config_set("maxmemory", 0)
    assert contract.flaws == set()
    own_server.stop()
    _try_everything(table)
    _try_everything(Table(client, play, "m_" + "a" * 26, table.tokens))
    post(client, "/v1/matches", BODY)
    for path in ("/v1/matches", "/readyz"):
        client.get(path)
    assert contract.flaws == set()
    had = {code for _, _, code in contract.seen}
    assert had >= {"store_unavailable", "store_full", "outcome_unknown", "match_unreadable"}


def _try_everything(table: Table) -> None:
    for part in ("", "?at=2", "/log", "/score", "/legal"):
        table.get(part, "seat:0")
    for who in ("seat:0", "seat:1", "host"):
        table.send(COLUMN, who)
        table.send([], who, KEY)
    post(table.client, f"{table.url}/seats", {"name": "Eve"})
    post(table.client, f"{table.url}/spectators", {"invite": "x"})
    for who in ("seat:0", "host"):
        for part in ("/invites", "/seats/1/invite", "/tokens", "/commands?dry_run=true"):
            table.send(COLUMN, who, part=part)
        for part in ("/seats/0", "/invites/1"):
            table.client.delete(table.url + part, headers=table.bearer(who))
        table.get("/invites", who)
