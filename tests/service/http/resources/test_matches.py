"""Reading a match: at any version as it was seen then, what may be done now, and how it stands."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.matches.play import Play
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from tests.service.http.table import JSON, Table, another_process, lay, named, post, problem

SEED = "5eed" * 16


@pytest.mark.parametrize("seats", [1, 3])
def test_every_version_reads_later_as_each_viewer_saw_it_then(
    client: FlaskClient, play: Play, server: EmbeddedServer, seats: int
) -> None:
    table = lay(client, play, seats)
    seen = {}
    for _ in _each_version(table):
        for viewer in table.viewers:
            now = table.get(who=viewer)
            seen[now.json["version"], viewer] = now.data
            assert now.headers["ETag"].startswith(f'"v{now.json["version"]}-')
    later = Table(*another_process(server), table.id, table.tokens)
    for (version, viewer), then in seen.items():
        reader = later if version % 2 else table
        assert reader.get(f"?at={version}", viewer).data == then
    assert {version for version, _ in seen} == set(range(1, table.version + 1))


def test_a_reader_who_has_the_newest_version_is_told_so_and_gets_nothing_else(
    client: FlaskClient, play: Play
) -> None:
    table = lay(client, play)
    for part in ("", "/log", "/score", "/legal"):
        who = table.acting
        first = table.get(part, who)
        tag = first.headers["ETag"]
        unchanged = table.get(part, who, {"If-None-Match": tag})
        assert (unchanged.status_code, unchanged.data) == (304, b"")
        assert unchanged.headers["ETag"] == tag
        assert table.get(part, who, {"If-None-Match": f'"v0", W/{tag}'}).status_code == 304
        assert "Authorization" in first.headers["Vary"]
        assert "private" in first.headers["Cache-Control"]
        table.step()
        assert table.get(part, who, {"If-None-Match": tag}).status_code == 200


def test_a_token_is_asked_for_even_where_nothing_has_changed(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    headers = {"If-None-Match": '"v1"', "Authorization": "Bearer bricabrac_of_nobody"}
    problem(table.get(headers=headers), 401, "token_unknown")


def test_each_listed_command_is_accepted_as_it_is_and_nobody_else_has_any(
    client: FlaskClient, play: Play
) -> None:
    first = lay(client, play, seed=SEED)
    who, before = first.acting, list[Any]()
    for _ in range(3):  # the whole first turn: a column and two tiles
        listed = first.legal(who)
        assert listed
        assert first.legal(first.waiting) == []
        for command in listed[:: max(1, len(listed) // 12)]:
            twin = lay(client, play, seed=SEED)
            for played in before:
                twin.send(played, who)
            answer = twin.send(command, who)
            assert answer.status_code == 201, answer.json
            assert answer.json["commits"][-1]["command"] == command
        before.append(listed[0])
        assert first.send(listed[0], who).status_code == 201


def test_a_short_list_of_legal_commands_says_that_there_are_more(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    table.send({"type": "choose_column", "column": 3}, table.acting)
    whole = table.get("/legal", table.acting).json
    assert not whole["more"]
    for limit in (1, len(whole["commands"]) - 1, len(whole["commands"])):
        page = table.get(f"/legal?limit={limit}", table.acting).json
        assert page["commands"] == whole["commands"][:limit]
        assert page["more"] is (limit < len(whole["commands"]))


def test_before_everybody_sits_there_is_nothing_to_do_and_no_position(
    client: FlaskClient, play: Play
) -> None:
    table = lay(client, play, [{"name": "Ann"}, {"open": True}])
    document = table.get(who="seat:0").json
    assert (document["status"], document["to_act"], document["position"]) == ("open", [], None)
    assert table.legal("seat:0") == []
    refused = table.send({"type": "choose_column", "column": 3}, "seat:0")
    assert problem(refused, 409, "illegal_command")["rule"] == "not_started"
    assert [sheet["total"] for sheet in table.get("/score").json["seats"]] == [0, 0]
    seated = post(client, f"{table.url}/seats", {"name": "Bob"})
    assert (seated.status_code, seated.json["match"]["status"]) == (201, "playing")
    assert list(seated.json["tokens"]) == ["seat:1"]
    problem(post(client, f"{table.url}/seats", {"name": "Eve"}), 409, "illegal_command")


def test_the_score_adds_up_while_playing_and_is_ranked_in_the_end(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, 3)
    for _ in _each_version(table):
        live = table.get("/score").json
        assert live["version"] == table.version
        for sheet in live["seats"]:
            assert sheet["total"] == sum(part["points"] for part in sheet["parts"])
        for who in table.tokens:
            assert table.get("/score", who).json == live
        assert live["final"] is (table.get().json["status"] == "finished")
        assert (live["ranking"] is None) is not live["final"]
    totals = {sheet["seat"]: sheet["total"] for sheet in live["seats"]}
    ranked = [totals[seat] for tied in live["ranking"] for seat in tied]
    assert ranked == sorted(ranked, reverse=True)
    assert live["winners"] == live["ranking"][0]


def test_the_public_list_has_each_public_match_once_newest_first_and_no_private_one(
    client: FlaskClient, play: Play
) -> None:
    laid = [lay(client, play, private=number % 3 == 0) for number in range(8)]
    public = [table for number, table in enumerate(laid) if number % 3]
    pages = list(_pages(client, "limit=2"))
    listed = [item for page in pages for item in page]
    assert {item["id"] for item in listed} == {table.id for table in public}
    assert len(listed) == len(public)
    assert all(len(page) <= 2 for page in pages)
    created = [item["created_at"] for item in listed]
    assert created == sorted(created, reverse=True)
    assert laid[0].get(who="seat:0").json["private"] is True


def test_the_list_is_filtered_by_game_and_status_over_all_its_pages(client: FlaskClient, play: Play) -> None:
    open_ones = [lay(client, play, [{"open": True}, {"name": "Bob"}]).id for _ in range(3)]
    finished = [lay(client, play, 1).finish().id for _ in range(2)]
    playing = [lay(client, play).id for _ in range(4)]
    for status, wanted in (
        ("open", open_ones),
        ("finished", finished),
        ("playing", playing),
        ("scoring", []),
    ):
        for limit in (1, 2, 50):
            pages = _pages(client, f"status={status}&limit={limit}")
            assert sorted(item["id"] for page in pages for item in page) == sorted(wanted)
    assert list(_pages(client, "game=nonsense&limit=3")) == [[]]
    assert sum(len(page) for page in _pages(client, "game=whatnot&limit=3")) == 9


def test_a_list_is_read_in_few_trips_however_short_its_pages_and_however_rare_what_is_looked_for(
    client: FlaskClient, play: Play, journal: RedisJournal
) -> None:
    for _ in range(60):
        lay(client, play)

    def cost(limit: int) -> int:
        before = journal.client.info("stats")["total_commands_processed"]
        assert client.get(f"/v1/matches?status=finished&limit={limit}").json["items"] == []
        return int(journal.client.info("stats")["total_commands_processed"] - before)

    once = journal.keys.partitions + 60
    assert max(cost(1), cost(200)) < 2 * once


def _pages(client: FlaskClient, query: str) -> Iterator[list[dict[str, Any]]]:
    page = client.get(f"/v1/matches?{query}").json
    yield page["items"]
    while page["next"] is not None:
        page = client.get(f"/v1/matches?{query}&cursor={page['next']}").json
        yield page["items"]


def _each_version(table: Table) -> Iterator[None]:
    yield
    for _ in table.steps():
        yield


def test_a_client_that_names_no_media_type_gets_json(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    read = client.get(f"{table.url}/log")
    assert (read.status_code, read.content_type) == (200, JSON)
    for accept in ("*/*", "application/*", "text/html, */*;q=0.1"):
        assert table.get("/log", headers={"Accept": accept}).content_type == JSON


def test_head_tells_what_get_would(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, named("Ann"))
    for path in (table.url, f"{table.url}/log", f"{table.url}/score", "/v1/games", "/v1/matches", "/livez"):
        asked, told = (client.open(path, method=how, headers={"Accept": JSON}) for how in ("GET", "HEAD"))
        assert (told.status_code, told.data) == (200, b"")
        assert told.headers["Content-Length"] == asked.headers["Content-Length"]
