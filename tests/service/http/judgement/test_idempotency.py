"""Keys and versions of a write: what makes two requests the same, and which version they are meant for."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.matches.play import Play
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from tests.service.http.table import Table, another_process, every_game, lay, post, problem

COLUMN = {"type": "choose_column", "column": 3}
KEY = {"Idempotency-Key": "0b54b3a8-5a4f-4a76-9a8e-6f2f2f0f7d11"}


@pytest.fixture
def table(client: FlaskClient, play: Play) -> Table:
    return lay(client, play)


def test_an_accepted_command_is_answered_with_all_that_the_next_one_needs(table: Table) -> None:
    who = table.acting
    answer = table.send(COLUMN, who)
    (commit,) = answer.json["commits"]
    assert answer.status_code == 201
    assert (answer.json["version"], answer.headers["ETag"]) == (2, f'"v2-{commit["hash"][:16]}"')
    assert (commit["version"], commit["by"], commit["command"]) == (2, who, COLUMN)
    assert answer.json["to_act"] == table.get().json["to_act"]
    assert answer.json["status"] == "playing"
    led_to = table.client.get(
        answer.headers["Location"], headers=table.bearer(who) | {"Accept": "application/json"}
    )
    assert led_to.json["items"] == [commit]
    assert table.send(table.legal(who)[0], who, {"If-Match": answer.headers["ETag"]}).status_code == 201


def test_the_location_of_a_batch_leads_to_exactly_its_commits(table: Table) -> None:
    who = table.acting
    table.send(COLUMN, who)
    takes = _two_takes(table, who)
    answer = table.send(takes, who)
    assert [commit["command"] for commit in answer.json["commits"]] == takes
    table.step()
    led_to = table.client.get(
        answer.headers["Location"], headers=table.bearer(who) | {"Accept": "application/json"}
    )
    assert led_to.json["items"] == answer.json["commits"]


def test_a_batch_is_accepted_whole_or_not_at_all_and_names_the_command_that_failed(table: Table) -> None:
    who = table.acting
    table.send(COLUMN, who)
    take, another = _two_takes(table, who)
    refused = problem(table.send([take, take], who, KEY), 409, "illegal_command")
    assert refused["pointer"] == "/1"
    assert (table.version, refused["version"]) == (2, 2)
    assert table.send([take, another], who, KEY).status_code == 201, "a refused request leaves its key free"


def test_what_is_public_of_a_keyed_request_differs_between_deployments(
    journal: RedisJournal, server: EmbeddedServer
) -> None:
    """So nobody finds out by trying which key made an id, and asks for its tokens."""
    public = set()
    for _ in range(2):
        journal.client.flushall()  # with the secret goes the deployment
        client, play = another_process(server)
        table = lay(client, play, headers={"Idempotency-Key": "league-7-table-12"}, seed="07" * 32)
        table.send(COLUMN, table.acting, {"Idempotency-Key": "move-2"})
        hooked = post(
            client, "/v1/webhooks", {"url": "https://1.1.1.1/", "match": table.id}, table.bearer("host") | KEY
        )
        log = table.get("/log").json["items"]
        public |= {table.id, hooked.json["id"], *(commit["command_id"] for commit in log)}
    assert len(public) == 8


def test_a_repeated_batch_is_one_batch(table: Table) -> None:
    who = table.acting
    table.send(COLUMN, who)
    batch = _two_takes(table, who)
    first, again = table.send(batch, who, KEY), table.send(batch, who, KEY)
    assert (first.data, first.status_code) == (again.data, again.status_code)
    assert table.version == 4


def test_the_first_answer_comes_again_when_the_match_has_gone_on_and_when_it_is_over(table: Table) -> None:
    who = table.acting
    first = table.send(COLUMN, who, {**KEY, "If-Match": '"v1"'})
    for steps in (1, 5, 1000):
        for _ in zip(range(steps), table.steps(), strict=False):
            pass
        again = table.send(COLUMN, who, {**KEY, "If-Match": '"v1"'})
        assert (again.status_code, again.data) == (201, first.data)
        assert again.headers["Idempotent-Replayed"] == "true"
        assert (again.headers["ETag"], again.headers["Location"]) == (
            first.headers["ETag"],
            first.headers["Location"],
        )
    assert table.get().json["status"] == "finished"


def test_a_repeat_through_a_process_that_has_seen_less_gets_the_first_answer_too(
    table: Table, server: EmbeddedServer
) -> None:
    who = table.acting
    other = Table(*another_process(server), table.id, table.tokens)
    assert other.version == 1
    first = table.send(COLUMN, who, KEY)
    again = other.send(COLUMN, who, KEY)
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize(("game", "seats"), every_game())
def test_a_repeated_creation_is_answered_byte_for_byte_by_another_process_too(
    client: FlaskClient, play: Play, server: EmbeddedServer, game: str, seats: int
) -> None:
    body = {"game": game, "seats": [{"name": f"No {n}", "entropy": "00ff"} for n in range(seats)]}
    first = post(client, "/v1/matches", body, KEY)
    table = Table(client, play, first.json["match"]["id"], first.json["tokens"])
    for _ in range(10):
        table.step()
    for by in (client, another_process(server)[0]):
        again = post(by, "/v1/matches", body, KEY)
        assert (again.status_code, again.data) == (201, first.data)
        assert again.headers["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize(
    "spelt",
    [
        b'{"type":"choose_column","column":3}',
        b'  {"column" : 3,\r\n\t"type" : "choose_column"}\n',
        b'{"type":"\\u0063hoose_column","column":3}',
    ],
)
def test_a_body_that_differs_in_spelling_only_is_the_same_request(table: Table, spelt: bytes) -> None:
    who = table.acting
    first, again = table.send(COLUMN, who, KEY), table.send(spelt, who, KEY)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.data == first.data


@pytest.mark.parametrize(
    "other", [{"type": "choose_column", "column": 4}, [COLUMN], {"type": "no_such_command"}, {}, [], 3]
)
def test_the_same_key_with_another_body_is_refused_and_has_no_effect(table: Table, other: Any) -> None:
    who = table.acting
    table.send(COLUMN, who, KEY)
    problem(table.send(other, who, KEY), 422, "idempotency_key_reused")
    assert table.version == 2


def test_a_key_is_the_same_bare_and_in_quotes(table: Table) -> None:
    who = table.acting
    first = table.send(COLUMN, who, {"Idempotency-Key": "k-1"})
    again = table.send(COLUMN, who, {"Idempotency-Key": '"k-1"'})
    assert again.data == first.data
    assert again.headers["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize("key", ["", " ", '""', "two words", "x" * 256, "clé", "tab\tbed", '"half', "\x7f"])
def test_a_malformed_key_is_refused_before_anything_is_done(table: Table, key: str) -> None:
    problem(table.send(COLUMN, table.acting, {"Idempotency-Key": key}), 400, "idempotency_key_invalid")
    assert table.version == 1


@pytest.mark.parametrize("key", ["short", "fifteen-letters", '"fifteen-letters"'])
def test_a_key_that_guards_tokens_cannot_be_short(client: FlaskClient, table: Table, key: str) -> None:
    headers = {"Idempotency-Key": key}
    body = {"game": "whatnot", "seats": [{"name": "Ann"}]}
    problem(post(client, "/v1/matches", body, headers), 400, "idempotency_key_invalid")
    problem(post(client, f"{table.url}/seats", {"name": "Ann"}, headers), 400, "idempotency_key_invalid")


@pytest.mark.parametrize("tag", ['"v1"', 'W/"v1"', "*", ' "v1" '])
def test_a_command_meant_for_the_present_version_is_accepted(table: Table, tag: str) -> None:
    assert table.send(COLUMN, table.acting, {"If-Match": tag}).status_code == 201


@pytest.mark.parametrize("tag", ["v1", '"1"', '"v1', '"v1", "v2"', "**", "", '"v-1"', '"v1.0"', '"vv1"'])
def test_an_if_match_that_cannot_be_read_is_refused_and_not_ignored(table: Table, tag: str) -> None:
    problem(table.send(COLUMN, table.acting, {"If-Match": tag}), 400, "if_match_invalid")
    assert table.version == 1


@pytest.mark.parametrize("tag", ['"v1"', 'W/"v1"', '"v3"', '"v0"'])
def test_a_command_meant_for_another_version_is_told_what_has_changed(table: Table, tag: str) -> None:
    who = table.acting
    table.send(COLUMN, who)
    stale = table.send(table.legal(who)[0], who, {"If-Match": tag})
    document = problem(stale, 412, "stale_version")
    current = f'"v2-{table.get().json["hash"][:16]}"'
    assert (document["current_version"], stale.headers["ETag"]) == (2, current)
    if tag == '"v3"':
        assert "changes" not in document, "nothing can have changed since a version that is still to come"
        return
    changes = table.client.get(document["changes"], headers={"Accept": "application/json"}).json
    assert changes["version"] == 2
    if tag.endswith('"v1"'):
        assert [commit["version"] for commit in changes["items"]] == [2]


def _two_takes(table: Table, who: str) -> list[Any]:
    """The rest of a turn after COLUMN: two objects of the Outdoors, to two spaces."""
    takes = [take for take in table.legal(who) if "row" in take]
    first = takes[0]
    return [first, next(take for take in takes if _differ(first, take))]


def _differ(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one["tile"] != other["tile"] and (one["row"], one["column"]) != (other["row"], other["column"])
