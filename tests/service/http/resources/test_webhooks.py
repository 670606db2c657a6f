"""Webhooks over HTTP: who may register what, who sees it, what is refused, and what is shown only once."""

import base64
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.auth import tokens
from service.auth.api_keys import new_key
from service.http.judgement.callers import dependencies
from service.matches.play import Play
from service.settings import settings
from service.webhooks.model import EVENTS, GRACE_MS, MOST_HOOKS, MOST_SECRETS, Delivery
from tests.service.http.contract import Contract
from tests.service.http.table import NONE, Headers, Table, lay, post, problem

URL = "https://inner.test/hook"
HOOKS = "/v1/webhooks"
KeyMaker = Callable[..., dict[str, str]]


@pytest.fixture(autouse=True)
def inner_hosts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A host that the operator allows."""
    monkeypatch.setenv("WEBHOOK_HOSTS", "inner.test")
    settings.cache_clear()
    yield
    settings.cache_clear()


@pytest.fixture
def contract(client: FlaskClient) -> Iterator[Contract]:
    """Every answer is as documented."""
    held = Contract(client.application)
    yield held
    assert held.flaws == set()


@pytest.fixture
def table(contract: Contract, client: FlaskClient, play: Play) -> Table:
    return lay(client, play)


@pytest.fixture
def key(client: FlaskClient) -> KeyMaker:
    """Makes the header of a fresh API key."""

    def make(*scopes: str) -> dict[str, str]:
        with client.application.app_context():
            _, shown = new_key(dependencies().keys, "Test", scopes or ("webhooks",), 0)
            return {"Authorization": f"Bearer {shown}"}

    return make


def register(client: FlaskClient, who: Headers, **body: Any) -> TestResponse:
    return post(client, HOOKS, {"url": URL, **body}, who)


def own(client: FlaskClient, who: Headers, query: str = "") -> list[dict[str, Any]]:
    """The webhooks of somebody."""
    listed = client.get(f"{HOOKS}{query}", headers=who)
    assert listed.status_code == 200, listed.json
    return list(listed.json["items"])


def everything(client: FlaskClient, hook: str, who: Headers) -> list[TestResponse]:
    """Every call about one webhook, the deletion last."""
    own = f"{HOOKS}/{hook}"
    return [
        client.get(own, headers=who),
        client.patch(own, json={"enabled": True}, headers=who),
        client.post(f"{own}/rotate", headers=who),
        client.post(f"{own}/ping", headers=who),
        client.get(f"{own}/deliveries", headers=who),
        client.post(f"{own}/deliveries/{hook}-ping-x/redeliver", headers=who),
        client.delete(own, headers=who),
    ]


def test_a_webhook_is_registered_and_read_again_without_its_secret(
    client: FlaskClient, table: Table, key: KeyMaker
) -> None:
    who = key()
    made = register(client, who, events=["match.finished", "match.turn", "match.turn"])
    assert made.status_code == 201
    assert made.headers["Cache-Control"] == "no-store"
    shown = dict(made.json)
    secret = shown.pop("secret")
    assert secret.startswith("whsec_")
    assert len(base64.b64decode(secret.removeprefix("whsec_"), validate=True)) == 32
    assert shown["events"] == ["match.turn", "match.finished"]
    assert (shown["url"], shown["match"], shown["enabled"]) == (URL, None, True)
    read = client.get(made.headers["Location"], headers=who)
    assert read.json == shown
    assert own(client, who) == [shown]
    assert table.version == 1


def test_all_news_are_meant_where_none_are_named(client: FlaskClient, table: Table) -> None:
    made = register(client, table.bearer("seat:1"), match=table.id).json
    assert (made["events"], made["match"]) == ([*EVENTS], table.id)


def test_only_who_registered_a_webhook_knows_of_it(
    client: FlaskClient, play: Play, table: Table, key: KeyMaker
) -> None:
    other = lay(client, play)
    owners = [key(), key(), *map(table.bearer, ("seat:0", "seat:1", "host")), other.bearer("seat:0")]
    for owner in owners:
        match = {other.tokens["seat:0"]: other.id}.get(owner["Authorization"].split()[1], table.id)
        hook = register(client, owner, match=match).json["id"]
        for stranger in owners:
            if stranger is not owner:
                for answer in everything(client, hook, stranger):
                    problem(answer, 404, "webhook_not_found")
        for answer in everything(client, hook, {}):
            problem(answer, 401, "token_missing")
        own_ones = own(client, owner, f"?match={match}")
        assert [one["id"] for one in own_ones] == [hook]


def test_a_key_registers_for_what_it_may_see_and_nothing_else(
    client: FlaskClient, play: Play, contract: Contract, key: KeyMaker
) -> None:
    public, private = lay(client, play), lay(client, play, private=True)
    assert register(client, key(), match=public.id).status_code == 201
    problem(register(client, key(), match=private.id), 404, "match_not_found")
    assert register(client, key("webhooks", "read-all"), match=private.id).status_code == 201
    problem(register(client, key(), match="m_" + "a" * 26), 404, "match_not_found")
    problem(register(client, key(), match="7"), 404, "match_not_found")
    for scopes in (("create",), ("read-all",), ("create", "read-all")):
        problem(register(client, key(*scopes)), 403, "scope_required")
        problem(client.get(HOOKS, headers=key(*scopes)), 403, "scope_required")


def test_a_token_registers_for_its_own_match_and_has_to_say_so(
    client: FlaskClient, play: Play, table: Table
) -> None:
    who, other = table.bearer("seat:0"), lay(client, play)
    refused = problem(register(client, who), 422, "validation_error")
    assert [error["pointer"] for error in refused["errors"]] == ["/match"]
    problem(register(client, who, match=other.id), 401, "token_unknown")
    problem(register(client, {}, match=table.id), 401, "token_missing")
    problem(register(client, {"Authorization": "Bearer bricabrac_x"}, match=table.id), 401, "token_unknown")
    unknown = {"Authorization": "Bearer bricabrac_key_x"}
    problem(register(client, unknown), 401, "token_unknown")
    problem(client.get(f"{HOOKS}?match={other.id}", headers=who), 401, "token_unknown")
    problem(client.get(HOOKS, headers=who), 422, "validation_error")
    problem(client.get(HOOKS), 401, "token_missing")


def test_a_webhook_goes_with_the_token_or_key_it_was_registered_with(
    client: FlaskClient, play: Play, table: Table, key: KeyMaker
) -> None:
    seat, api = table.bearer("seat:0"), key()
    hooks = [(register(client, who, match=table.id).json["id"], who) for who in (seat, api)]
    store, head = play.journal.client, play.journal.keys.of_match(table.id, "head")  # type: ignore[attr-defined]
    store.hset(head, "token:seat:0", tokens.digest("another"))
    with client.application.app_context():
        keys = dependencies().keys
        assert keys.revoke(keys.every()[0].id)
    for answer in everything(client, hooks[0][0], seat):
        problem(answer, 404, "webhook_not_found")
    for answer in everything(client, hooks[1][0], api):
        problem(answer, 401, "token_unknown")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/url"),
        ({"url": None}, "/url"),
        ({"url": 7}, "/url"),
        ({"url": ""}, "/url"),
        ({"url": "x" * 501}, "/url"),
        ({"url": "ftp://inner.test/"}, "/url"),
        ({"url": "https://ada:secret@inner.test/"}, "/url"),
        ({"url": "http://localhost:8000/"}, "/url"),
        ({"url": "http://127.0.0.1/"}, "/url"),
        ({"url": "http://[::ffff:10.0.0.1]/"}, "/url"),
        ({"url": "http://169.254.169.254/latest/meta-data"}, "/url"),
        ({"url": "http://2130706433/"}, "/url"),
        ({"url": "http://no-such-host.invalid/"}, "/url"),
        ({"url": URL, "events": []}, "/events"),
        ({"url": URL, "events": ["ping"]}, "/events/0"),
        ({"url": URL, "events": ["match.turn", 7]}, "/events/1"),
        ({"url": URL, "events": "match.turn"}, "/events"),
        ({"url": URL, "events": ["match.turn"] * 50}, "/events"),
        ({"url": URL, "match": 7}, "/match"),
        ({"url": URL, "secret": "mine"}, "/secret"),
        ([], ""),
        ("hook", ""),
    ],
)
def test_what_cannot_be_registered_is_422_with_a_pointer_and_nothing_is_kept(
    client: FlaskClient, contract: Contract, key: KeyMaker, body: Any, pointer: str
) -> None:
    who = key()
    document = problem(post(client, HOOKS, body, who), 422, "validation_error")
    assert document["errors"][0]["pointer"] == pointer
    assert own(client, who) == []


def test_a_refused_url_does_not_tell_what_is_inside(
    client: FlaskClient, contract: Contract, key: KeyMaker
) -> None:
    told = {
        register(client, key(), url=f"http://{host}/").json["detail"]
        for host in ("localhost", "10.0.0.1", "no-such-host.invalid", "169.254.169.254")
    }
    assert told == {"/url: The host has no public address."}


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, ""),
        ({"url": "http://127.0.0.1/"}, "/url"),
        ({"events": []}, "/events"),
        ({"enabled": 1}, "/enabled"),
        ({"enabled": "true"}, "/enabled"),
        ({"match": None}, "/match"),
        ({"id": "h_x"}, "/id"),
    ],
)
def test_what_cannot_be_changed_is_422_and_changes_nothing(
    client: FlaskClient, contract: Contract, key: KeyMaker, body: Any, pointer: str
) -> None:
    who = key()
    hook = register(client, who).json
    document = problem(client.patch(f"{HOOKS}/{hook['id']}", json=body, headers=who), 422, "validation_error")
    assert document["errors"][0]["pointer"] == pointer
    assert own(client, who) == [{name: value for name, value in hook.items() if name != "secret"}]


def test_what_is_changed_is_changed_and_the_rest_stays(
    client: FlaskClient, contract: Contract, key: KeyMaker
) -> None:
    who = key()
    hook = register(client, who, events=["match.turn"]).json["id"]

    def change(**body: Any) -> tuple[Any, ...]:
        done = client.patch(f"{HOOKS}/{hook}", json=body, headers=who)
        assert done.status_code == 200, done.json
        return tuple(done.json[name] for name in ("url", "events", "enabled"))

    assert change(url=URL + "/2") == (URL + "/2", ["match.turn"], True)
    assert change(events=["match.closed"]) == (URL + "/2", ["match.closed"], True)
    assert change(enabled=False) == (URL + "/2", ["match.closed"], False)
    problem(client.post(f"{HOOKS}/{hook}/ping", headers=who), 409, "webhook_disabled")
    assert change(enabled=True, url=URL) == (URL, ["match.closed"], True)


def test_a_deleted_webhook_is_gone_with_its_deliveries(
    client: FlaskClient, play: Play, contract: Contract, key: KeyMaker
) -> None:
    who = key()
    hook = register(client, who).json["id"]
    sent = client.post(f"{HOOKS}/{hook}/ping", headers=who).json["id"]
    gone = client.delete(f"{HOOKS}/{hook}", headers=who)
    assert (gone.status_code, gone.data) == (204, b"")
    for answer in everything(client, hook, who):
        problem(answer, 404, "webhook_not_found")
    assert own(client, who) == []
    with client.application.app_context():
        assert dependencies().webhooks.delivery(sent) is None
    store = play.journal.client  # type: ignore[attr-defined]
    assert list(store.scan_iter("{hooks}*")) == [], "nothing is left of it"


def test_there_is_a_most_for_each_owner_and_room_again_after_one_is_deleted(
    client: FlaskClient, contract: Contract, key: KeyMaker
) -> None:
    who = key()
    hooks = [register(client, who).json["id"] for _ in range(MOST_HOOKS)]
    problem(register(client, who), 409, "too_many_webhooks")
    assert register(client, key()).status_code == 201
    client.delete(f"{HOOKS}/{hooks[0]}", headers=who)
    assert register(client, who).status_code == 201
    assert [one["id"] for one in own(client, who)][:1] != hooks[:1]


def test_a_repeated_registration_is_answered_as_the_first_and_another_with_its_key_is_refused(
    client: FlaskClient, contract: Contract, key: KeyMaker
) -> None:
    who = key()
    repeated = {**who, "Idempotency-Key": "once"}
    first, second = register(client, repeated), register(client, repeated)
    assert first.data == second.data
    assert ("Idempotent-Replayed" in first.headers, second.headers["Idempotent-Replayed"]) == (False, "true")
    problem(register(client, repeated, events=["match.turn"]), 422, "idempotency_key_reused")
    assert len(own(client, who)) == 1
    elsewhere = register(client, {**key(), "Idempotency-Key": "once"})
    assert elsewhere.json["id"] != first.json["id"], "keys are each owner's own"


def test_a_registration_is_repeated_to_nobody_whose_token_is_no_more(
    client: FlaskClient, play: Play, table: Table
) -> None:
    who = {**table.bearer("host"), "Idempotency-Key": "once"}
    assert register(client, who, match=table.id).status_code == 201
    head = play.journal.keys.of_match(table.id, "head")  # type: ignore[attr-defined]
    play.journal.client.hset(head, "token:host", tokens.digest("another"))  # type: ignore[attr-defined]
    problem(register(client, who, match=table.id), 404, "webhook_not_found")


def test_a_full_store_refuses_a_webhook_as_its_own_trouble(
    client: FlaskClient, play: Play, contract: Contract, key: KeyMaker
) -> None:
    who, store = key(), play.journal.client  # type: ignore[attr-defined]
    hook = register(client, who).json["id"]
    store.config_set("maxmemory", 1)
    try:
        problem(register(client, who), 503, "store_full")
        for what in ("rotate", "ping"):
            problem(client.post(f"{HOOKS}/{hook}/{what}", headers=who), 503, "store_full")
    finally:
        store.config_set("maxmemory", 0)
    assert [one["id"] for one in own(client, who)] == [hook]


def test_secrets_are_replaced_one_after_the_other_and_all_sign_for_a_day(
    client: FlaskClient, play: Play, contract: Contract, key: KeyMaker
) -> None:
    who = key()
    made = register(client, who).json
    shown = [made["secret"]]
    for _ in range(MOST_SECRETS + 2):
        shown.insert(0, client.post(f"{HOOKS}/{made['id']}/rotate", headers=who).json["secret"])
    assert len(set(shown)) == MOST_SECRETS + 3
    with client.application.app_context():
        hook = dependencies().webhooks.find(made["id"])
    assert hook is not None
    assert hook.signing(play.clock()) == shown[:MOST_SECRETS]
    assert hook.signing(play.clock() + GRACE_MS + 1) == shown[:1]


def test_a_repeated_replacement_shows_the_same_secret_again(
    client: FlaskClient, contract: Contract, key: KeyMaker
) -> None:
    who = key()
    hook = register(client, who).json["id"]
    once = {**who, "Idempotency-Key": "once"}
    first, again, other = (
        client.post(f"{HOOKS}/{hook}/rotate", headers=headers) for headers in (once, once, who)
    )
    assert first.json["secret"] == again.json["secret"] != other.json["secret"]
    assert again.headers["Idempotent-Replayed"] == "true"
    problem(
        client.post(f"{HOOKS}/{hook}/rotate", headers={**who, "Idempotency-Key": ""}),
        400,
        "idempotency_key_invalid",
    )


def test_deliveries_are_listed_newest_first_in_pages(
    client: FlaskClient, contract: Contract, key: KeyMaker
) -> None:
    who = key()
    hook = register(client, who).json["id"]
    with client.application.app_context():
        for n in range(5):
            dependencies().webhooks.deliver(Delivery(f"{hook}-ping-{n}", hook, "ping", "{}", n), 10**15)
    listed, query = list[str](), "?limit=2"
    for _ in range(3):
        page = client.get(f"{HOOKS}/{hook}/deliveries{query}", headers=who).json
        listed += [one["id"] for one in page["items"]]
        query = f"?limit=2&cursor={page['next']}"
    assert page["next"] is None
    assert listed == [f"{hook}-ping-{n}" for n in (4, 3, 2, 1, 0)]
    for query, pointer in (
        ("cursor=x", "/cursor"),
        ("limit=0", "/limit"),
        ("limit=201", "/limit"),
        ("a=1", "/a"),
    ):
        refused = client.get(f"{HOOKS}/{hook}/deliveries?{query}", headers=who)
        assert problem(refused, 422, "validation_error")["errors"][0]["pointer"] == pointer


def test_a_delivery_of_another_webhook_is_not_there(
    client: FlaskClient, contract: Contract, key: KeyMaker
) -> None:
    who, other = key(), key()
    mine, others = register(client, who).json["id"], register(client, other).json["id"]
    sent = client.post(f"{HOOKS}/{others}/ping", headers=other).json["id"]
    for delivery in (sent, "x", f"{mine}-ping-1", "x" * 4000):
        refused = client.post(f"{HOOKS}/{mine}/deliveries/{delivery}/redeliver", headers=who)
        problem(refused, 404, "delivery_not_found")
    assert client.post(f"{HOOKS}/{others}/deliveries/{sent}/redeliver", headers=other).status_code == 202


@pytest.mark.parametrize("path", [HOOKS, f"{HOOKS}/{{id}}"])
def test_a_body_that_is_no_json_or_too_large_is_refused(
    client: FlaskClient, contract: Contract, key: KeyMaker, path: str
) -> None:
    who = key()
    path = path.format(id=register(client, who).json["id"])
    method = "POST" if path == HOOKS else "PATCH"

    def send(body: bytes, kind: str) -> TestResponse:
        return client.open(path, method=method, data=body, headers={**who, "Content-Type": kind})

    problem(send(b"{}", "text/plain"), 415, "unsupported_media_type")
    problem(send(b"{", "application/json"), 422, "validation_error")
    problem(send(b'{"url": "a", "url": "b"}', "application/json"), 422, "validation_error")
    problem(send(b'"' + b"x" * 70_000 + b'"', "application/json"), 413, "content_too_large")


def test_the_description_says_what_receivers_are_sent(contract: Contract) -> None:
    described = contract.document["webhooks"]
    assert described.keys() == {*EVENTS, "ping"}
    assert all(told["post"]["requestBody"]["required"] for told in described.values())
    told = {
        "type": "match.turn",
        "timestamp": "2026-11-30T02:03:04.123Z",
        "data": {
            "match": "m_a",
            "version": 3,
            "status": "playing",
            "to_act": [0],
            "seats": [0],
            "link": "/v1",
        },
    }
    assert contract.fits(told, "/components/schemas/MatchMessage") == []
    assert contract.fits({**told, "type": "ping"}, "/components/schemas/MatchMessage") != []


def test_no_secret_of_a_webhook_is_ever_logged(
    client: FlaskClient, contract: Contract, key: KeyMaker, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(0)
    who = key()
    made = register(client, who).json
    turned = client.post(f"{HOOKS}/{made['id']}/rotate", headers=who).json
    everything(client, made["id"], who)
    for secret in (made["secret"], turned["secret"], who["Authorization"].split()[1]):
        assert secret not in caplog.text
        assert secret not in str(own(client, who, "") or NONE)
