"""A revoked token does nothing in any process, whatever that had seen: no command, no replay, no read."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.matches.play import Play
from service.run.embedded import EmbeddedServer
from tests.service.http.table import Table, another_process, lay, post, private_table, problem

COLUMN = {"type": "choose_column", "column": 3}
KEY = {"Idempotency-Key": "a-key-of-sixteen-or-more"}


def leave(table: Table, seat: int, headers: dict[str, str] | None = None) -> TestResponse:
    return table.client.delete(
        f"{table.url}/seats/{seat}", headers={**table.bearer(f"seat:{seat}"), **(headers or {})}
    )


def rotate(table: Table, who: str, headers: dict[str, str] | None = None) -> TestResponse:
    return post(table.client, f"{table.url}/tokens", b"", {**table.bearer(who), **(headers or {})})


def kick(table: Table, who: str) -> TestResponse:
    return table.send({"type": "seat_bot", "seat": int(who[-1]), "bot": "random"}, "host")


def reinvite(table: Table, who: str) -> TestResponse:
    return table.send({}, "host", part=f"/seats/{who[-1]}/invite")


REVOKING: dict[str, Callable[[Table, str], TestResponse]] = {
    "leaving": lambda table, who: leave(table, int(who[-1])),
    "a new token": rotate,
    "a bot": kick,
    "an invite back": reinvite,
}


@pytest.fixture
def table(client: FlaskClient, play: Play) -> Table:
    return lay(client, play, 3)


@pytest.fixture
def elsewhere(table: Table, server: EmbeddedServer) -> Table:
    """The same match at another process, which has it cached."""
    other = replace(table, client=another_process(server)[0])
    assert other.get().status_code == 200
    return other


KEYED = {"Idempotency-Key": "my-first-move"}
TAKE = {"type": "take_tile", "tile": 1, "row": 0, "column": 0}
ATTEMPTS: dict[str, Callable[[Table, str], TestResponse]] = {
    "a replay": lambda at, who: at.send(COLUMN, who, KEYED),
    "a key reused": lambda at, who: at.send(TAKE, who, KEYED),
    "what a rule refuses": lambda at, who: at.send(COLUMN, who),
    "what is stale": lambda at, who: at.send(COLUMN, who, {"If-Match": '"v1"'}),
    "no command": lambda at, who: at.send({}, who),
    "no command with a key": lambda at, who: at.send({}, who, KEYED),
    "a host's command": lambda at, who: at.send({"type": "close_match"}, who),
    "a dry run": lambda at, who: at.send(TAKE, who, part="/commands?dry_run=true"),
    "leaving": lambda at, who: leave(at, int(who[-1])),
    "a new token": lambda at, who: rotate(at, who, KEY),
    "the match": lambda at, who: at.get("", who),
    "an earlier version": lambda at, who: at.get("?at=1", who),
    "what is legal": lambda at, who: at.get("/legal", who),
    "the log": lambda at, who: at.get("/log", who),
    "the score": lambda at, who: at.get("/score", who),
}


@pytest.mark.parametrize("revoked", REVOKING)
def test_another_process_that_has_the_match_cached_does_nothing_for_a_revoked_token(
    table: Table, server: EmbeddedServer, revoked: str
) -> None:
    who = table.acting
    assert table.send(COLUMN, who, KEYED).status_code == 201
    others = {name: replace(table, client=another_process(server)[0]) for name in ATTEMPTS}
    for other in others.values():
        assert other.get(who=who).json["version"] == 2, "cached there"
    assert REVOKING[revoked](table, who).status_code in (200, 201)
    version = table.version
    for name, attempt in ATTEMPTS.items():
        refused = attempt(others[name], who)
        assert refused.status_code == 401, name
        problem(refused, 401, "token_unknown")
        assert refused.headers["WWW-Authenticate"].startswith("Bearer")
    assert table.version == version


@pytest.mark.parametrize("revoked", REVOKING)
def test_a_legal_move_is_refused_too(table: Table, elsewhere: Table, revoked: str) -> None:
    who = table.acting
    assert REVOKING[revoked](table, who).status_code in (200, 201)
    problem(elsewhere.send(COLUMN, who), 401, "token_unknown")


def test_a_new_token_works_at_once_in_a_process_that_knew_the_old_one(table: Table, elsewhere: Table) -> None:
    who = table.acting
    token = rotate(table, who).json["token"]
    fresh = replace(elsewhere, tokens={**table.tokens, who: token})
    assert fresh.send(COLUMN, who).status_code == 201
    assert fresh.get(who=who).json["viewer"] == int(who[-1])


def test_hosts_and_other_seats_keep_their_tokens(table: Table, elsewhere: Table) -> None:
    assert leave(table, 0).status_code == 200
    assert rotate(table, "host").status_code == 201
    for who in ("seat:1", "seat:2"):
        assert elsewhere.get(who=who).json["viewer"] == int(who[-1])
    problem(elsewhere.send({"type": "close_match"}, "host"), 401, "token_unknown")


@pytest.mark.parametrize("who", ["seat:1", "host"])
def test_a_repeated_rotation_gets_the_same_token_again_with_the_old_one_and_the_key(
    table: Table, elsewhere: Table, who: str
) -> None:
    first = rotate(table, who, KEY)
    assert (first.status_code, first.json["actor"]) == (201, who)
    for at in (table, elsewhere):
        again = rotate(at, who, KEY)
        assert (again.status_code, again.data) == (201, first.data)
        assert again.headers["Idempotent-Replayed"] == "true"
    assert table.version == 2
    problem(rotate(table, who), 401, "token_unknown")
    problem(rotate(table, who, {"Idempotency-Key": "another-key-than-before"}), 401, "token_unknown")
    problem(post(table.client, f"{table.url}/tokens", b"x", table.bearer(who) | KEY), 401, "token_unknown")
    stranger = {"Authorization": "Bearer bricabrac_" + "A" * 43}
    problem(post(table.client, f"{table.url}/tokens", b"", stranger | KEY), 401, "token_unknown")
    fresh = replace(table, tokens={**table.tokens, who: first.json["token"]})
    assert rotate(fresh, who, KEY).json["token"] != first.json["token"], "a key is its own token's"


def test_a_repeated_leave_gets_the_first_answer_and_nobody_leaves_twice(
    table: Table, elsewhere: Table
) -> None:
    first = leave(table, 1, KEY)
    assert first.status_code == 200
    assert first.json["commits"][0]["events"] == [{"type": "seat_left", "seat": 1}]
    seated = post(table.client, f"{table.url}/seats", {"name": "Zoe", "seat": 1})
    assert seated.status_code == 201
    for at in (table, elsewhere):
        again = leave(at, 1, KEY)
        assert (again.status_code, again.data) == (200, first.data)
        assert again.headers["Idempotent-Replayed"] == "true"
    problem(leave(table, 1), 401, "token_unknown")
    assert table.get().json["seats"][1]["name"] == "Zoe"
    assert table.get(who="host").json["version"] == 3


def test_fifty_copies_of_a_rotation_are_one_new_token(
    table: Table, server: EmbeddedServer, client: FlaskClient
) -> None:
    clients = [client.application.test_client() for _ in range(5)]
    clients += [another_process(server)[0] for _ in range(5)]
    with ThreadPoolExecutor(10) as threads:
        answers = list(threads.map(lambda by: rotate(replace(table, client=by), "seat:0", KEY), clients * 5))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.data for answer in answers}) == 1
    assert table.version == 2


def test_of_many_rotations_at_once_without_a_key_one_wins(table: Table, server: EmbeddedServer) -> None:
    clients = [another_process(server)[0] for _ in range(6)]
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda by: rotate(replace(table, client=by), "seat:0"), clients))
    good = [answer for answer in answers if answer.status_code == 201]
    assert len(good) == 1
    assert {answer.status_code for answer in answers} == {201, 401}
    fresh = replace(table, tokens={"seat:0": good[0].json["token"]})
    assert fresh.get(who="seat:0").json["viewer"] == 0


def test_a_spectator_who_is_shown_out_sees_nothing_any_more(
    client: FlaskClient, play: Play, server: EmbeddedServer
) -> None:
    table = private_table(client, play)
    code = table.invite(to="spectator")
    token = post(client, f"{table.url}/spectators", {"invite": code}).json["tokens"]["spectator:1"]
    looking = replace(table, client=another_process(server)[0], tokens={"spectator:1": token})
    assert looking.get(who="spectator:1").status_code == 200
    shown_out = client.delete(f"{table.url}/invites/1", headers=table.bearer("host"))
    assert shown_out.status_code == 200
    for part in ("", "/log", "/score"):
        problem(looking.get(part, "spectator:1"), 401, "token_unknown")


def test_the_store_has_no_digest_of_a_revoked_token(table: Table, play: Play) -> None:
    before = dict(play.load(table.id).fields)
    leave(table, 0)
    kick(table, "seat:1")
    token: Any = rotate(table, "seat:2").json["token"]
    after = play.journal.head(table.id).fields
    assert {name for name in after if name.startswith("token:")} == {"token:host", "token:seat:2"}
    assert after["token:seat:2"] != before["token:seat:2"]
    assert token not in str(after)
