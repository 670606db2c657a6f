"""Who may do what at a private table: every endpoint there is, with every kind of credential."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from domain.match.commands import RotateToken
from service.auth.api_keys import new_key
from service.clock import now
from service.http.pages.assets import url_of
from service.matches.play import Play
from service.matches.requests import Request
from tests.service.http.routes import ASSET
from tests.service.http.table import JSON, NAMES, Table, lay, named, post, private_table, problem

SEED = "05" * 32  # seat 0 begins
RECEIVER = "https://8.8.8.8/"
MISSING, UNKNOWN = "401 token_missing", "401 token_unknown"
NOBODY = {"nobody": MISSING, "wrong": UNKNOWN, "left": UNKNOWN, "another match's": UNKNOWN, "key": UNKNOWN}
KEYS = {"key": "200", "key of all": "200"}
SEES = {"own": "200", "other": "200", "spectator": "200", "host": "200", "key of all": "200"}
CREDENTIALS = (*NOBODY, *SEES)


def everybody(answer: str) -> dict[str, str]:
    return dict.fromkeys(CREDENTIALS, answer)


def only(key: str = MISSING, **answers: str) -> dict[str, str]:
    """Nobody without a token of the match, nor an API key; whoever has one as it says."""
    return NOBODY | {"key of all": key} | answers


KEY_ONLY = everybody(MISSING) | KEYS
SEAT = {"host": "403 seat_required", "spectator": "403 seat_required"}
HOST = dict.fromkeys(("own", "other", "spectator"), "403 host_required")
M, W = "/v1/matches/<match_id>", "/v1/webhooks"
NO_SCOPE = {"nobody": MISSING, "key of all": "403 scope_required"}
HOOKS = NOBODY | NO_SCOPE | {"spectator": "403 seat_required", "key": "404 match_not_found"}
OWN_HOOK = everybody("404 webhook_not_found") | NO_SCOPE
EXPECTED: dict[str, Mapping[str, str]] = {
    "GET /": everybody("200"),
    "GET /.well-known/bricabrac-keys": everybody("200"),
    "GET /livez": everybody("200"),
    "GET /readyz": everybody("503 not_ready"),  # nobody is at work here
    "GET /openapi.yaml": everybody("200"),
    "GET /problems": everybody("200"),
    "GET /problems/<code>": everybody("200"),
    "GET /docs": everybody("200"),
    "GET /docs/<guide>": everybody("200"),
    "GET /docs/<name>.svg": everybody("200"),
    f"GET {ASSET}": everybody("200"),
    "GET /v1/limits": everybody("200"),
    "GET /v1/games": everybody("200"),
    "GET /v1/games/<game>": everybody("200"),
    "GET /v1/games/<game>/rules": everybody("200"),
    "GET /v1/rules": everybody("200"),
    "GET /v1/matches": everybody("200"),
    "GET /v1/matches mine": dict.fromkeys(SEES, "200")
    | {"nobody": MISSING, "wrong": UNKNOWN, "left": UNKNOWN, "another match's": "200", "key": "200"},
    "POST /v1/matches": everybody("201") | {"key of all": "403 scope_required"},
    f"GET {M}": NOBODY | SEES,
    f"GET {M}/log": NOBODY | SEES,
    f"GET {M}/score": NOBODY | SEES,
    f"GET {M}/legal": only(own="200", other="200", **SEAT),
    f"POST {M}/commands a move": only(own="201", other="409 not_your_turn", **SEAT),
    f"POST {M}/commands a rehearsal": only(own="200", other="409 not_your_turn", **SEAT),
    f"POST {M}/commands close": only(host="201", **HOST),
    f"POST {M}/commands kick": only(host="201", **HOST),
    f"POST {M}/seats with an invite": everybody("201"),
    f"POST {M}/seats without": everybody("409 illegal_command"),
    f"DELETE {M}/seats/<int:seat>": only(
        own="200", **dict.fromkeys(("other", "host", "spectator"), "403 own_seat_required")
    ),
    f"POST {M}/seats/<int:seat>/invite": only(host="201", **HOST),
    f"POST {M}/tokens": only(own="201", other="201", host="201", spectator="403 seat_required"),
    f"POST {M}/invites": only(host="201", **HOST),
    f"GET {M}/invites": only(host="200", **HOST),
    f"DELETE {M}/invites/<int:invite>": only(host="200", **HOST),
    f"POST {M}/spectators": everybody("201"),
    f"POST {M}/tickets": NOBODY | dict.fromkeys(SEES, "201"),
    f"POST {W}": HOOKS | dict.fromkeys(("own", "other", "host"), "201"),
    f"GET {W}": HOOKS | dict.fromkeys(("own", "other", "host"), "200"),
    f"GET {W}/<webhook_id>": OWN_HOOK | {"own": "200"},
    f"PATCH {W}/<webhook_id>": OWN_HOOK | {"own": "200"},
    f"DELETE {W}/<webhook_id>": OWN_HOOK | {"own": "204"},
    f"POST {W}/<webhook_id>/rotate": OWN_HOOK | {"own": "200"},
    f"POST {W}/<webhook_id>/ping": OWN_HOOK | {"own": "202"},
    f"GET {W}/<webhook_id>/deliveries": OWN_HOOK | {"own": "200"},
    f"POST {W}/<webhook_id>/deliveries/<delivery_id>/redeliver": OWN_HOOK | {"own": "202"},
    "GET /v1/feed": KEY_ONLY,
    "POST /v1/feed/tickets": KEY_ONLY | {"key": "201", "key of all": "201"},
}
COLUMN = {"type": "choose_column", "column": 3}
BODIES: dict[str, Any] = {
    "POST /v1/matches": {"game": "whatnot", "seats": named("Eve")},
    f"POST {M}/commands a move": COLUMN,
    f"POST {M}/commands a rehearsal": COLUMN,
    f"POST {M}/commands close": {"type": "close_match"},
    f"POST {M}/commands kick": {"type": "seat_bot", "seat": 0, "bot": "random"},
    f"POST {M}/seats without": {"name": "Eve", "seat": 2},
    f"POST {M}/invites": {"to": "spectator"},
    f"PATCH {W}/<webhook_id>": {"enabled": True},
}


@dataclass(frozen=True)
class Crowd:
    """A private match under way, with seat 2 left, and everybody who has, had, or wants something there."""

    table: Table
    shown: Mapping[str, str]  # credential → token or key
    seat_code: str
    spectator_code: str
    hook: str  # the webhook of seat 0
    ping: str  # what was sent to it

    def call(self, endpoint: str, credential: str) -> TestResponse:
        """One call that is right but for its credential."""
        method, rule, *_ = endpoint.split()
        path = (
            rule.replace("<match_id>", self.table.id).replace("<int:seat>", "0").replace("<int:invite>", "2")
        )
        path = (
            path.replace("<game>", "whatnot")
            .replace("<code>", "match_over")
            .replace("<guide>", "verifying")
            .replace("<name>.svg", "overview.svg")
            .replace(ASSET, url_of("pages.css"))
        )
        path += "?mine=true" if endpoint.endswith("mine") else ""
        path += "?dry_run=true" if endpoint.endswith("rehearsal") else ""
        headers = {}
        if credential in self.shown:
            headers["Authorization"] = f"Bearer {self.shown[credential]}"
        path = path.replace("<webhook_id>", self.hook).replace("<delivery_id>", self.ping)
        path += f"?match={self.table.id}" if endpoint == f"GET {W}" else ""
        if method in ("GET", "DELETE"):
            return self.table.client.open(path, method=method, headers=headers)
        body = BODIES.get(endpoint, {})
        body = {"url": RECEIVER, "match": self.table.id} if endpoint == f"POST {W}" else body
        body = {"name": "Eve", "invite": self.seat_code} if "with an" in endpoint else body
        body = {"invite": self.spectator_code} if "spectators" in endpoint else body
        return self.table.client.open(path, method=method, json=body, headers=headers)


@pytest.fixture
def crowd(quick_client: FlaskClient, quick_play: Play) -> Crowd:
    client, play = quick_client, quick_play
    table = private_table(client, play, named(*NAMES), seed=SEED)
    assert table.get(who="host").json["to_act"] == [0]
    assert client.delete(f"{table.url}/seats/2", headers=table.bearer("seat:2")).status_code == 200
    first, second = (table.invite(to="spectator") for _ in range(2))
    admitted = post(client, f"{table.url}/spectators", {"invite": first}).json["tokens"]
    ring = client.application.extensions["dependencies"].keys
    shown = {
        "wrong": "bricabrac_" + "A" * 43,
        "own": table.tokens["seat:0"],
        "other": table.tokens["seat:1"],
        "left": table.tokens["seat:2"],
        "host": table.tokens["host"],
        "spectator": admitted["spectator:1"],
        "another match's": lay(client, play).tokens["seat:0"],
        "key": new_key(ring, "stranger", ["create", "webhooks"], now())[1],
        "key of all": new_key(ring, "watcher", ["read-all"], now())[1],
    }
    hook = post(client, W, {"url": RECEIVER, "match": table.id}, table.bearer("seat:0")).json["id"]
    ping = post(client, f"{W}/{hook}/ping", b"", table.bearer("seat:0")).json["id"]
    return Crowd(table, shown, table.invite(), second, hook, ping)


def endpoints(client: FlaskClient) -> Iterator[str]:
    """Every method of every path that is served."""
    for rule in client.application.url_map.iter_rules():
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            yield f"{method} {rule.rule}"


def test_every_endpoint_that_is_served_is_asked_here(quick_client: FlaskClient) -> None:
    assert {" ".join(endpoint.split()[:2]) for endpoint in EXPECTED} == {*endpoints(quick_client)}


@pytest.mark.parametrize("endpoint", EXPECTED)
def test_every_kind_of_credential_is_tried_at_every_endpoint(endpoint: str) -> None:
    assert EXPECTED[endpoint].keys() == {*CREDENTIALS}


@pytest.mark.parametrize("credential", CREDENTIALS)
@pytest.mark.parametrize("endpoint", EXPECTED)
def test_a_credential_opens_what_is_its_own_and_nothing_else(
    crowd: Crowd, endpoint: str, credential: str
) -> None:
    version = crowd.table.play.load(crowd.table.id).version
    answer = crowd.call(endpoint, credential)
    status, *codes = EXPECTED[endpoint][credential].split()
    if endpoint.endswith("mine") and status == "200":
        own = credential in ("own", "other", "spectator", "host")
        assert ([item["id"] for item in answer.json["items"]] == [crowd.table.id]) is own
    assert str(answer.status_code) == status, answer.text
    for code in codes:
        problem(answer, int(status), code)
    if status == "401":
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    if answer.status_code >= 400:
        assert crowd.table.play.load(crowd.table.id).version == version
        assert crowd.table.id not in answer.headers.get("Location", "")
        strangers = (*NOBODY, "key of all")
        if credential in strangers:
            assert "version" not in answer.json, "a stranger is told nothing of the match"


@pytest.mark.parametrize("part", ["", "/log", "/score"])
def test_an_api_key_sees_the_private_match_that_it_created(
    quick_client: FlaskClient, quick_play: Play, part: str
) -> None:
    """The edge that creates a match for a key writes its id beside the match."""
    table = private_table(quick_client, quick_play)
    ring = quick_client.application.extensions["dependencies"].keys
    (own, shown), (_, others) = (new_key(ring, name, ["create"], now()) for name in ("own", "others"))
    owned = {"owner": own.id}
    quick_play.do(quick_play.load(table.id), [RotateToken()], Request("seat:0", fields=owned))
    for key, status in ((shown, 200), (others, 401)):
        headers = {"Authorization": f"Bearer {key}", "Accept": JSON}
        assert quick_client.get(table.url + part, headers=headers).status_code == status
