"""Whose turn it is: told by pages, streams and answers, waited for, and the match beside an answer."""

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.live.stream_slots import StreamLimits
from service.matches.history import History
from service.matches.play import Play
from service.matches.requests import Request
from tests.service.http.stream_reader import AT_ONCE, app_with, events, taken, waiting
from tests.service.http.table import Table, lay, named, post, problem

WHOLE = {"Prefer": "return=representation"}


def stands(table: Table) -> dict[str, object]:
    """How the match stands, as the match itself says."""
    return {name: table.get().json[name] for name in ("version", "status", "to_act")}


def test_every_page_of_a_log_says_whose_turn_it_is_now(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    for _ in table.steps():
        page = table.get("/log?after=1&limit=1").json
        assert {name: page[name] for name in stands(table)} == stands(table)
    assert table.get("/log").json["status"] == "finished"


def test_a_list_of_legal_commands_says_it_too(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    page = table.get("/legal", table.waiting).json
    assert {name: page[name] for name in stands(table)} == stands(table)
    assert page["commands"] == []


def test_a_stream_says_whose_turn_it_is_after_the_newest_commit(
    app: Flask, client: FlaskClient, play: Play
) -> None:
    table = lay(client, play)
    with events(app, f"{table.url}/log?after=0", turns=True) as stream:
        found = [next(stream) for _ in range(3)]
        assert [event.event for event in found] == ["match", "commit", "turn"]
        assert orjson.loads(found[-1].data) == stands(table)
        assert found[-1].id == found[-2].id, "an EventSource that comes again resumes after the commit"
        for _ in range(5):
            table.step()
            assert next(stream).event == "commit"
            assert orjson.loads(next(stream).data) == stands(table)
        assert table.send({"type": "close_match"}, "host").status_code == 201
        assert [event.event for event in stream] == ["commit", "end"]


def test_a_stream_says_nothing_of_a_turn_between_two_pages_of_the_past(
    client: FlaskClient, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, app = lay(client, play), app_with(play, AT_ONCE)
    for _ in range(5):
        table.step()
    monkeypatch.setattr(History.commits, "__defaults__", (2,))
    with events(app, f"{table.url}/log?after=0", turns=True) as stream:
        found = [(event.event, orjson.loads(event.data)["version"]) for event in stream]
    assert found[1:] == [("commit", n) for n in range(1, 7)] + [("turn", 6)]


def test_a_turn_that_is_there_is_not_waited_for(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    page = table.get(f"/log?after={table.version}&wait=25&until=turn", table.acting).json
    assert (page["items"], page["to_act"]) == ([], stands(table)["to_act"])
    assert table.get("/legal?wait=25", table.acting).json["commands"] != []


@pytest.mark.parametrize("part", ["/log?after=1&wait=25&until=turn", "/legal?wait=25"])
def test_a_turn_is_waited_for_over_the_turns_of_others(
    app: Flask, client: FlaskClient, play: Play, part: str
) -> None:
    table = lay(client, play, 3)
    last = f"seat:{next(s for s in (0, 1, 2) if s not in play.load(table.id).state.to_act)}"
    asked = waiting(app, lambda: table.get(part, last))
    while table.acting != last:
        assert not asked.done(), "it is somebody else's turn still"
        table.step()
    page = asked.result(30).json
    assert {name: page[name] for name in stands(table)} == stands(table)
    if "items" in page:
        assert [commit["version"] for commit in page["items"]] == list(range(2, table.version + 1))
    else:
        assert page["commands"] == table.legal(last)
    assert taken(app) == 0


@pytest.mark.parametrize("part", ["/log?wait=25&until=turn", "/legal?wait=25"])
def test_the_end_of_a_match_ends_the_wait_for_a_turn(
    app: Flask, client: FlaskClient, play: Play, part: str
) -> None:
    table = lay(client, play)
    asked = waiting(app, lambda: table.get(part, table.waiting))
    assert table.send({"type": "close_match"}, "host").status_code == 201
    assert asked.result(30).json["status"] == "closed"
    assert table.get(part, "seat:0").json["status"] == "closed", "and nothing is waited for afterwards"


def test_before_the_start_the_first_turn_is_waited_for(app: Flask, client: FlaskClient, play: Play) -> None:
    table = lay(client, play, [*named("Ann"), {"open": True}])
    asked = waiting(app, lambda: table.get("/legal?wait=25", "seat:0"))
    post(client, f"{table.url}/seats", {"name": "Bob"})
    while stands(table)["to_act"] != [0]:
        joined = play.load(table.id).state
        legal = next(joined.game.legal(joined.position, joined.to_act[0]))
        play.do(play.load(table.id), [legal], Request(f"seat:{joined.to_act[0]}"))
    assert asked.result(30).json["commands"] != []


def test_a_wait_for_a_turn_is_over_in_time(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    page = table.get("/log?wait=1&until=turn", table.waiting).json
    assert len(page["items"]) == page["version"] == 1
    applied = table.get("/legal", table.waiting, {"Prefer": "wait=1"})
    assert applied.json["commands"] == []
    assert applied.headers["Preference-Applied"] == "wait=1"


def test_who_waits_for_a_turn_takes_a_place_and_frees_it(client: FlaskClient, play: Play) -> None:
    table, app = lay(client, play), app_with(play, StreamLimits(per_caller=1))
    other = Table(app.test_client(), play, table.id, table.tokens)
    who = table.waiting
    asked = waiting(app, lambda: other.get("/legal?wait=25", who))
    problem(other.get("/log?wait=25&until=turn", who), 429, "too_many_streams")
    table.step()
    while table.acting != who:
        table.step()
    assert asked.result(30).status_code == 200
    assert taken(app) == 0


def test_whoever_loses_a_token_while_waiting_for_a_turn_is_told_nothing(
    app: Flask, client: FlaskClient, play: Play
) -> None:
    table = lay(client, play)
    who = table.waiting
    asked = waiting(app, lambda: table.get("/legal?wait=25", who))
    assert client.post(f"{table.url}/tokens", headers=table.bearer(who)).status_code == 201
    problem(asked.result(30), 401, "token_unknown")


@pytest.mark.parametrize(
    ("query", "who"),
    [
        ("?until=turn", "seat:0"),
        ("?until=turn&wait=1", None),
        ("?until=turn&wait=1", "host"),
        ("?until=end&wait=1", "seat:0"),
    ],
    ids=["no wait", "spectator", "host", "not a turn"],
)
def test_a_turn_that_can_not_be_waited_for_is_refused(
    client: FlaskClient, play: Play, query: str, who: str | None
) -> None:
    told = problem(lay(client, play).get(f"/log{query}", who), 422, "validation_error")
    assert [error["pointer"] for error in told["errors"]] == ["/until"]


@pytest.mark.parametrize("form", ["application/x-ndjson", "text/event-stream"])
def test_only_a_page_is_waited_for(client: FlaskClient, play: Play, form: str) -> None:
    refused = lay(client, play).get("/log?until=turn", "seat:0", {"Accept": form})
    told = problem(refused, 422, "validation_error")
    assert [error["pointer"] for error in told["errors"]] == ["/until"]


def test_a_version_that_is_not_reached_is_not_waited_for(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    refused = table.get("/log?after=9&wait=25&until=turn", table.acting)
    assert problem(refused, 422, "validation_error")["errors"][0]["pointer"] == "/after"


def test_the_match_comes_with_an_answer_on_request(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    who = table.acting
    command, key = table.legal(who)[0], {"Idempotency-Key": "the-first-move"}
    plain = table.send(command, who, key)
    whole = table.send(command, who, {**key, **WHOLE})
    assert "match" not in plain.json
    assert "Preference-Applied" not in plain.headers
    assert whole.json == plain.json | {"match": table.get("", who).json}
    assert whole.headers["Preference-Applied"] == "return=representation"
    then = table.get("", who).json
    table.step()
    repeat = table.send(command, who, {**key, **WHOLE})
    assert repeat.headers["Idempotent-Replayed"] == "true"
    assert repeat.json["match"] == then, "the match of the first answer, whatever happened since"


def test_the_match_comes_with_the_legal_commands_on_request(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    who = table.acting
    plain, whole = table.get("/legal", who), table.get("/legal", who, WHOLE)
    assert whole.json == plain.json | {"match": table.get("", who).json}
    assert "Prefer" in plain.headers["Vary"]
    assert plain.headers["ETag"] != whole.headers["ETag"], "one is not the other"


@pytest.mark.parametrize("prefer", ["return=minimal", "return", "returns=representation", "x; return=y"])
def test_other_preferences_are_ignored(client: FlaskClient, play: Play, prefer: str) -> None:
    table = lay(client, play)
    told = table.get("/legal", table.acting, {"Prefer": prefer})
    assert "match" not in told.json
    assert "Preference-Applied" not in told.headers


def test_a_refusal_stays_a_problem(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    legal = table.legal(table.acting)[0]
    assert "match" not in problem(table.send(legal, table.waiting, WHOLE), 409, "not_your_turn")
