"""A match as a stream: what is on it, where it resumes, how it ends, and who is let in."""

from contextlib import ExitStack
from itertools import pairwise

import httpx
import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient

from domain.games import games
from service.auth.api_keys import new_key
from service.auth.tokens import digest
from service.live.stream_slots import StreamLimits
from service.matches.play import Play
from service.matches.requests import Request
from service.redis_store.api_keys import RedisApiKeys
from tests.service.http.stream_reader import (
    AT_ONCE,
    SSE,
    TALKATIVE,
    all_events,
    app_with,
    caller_of,
    commits,
    events,
    id_of,
    lines,
    taken,
    version_of,
)
from tests.service.http.table import NDJSON, every_game, lay, problem


def test_a_stream_begins_with_the_match_as_the_viewer_sees_it_and_goes_on_with_what_comes(
    app: Flask, client: FlaskClient, play: Play
) -> None:
    table = lay(client, play, 2)
    for _ in range(3):
        table.step()
    for who in table.viewers:
        before = table.get(who=who).json
        with events(app, f"{table.url}/log", table.bearer(who)) as stream:
            first = next(stream)
            assert (first.event, first.id, orjson.loads(first.data)) == (
                "match",
                id_of(table.export(who)[-1]),
                before,
            )
            for _ in range(3):
                table.step()
                came = next(stream)
                line = table.export(who)[-1]
                assert (came.event, came.id, came.data.encode()) == ("commit", id_of(line), line)


def test_a_stream_is_never_kept_never_held_back_and_says_when_to_come_again(
    app: Flask, client: FlaskClient, play: Play
) -> None:
    table = lay(client, play)
    with caller_of(app) as caller, caller.stream("GET", f"{table.url}/log", headers={"Accept": SSE}) as got:
        assert got.headers["Content-Type"] == SSE
        assert got.headers["Cache-Control"] == "no-store"
        assert got.headers["X-Accel-Buffering"] == "no"
        assert "Content-Encoding" not in got.headers
        assert next(got.iter_bytes()).startswith(b"retry: 2000\nevent: match\nid: ")


@pytest.mark.parametrize(("game", "seats"), every_game())
def test_wherever_a_stream_is_cut_it_resumes_with_the_same_commits_in_every_form(
    client: FlaskClient, play: Play, game: str, seats: int
) -> None:
    table, app = lay(client, play, seats, game=game), app_with(play, AT_ONCE)
    for _ in range(12):
        if table.get().json["status"] == "playing":
            table.step()
    who = max(table.tokens)
    log = table.export(who)[1:]
    for version in range(len(log) + 1):
        rest = log[version:]
        told = all_events(app, table, who, Last_Event_ID=str(version))
        assert (told[0].event, told[0].id) == ("match", ""), "a cut before the backlog loses nothing"
        assert commits(told) == rest
        assert [event.id for event in told[1:]] == list(map(id_of, rest))
        with events(app, f"{table.url}/log?after={version}", table.bearer(who)) as stream:
            assert commits(list(stream)) == rest
        with lines(app, f"{table.url}/log?after={version}&follow=true", table.bearer(who)) as stream:
            assert [line for line in stream if b'"edition":' not in line[:20] and b"command" in line] == rest
        page = table.get(f"/log?after={version}&limit=500&wait=1" if rest else f"/log?after={version}", who)
        assert page.json["items"] == list(map(orjson.loads, rest))


def test_the_last_event_counts_for_more_than_the_url_it_began_with(client: FlaskClient, play: Play) -> None:
    table, app = lay(client, play), app_with(play, AT_ONCE)
    for _ in range(5):
        table.step()
    with events(app, f"{table.url}/log?after=1", {"Last-Event-ID": "4"}) as stream:
        assert list(map(version_of, commits(list(stream)))) == [5, 6]


def test_the_last_event_is_read_as_the_polyfills_send_it_too(client: FlaskClient, play: Play) -> None:
    table, app = lay(client, play), app_with(play, AT_ONCE)
    for _ in range(5):
        table.step()
    for query, headers in (("4", {}), ("2", {"Last-Event-ID": "4"}), ("", {"Last-Event-ID": "4"})):
        with events(app, f"{table.url}/log?after=1&lastEventId={query}", headers) as stream:
            assert list(map(version_of, commits(list(stream)))) == [5, 6]
    wrong = table.get("/log?lastEventId=x", headers={"Accept": SSE})
    assert problem(wrong, 422, "validation_error")["errors"][0]["pointer"] == "/lastEventId"


