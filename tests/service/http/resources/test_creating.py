"""Who may create matches: everybody, or API keys only; whose a match is, and whose an Idempotency-Key."""

import pytest
from flask.testing import FlaskClient

from service.auth.api_keys import new_key
from service.matches.play import Play
from service.redis_store.api_keys import RedisApiKeys
from tests.service.http.table import Table, lay, named, post, problem

TABLE = {"game": "whatnot", "seats": named("Ann", "Bob")}
KEY = {"Idempotency-Key": "a-key-of-sixteen-or-more"}
Credential = dict[str, str]


@pytest.fixture
def ring(client: FlaskClient) -> RedisApiKeys:
    found: RedisApiKeys = client.application.extensions["dependencies"].keys
    return found


def bearer(ring: RedisApiKeys, *scopes: str) -> tuple[str, Credential]:
    """The id of a new API key, and its header."""
    key, shown = new_key(ring, "a key", scopes, 0)
    return key.id, {"Authorization": f"Bearer {shown}"}


@pytest.fixture(params=[True, False], ids=["open", "closed"])
def creation(client: FlaskClient, request: pytest.FixtureRequest) -> bool:
    """Whether creation is open to everybody."""
    client.application.config["OPEN_CREATION"] = request.param
    return bool(request.param)


def test_who_has_no_key_creates_only_while_creation_is_open(client: FlaskClient, creation: bool) -> None:
    for headers in ({}, {"Authorization": "Bearer bricabrac_" + "A" * 43}):
        answer = post(client, "/v1/matches", TABLE, headers)
        if creation:
            assert answer.status_code == 201
        else:
            problem(answer, 401, "token_missing")
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert len(client.get("/v1/matches").json["items"]) == (2 if creation else 0)


@pytest.mark.usefixtures("creation")
def test_a_key_that_is_sent_has_to_be_good(client: FlaskClient, ring: RedisApiKeys) -> None:
    id_, revoked = bearer(ring, "create")
    ring.revoke(id_)
    unknown = {"Authorization": "Bearer bricabrac_key_" + "A" * 43}
    for headers in (revoked, unknown):
        problem(post(client, "/v1/matches", TABLE, headers), 401, "token_unknown")
    _, reader = bearer(ring, "read-all", "webhooks")
    problem(post(client, "/v1/matches", TABLE, reader), 403, "scope_required")
    problem(post(client, "/v1/matches", {}, reader), 403, "scope_required")
    assert client.get("/v1/matches").json["items"] == []
    _, creator = bearer(ring, "create")
    assert post(client, "/v1/matches", TABLE, creator).status_code == 201


def test_a_match_belongs_to_the_key_that_created_it(
    client: FlaskClient, play: Play, ring: RedisApiKeys
) -> None:
    id_, creator = bearer(ring, "create")
    owned, free = lay(client, play, headers=creator), lay(client, play)
    assert play.load(owned.id).fields["owner"] == id_
    assert "owner" not in play.load(free.id).fields
    for table in (owned, free):
        table.step()
    assert Play(play.journal).load(owned.id).fields["owner"] == id_
    assert id_ not in owned.get().text, "whose a match is, is told to nobody"


def test_a_creation_repeated_with_the_same_api_key_is_answered_again(
    client: FlaskClient, ring: RedisApiKeys
) -> None:
    _, creator = bearer(ring, "create")
    first = post(client, "/v1/matches", TABLE, creator | KEY)
    again = post(client, "/v1/matches", TABLE, creator | KEY)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.data == first.data
    assert again.headers["Idempotent-Replayed"] == "true"
    problem(post(client, "/v1/matches", {"game": "whatnot"}, creator | KEY), 422, "idempotency_key_reused")


def test_an_idempotency_key_is_each_callers_own(client: FlaskClient, play: Play, ring: RedisApiKeys) -> None:
    callers = [bearer(ring, "create")[1], bearer(ring, "create")[1], {}]
    answers = [post(client, "/v1/matches", TABLE, caller | KEY) for caller in callers]
    assert [answer.status_code for answer in answers] == [201] * 3
    assert not any("Idempotent-Replayed" in answer.headers for answer in answers)
    assert len({answer.json["match"]["id"] for answer in answers}) == 3
    tokens = [token for answer in answers for token in answer.json["tokens"].values()]
    assert len(set(tokens)) == len(tokens)
    for answer in answers:
        assert Table(client, play, answer.json["match"]["id"], answer.json["tokens"]).step() is not None
