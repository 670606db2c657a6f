"""A dry run over HTTP: what would happen, or exactly the refusal; and nothing happens."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.matches.play import Play
from service.redis_store.journal import RedisJournal
from tests.service.http.table import Table, every_game, lay, problem

DRY = "/commands?dry_run=true"
KEY = {"Idempotency-Key": "my-first-move"}


def everything(journal: RedisJournal) -> dict[bytes, Any]:
    """All that the store has, byte by byte."""
    store = journal.client
    return {name: store.dump(name) for name in store.scan_iter()}


@pytest.mark.parametrize(("game", "seats"), every_game())
def test_what_is_told_to_be_certain_happens_when_it_is_sent(
    client: FlaskClient, play: Play, game: str, seats: int
) -> None:
    table = lay(client, play, seats, game=game)
    certain = 0
    for _ in range(12):
        loaded = play.load(table.id)
        if loaded.state.over:
            break
        if loaded.state.due_task:
            table.step()
            continue
        who = f"seat:{loaded.state.to_act[0]}"
        command = table.dice.choice(table.legal(who))
        told = table.send(command, who, part=DRY).json
        assert (told["dry_run"], told["version"], told["accepted"]) == (True, loaded.version, 1)
        really = table.send(command, who).json
        events = _seen(*really["commits"])
        assert told["events"] == events[: len(told["events"])]
        if told["certain"]:
            certain += 1
            assert told["events"] == events
            assert (told["status"], told["to_act"]) == (really["status"], really["to_act"])
        else:
            assert (told["status"], told["to_act"]) == (None, None)
    assert certain or seats == 1


def _seen(commit: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of a commit with what is opened to its reader in its place."""
    for pointer, opened in commit.get("opened", {}).items():
        _, part, *rest = pointer.split("/")
        if part == "events":
            commit["events"][int(rest[0])][rest[1]] = opened["value"]
    return commit["events"]


def test_nothing_at_all_is_written(client: FlaskClient, play: Play, journal: RedisJournal) -> None:
    table = lay(client, play, 3)
    table.step()
    before = everything(journal)
    for who in ("seat:0", "seat:1", "seat:2", "host", None):
        for body in (*table.legal(table.acting)[:3], {"type": "close_match"}, {}, [], b"{"):
            table.send(body, who, KEY, DRY)
    assert everything(journal) == before


def test_an_idempotency_key_is_neither_read_nor_used_up(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    who = table.acting
    commands = table.legal(who)[:2]
    assert table.send(commands[0], who, {"Idempotency-Key": "not a key"}, DRY).status_code == 200
    assert table.send(commands[0], who, KEY, DRY).status_code == 200
    sent = table.send(commands[1], who, KEY)
    assert (sent.status_code, "Idempotent-Replayed" in sent.headers) == (201, False)
    problem(table.send(commands[1], who, KEY, DRY), 409, "illegal_command")


def alike(one: TestResponse, two: TestResponse) -> None:
    assert (one.status_code, one.content_type) == (two.status_code, two.content_type)
    assert one.status_code >= 400
    same = {name: value for name, value in one.json.items() if name != "request_id"}
    assert same == {name: value for name, value in two.json.items() if name != "request_id"}


def test_every_refusal_is_the_one_that_sending_would_get(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    who, waiting = table.acting, table.waiting
    column = {"type": "choose_column", "column": 3}
    bad: list[tuple[Any, str | None, dict[str, str]]] = [
        (column, None, {}),
        (column, "host", {}),
        (column, waiting, {}),
        ({"type": "close_match"}, who, {}),
        ({"type": "release_seed"}, "host", {}),
        ({"type": "choose_column", "column": 9}, who, {}),
        ({"type": "take_tile", "tile": 1, "row": 0, "column": 0}, who, {}),
        ([column, column], who, {}),
        ([], who, {}),
        (b"{", who, {}),
        (column, who, {"If-Match": '"v9"'}),
        (column, who, {"If-Match": "nine"}),
        (column, who, {"Content-Type": "text/plain"}),
        (column, who, {"Authorization": "Bearer of-nobody"}),
    ]
    for body, sender, headers in bad:
        dry = table.send(body, sender, headers, DRY)
        alike(dry, table.send(body, sender, headers))
        assert table.version == 1
    table.send({"type": "close_match"}, "host")
    alike(table.send(column, who, part=DRY), table.send(column, who))


def test_a_dry_run_is_true_or_false(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    who, column = table.acting, {"type": "choose_column", "column": 3}
    for word in ("", "yes", "True", "1"):
        refused = table.send(column, who, part=f"/commands?dry_run={word}")
        assert problem(refused, 422, "validation_error")["errors"][0]["pointer"] == "/dry_run"
    assert table.version == 1
    for replayed in (False, True):
        sent = table.send(column, who, KEY, "/commands?dry_run=false")
        assert (sent.status_code, "Idempotent-Replayed" in sent.headers) == (201, replayed)


def test_it_is_meant_for_a_version_too(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    command = table.legal(table.acting)[0]
    assert table.send(command, table.acting, {"If-Match": '"v1"'}, DRY).status_code == 200
    assert problem(table.send(command, table.acting, {"If-Match": '"v2"'}, DRY), 412, "stale_version")


def test_neither_seed_nor_hidden_things_are_told(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, [{"name": "Ann"}, {"open": True}])
    for command in ({"type": "close_match"}, {"type": "start_match"}):
        told = table.send(command, "host", part=DRY)
        assert told.status_code == 200
        secrets = play.load(table.id).secrets
        assert secrets.seed.hex() not in told.text
        assert secrets.sealing_key.hex() not in told.text


def test_nobody_rehearses_for_another(client: FlaskClient, play: Play) -> None:
    table: Table = lay(client, play)
    column = {"type": "choose_column", "column": 3}
    problem(table.send(column, table.waiting, part=DRY), 409, "not_your_turn")