@pytest.mark.parametrize("form", [SSE, NDJSON])
def test_after_the_last_commit_of_a_match_its_streams_end_and_who_lacks_nothing_is_not_to_come_again(
    app: Flask, client: FlaskClient, play: Play, form: str
) -> None:
    table = lay(client, play).finish()
    version = table.version
    log = table.export()
    told = all_events(app, table, None, Last_Event_ID=str(version - 2))
    assert [event.event for event in told] == ["match", "commit", "commit", "end"]
    ended = orjson.loads(told[-1].data)
    assert (ended["version"], ended["status"]) == (version, "finished")
    assert told[-1].id == id_of(log[-1]), "its own id is none: what was last stays"
    assert [event.event for event in all_events(app, table, None)] == ["match", "end"]
    with lines(app, f"{table.url}/log?follow=true") as stream:
        assert list(stream)[:-1] == log
    last = {"Last-Event-ID": str(version)} if form == SSE else {}
    follow = "" if form == SSE else f"?follow=true&after={version}"
    with caller_of(app) as caller:
        again = caller.get(f"{table.url}/log{follow}", headers={"Accept": form, **last})
    assert (again.status_code, again.content) == (204, b"")
    assert taken(app) == 0


def test_a_stream_goes_on_to_the_end_of_a_whole_match_without_a_gap(
    app: Flask, client: FlaskClient, play: Play
) -> None:
    table = lay(client, play)
    with (
        events(app, f"{table.url}/log?after=0", table.bearer("seat:1")) as stream,
        lines(app, f"{table.url}/log?follow=true") as written,
    ):
        assert next(stream).event == "match"
        next(written)
        for _ in table.steps():
            pass
        told, wrote = list(stream), [line for line in written if line][:-1]
    versions = [int(event.id.partition("-")[0]) for event in told if event.event == "commit"]
    assert versions == list(range(1, table.version + 1))
    assert told[-1].event == "end"
    assert all(after == before + 1 for before, after in pairwise(map(version_of, wrote)))
    assert version_of(wrote[-1]) == table.version


@pytest.mark.parametrize("game", [name for name, game in games().items() if 3 in game.seats])
def test_of_many_who_watch_one_match_each_is_told_what_is_for_his_eyes(
    app: Flask, client: FlaskClient, play: Play, game: str
) -> None:
    table, differed = lay(client, play, 3, game=game), 0
    with ExitStack() as open_streams:
        watching = {
            who: open_streams.enter_context(events(app, f"{table.url}/log", table.bearer(who)))
            for who in table.viewers
        }
        for stream in watching.values():
            assert next(stream).event == "match"
        dealt = len({tuple(table.export(who)) for who in watching}) > 1
        while table.get().json["status"] == "playing" and (table.version < 26 or not differed):
            before = table.version
            table.step()
            fresh = {who: table.export(who)[before + 1 :] for who in watching}
            for who, stream in watching.items():
                assert [next(stream).data.encode() for _ in fresh[who]] == fresh[who]
            differed += len(set(map(tuple, fresh.values()))) > 1
    assert differed or dealt, "there was something to hide"


@pytest.mark.parametrize("last", ["99", "999999999"])
def test_a_place_that_the_match_has_not_reached_is_refused_instead_of_waited_for(
    client: FlaskClient, play: Play, last: str
) -> None:
    table = lay(client, play)
    told = problem(table.get("/log", headers={"Accept": SSE, "Last-Event-ID": last}), 422, "validation_error")
    assert told["errors"][0]["pointer"] == "/Last-Event-ID"
    for form, query in ((SSE, ""), (NDJSON, "&follow=true"), ("application/json", "&wait=5")):
        refused = problem(
            table.get(f"/log?after={last}{query}", headers={"Accept": form}), 422, "validation_error"
        )
        assert refused["errors"][0]["pointer"] == "/after"


@pytest.mark.parametrize("last", ["x", "-1", "1.5", "v7", "1" * 40])
def test_an_event_id_that_is_none_is_refused(client: FlaskClient, play: Play, last: str) -> None:
    table = lay(client, play)
    told = problem(table.get("/log", headers={"Accept": SSE, "Last-Event-ID": last}), 422, "validation_error")
    assert told["errors"][0]["pointer"] == "/Last-Event-ID"


def test_a_silent_stream_says_now_and_then_that_it_lives(client: FlaskClient, play: Play) -> None:
    table, app = lay(client, play), app_with(play, TALKATIVE)
    for form, query, sign in ((SSE, "", b": \n\n"), (NDJSON, "?follow=true", b"\n")):
        with (
            caller_of(app) as caller,
            caller.stream("GET", f"{table.url}/log{query}", headers={"Accept": form}) as got,
        ):
            parts = got.iter_raw()
            for _ in range(3):
                while next(parts) != sign:
                    pass
            table.step()
            while b'"command":' not in (came := next(parts)):
                assert came == sign
            assert next(parts) == sign


def test_a_stream_has_an_end_of_life_and_ends_after_a_whole_event(client: FlaskClient, play: Play) -> None:
    table, app = lay(client, play), app_with(play, StreamLimits(seconds=0.3, silence=0.05))
    with caller_of(app) as caller, caller.stream("GET", f"{table.url}/log", headers={"Accept": SSE}) as got:
        assert got.read().endswith(b"\n\n")


@pytest.mark.parametrize(
    ("accept", "query", "pointer"),
    [
        (SSE, "follow=true", "/follow"),
        ("application/json", "follow=true", "/follow"),
        (SSE, "wait=5", "/wait"),
        (NDJSON, "wait=5", "/wait"),
        (NDJSON, "ticket=bricabrac_ticket_x", "/ticket"),
        ("application/json", "ticket=bricabrac_ticket_x", "/ticket"),
        ("application/json", "wait=26", "/wait"),
        ("application/json", "wait=-1", "/wait"),
        (NDJSON, "follow=yes", "/follow"),
    ],
)
def test_what_does_nothing_in_a_form_is_refused_there(
    client: FlaskClient, play: Play, accept: str, query: str, pointer: str
) -> None:
    told = problem(
        lay(client, play).get(f"/log?{query}", headers={"Accept": accept}), 422, "validation_error"
    )
    assert told["errors"][0]["pointer"] == pointer


def test_a_question_for_the_headers_opens_no_stream_and_waits_for_nothing(
    app: Flask, client: FlaskClient, play: Play
) -> None:
    table = lay(client, play)
    for form, query in (
        (SSE, ""),
        (NDJSON, "?follow=true"),
        ("application/json", f"?after={table.version}&wait=25"),
    ):
        told = client.head(f"{table.url}/log{query}", headers={"Accept": form})
        assert (told.status_code, told.mimetype, told.data) == (200, form, b"")
    assert taken(app) == 0


@pytest.mark.parametrize("form", [SSE, NDJSON])
def test_streams_are_counted_by_caller_and_by_process_and_free_their_places(
    client: FlaskClient, play: Play, form: str
) -> None:
    table, app = lay(client, play, 3), app_with(play, StreamLimits(per_caller=2, per_process=3))
    path = f"{table.url}/log" + ("?follow=true" if form == NDJSON else "")

    def opened(who: str | None) -> httpx.Response:
        caller = caller_of(app)
        request = caller.build_request("GET", path, headers={"Accept": form, **table.bearer(who)})
        return caller.send(request, stream=True)

    mine = [opened("seat:0") for _ in range(2)]
    full = opened("seat:0")
    assert (full.status_code, orjson.loads(full.read())["code"]) == (429, "too_many_streams")
    assert int(full.headers["Retry-After"]) > 0
    other = opened("seat:1")
    assert other.status_code == 200
    crowded = opened(None)
    assert (crowded.status_code, orjson.loads(crowded.read())["code"]) == (503, "streams_full")
    assert int(crowded.headers["Retry-After"]) > 0
    for stream in (*mine, other):
        stream.close()
    assert taken(app) == 0
    opened("seat:0").close()


def test_a_stream_ends_before_a_commit_that_takes_its_viewers_right_away(
    app: Flask, client: FlaskClient, play: Play
) -> None:
    table = lay(client, play, 2)
    with (
        events(app, f"{table.url}/log", table.bearer("seat:0")) as lost,
        events(app, f"{table.url}/log", table.bearer("seat:1")) as kept,
    ):
        next(lost)
        next(kept)
        loaded = play.load(table.id)
        seat = loaded.state.to_act[0]
        command = next(loaded.state.game.legal(loaded.state.position, seat))
        rotated = Request(f"seat:{seat}", fields={"token:seat:0": digest("another token")})
        play.do(loaded, [command], rotated)
        assert list(lost) == []
        assert next(kept).event == "commit"


def test_revoking_a_key_ends_its_streams(client: FlaskClient, play: Play) -> None:
    table, app = lay(client, play), app_with(play, TALKATIVE)
    ring = RedisApiKeys(play.journal.client)  # type: ignore[attr-defined]
    key, shown = new_key(ring, "a tournament", ["read-all"], 0)
    with events(app, f"{table.url}/log", {"Authorization": f"Bearer {shown}"}) as stream:
        assert next(stream).event == "match"
        table.step()
        assert next(stream).event == "commit"
        ring.revoke(key.id)
        assert list(stream) == []


def test_nobody_without_a_good_token_opens_a_stream(app: Flask, client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    for query, form in (("", SSE), ("?follow=true", NDJSON), ("?wait=5&after=1", "application/json")):
        told = table.get(f"/log{query}", headers={"Accept": form, "Authorization": "Bearer of-nobody"})
        problem(told, 401, "token_unknown")
    assert taken(app) == 0
