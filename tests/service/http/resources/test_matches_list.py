"""The lists of matches: who sits where, what is open, who won; and your own matches, private ones too."""

from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.auth.api_keys import new_key
from service.log.names import FORGOTTEN
from service.matches.play import Play
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from tests.service.http.contract import Contract
from tests.service.http.table import (
    Headers,
    Table,
    another_process,
    every_game,
    lay,
    named,
    post,
    private_table,
    problem,
)

OF_THE_MATCH = (
    "id",
    "version",
    "game",
    "status",
    "rules_version",
    "edition",
    "options",
    "private",
    "seats",
    "to_act",
)
CLOSE = {"type": "close_match"}


@pytest.fixture
def client(client: FlaskClient) -> Any:
    """A client whose answers are all held to the description."""
    contract = Contract(client.application)
    yield client
    assert contract.flaws == set()


def listed(client: FlaskClient, query: str = "", headers: Headers | None = None) -> list[dict[str, Any]]:
    answer = client.get(f"/v1/matches{query}", headers=headers)
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json["items"]
    return items


def ids(client: FlaskClient, query: str = "", headers: Headers | None = None) -> list[str]:
    return [item["id"] for item in listed(client, query, headers)]


def row_of(table: Table) -> dict[str, Any]:
    (row,) = (item for item in listed(table.client) if item["id"] == table.id)
    return row


def key(client: FlaskClient, *scopes: str) -> tuple[str, dict[str, str]]:
    """The id of a new API key, and the header that shows it."""
    made, shown = new_key(
        client.application.extensions["dependencies"].keys, "A tool", scopes or ["create"], 0
    )
    return made.id, {"Authorization": f"Bearer {shown}"}


@pytest.mark.parametrize(("game", "seats"), every_game())
def test_a_row_says_what_the_match_says_to_a_spectator_at_every_version_to_the_end(
    client: FlaskClient, play: Play, game: str, seats: int
) -> None:
    table = lay(client, play, seats, game=game)
    for _ in range(5):
        table.step()
        row, match = row_of(table), table.get().json
        assert {part: row[part] for part in OF_THE_MATCH} == {part: match[part] for part in OF_THE_MATCH}
        assert (row["winners"], row["result"], row["open_seats"]) == (None, None, 0)
    score = table.finish().get("/score").json
    row = row_of(table)
    assert (row["winners"], row["result"]) == (score["winners"], score["result"])
    assert (row["status"], row["to_act"], row["version"]) == ("finished", [], score["version"])


def test_open_seats_are_those_that_can_be_taken_now(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, [{"name": "Ann"}, {"open": True}, {"open": True}, {"bot": "random"}])
    row = row_of(table)
    assert (row["status"], row["open_seats"], row["to_act"]) == ("open", 2, [])
    assert [(seat["kind"], seat["name"]) for seat in row["seats"]] == [
        ("human", "Ann"),
        ("human", None),
        ("human", None),
        ("bot", "random"),
    ]
    for name, left in (("Bob", 1), ("Cy", 0)):
        assert post(client, f"{table.url}/seats", {"name": name}).status_code == 201
        assert row_of(table)["open_seats"] == left
    assert client.delete(f"{table.url}/seats/0", headers=table.bearer("seat:0")).status_code == 200
    assert row_of(table)["open_seats"] == 1
    assert table.send(CLOSE, "host").status_code == 201
    assert (row_of(table)["status"], row_of(table)["open_seats"]) == ("closed", 0)


def test_a_forgotten_name_is_forgotten_in_the_list_too(
    client: FlaskClient, play: Play, journal: RedisJournal
) -> None:
    table = lay(client, play, named("Ann", "Bob"))
    journal.client.hdel(journal.keys.of_match(table.id, "head"), "name:1:0")
    assert [seat["name"] for seat in row_of(table)["seats"]] == [FORGOTTEN, "Bob"]
    assert "Ann" not in client.get("/v1/matches").text


def test_the_tag_changes_whenever_a_row_does(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    for _ in range(4):
        tag = client.get("/v1/matches").headers["ETag"]
        assert client.get("/v1/matches", headers={"If-None-Match": tag}).status_code == 304
        table.step()
        assert client.get("/v1/matches", headers={"If-None-Match": tag}).status_code == 200


def test_a_row_is_the_newest_whatever_this_process_has_seen(
    client: FlaskClient, play: Play, server: EmbeddedServer
) -> None:
    table = lay(client, play)
    elsewhere = replace(table, client=another_process(server)[0])
    for _ in range(3):
        assert row_of(elsewhere) == row_of(table)
        table.step()


def test_a_match_of_an_older_release_is_listed_with_what_its_head_says_until_its_next_commit(
    client: FlaskClient, play: Play, journal: RedisJournal, server: EmbeddedServer
) -> None:
    table = lay(client, play)
    journal.client.hdel(journal.keys.of_match(table.id, "head"), "lobby", "to_act", "created")
    row = row_of(table)
    assert (row["id"], row["version"], row["game"], row["status"]) == (table.id, 1, "whatnot", "playing")
    unknown = ("seats", "open_seats", "to_act", "edition", "options", "private", "rules_version", "winners")
    assert {row[part] for part in unknown} == {None}
    assert row["created_at"]
    held = listed(client, "?mine=true", table.bearer("host"))
    assert [(row["id"], row["created_at"]) for row in held] == [(table.id, None)]
    another, its_play = another_process(server)
    replace(table, client=another, play=its_play).step()
    assert row_of(table)["seats"] == table.get().json["seats"]


def test_a_head_that_says_nothing_sound_is_left_out_of_the_list(
    client: FlaskClient, play: Play, journal: RedisJournal
) -> None:
    tables = [lay(client, play) for _ in range(4)]
    for table, field, value in zip(tables, ("lobby", "lobby", "version"), ("{", "{}", "x"), strict=False):
        journal.client.hset(journal.keys.of_match(table.id, "head"), field, value)
    assert ids(client) == [tables[3].id]
    assert ids(client, "?mine=true", tables[0].bearer("host")) == []


def test_a_key_lists_the_matches_it_created_private_ones_too_newest_first(
    client: FlaskClient, play: Play
) -> None:
    (_, mine), (_, others) = key(client), key(client)
    lay(client, play)
    own = [lay(client, play, headers=mine), private_table(client, play), lay(client, play, headers=others)]
    hidden = lay(client, play, headers=mine, private=True)
    assert ids(client, "?mine=true", mine) == [hidden.id, own[0].id]
    assert ids(client, "?mine=true", others) == [own[2].id]
    rows = listed(client, "?mine=true", mine)
    assert [row["private"] for row in rows] == [True, False]
    assert rows[0]["seats"] == hidden.get(who="host").json["seats"]
    assert hidden.id not in ids(client)
    assert hidden.id not in ids(client, "", mine), "the public list is the same for everybody"
    assert ids(client, "?mine=true", key(client, "read-all")[1]) == [], (
        "seeing a match does not make it yours"
    )


def test_own_matches_come_by_game_and_status_in_pages_and_move_with_the_commit(
    client: FlaskClient, play: Play
) -> None:
    _, mine = key(client)
    for number in range(7):
        lay(client, play, headers=mine, game=("whatnot", "drawer")[number % 2], private=number > 3)
    everything = ids(client, "?mine=true", mine)
    assert len(everything) == 7
    closing = lay(client, play, headers=mine)
    assert closing.send(CLOSE, "host").status_code == 201
    assert ids(client, "?mine=true&status=closed", mine) == [closing.id]
    assert ids(client, "?mine=true&status=playing", mine) == everything
    assert len(ids(client, "?mine=true&game=drawer&status=playing", mine)) == 3
    assert ids(client, "?mine=true&game=nonsense", mine) == []
    path, pages = "/v1/matches?mine=true&status=playing&limit=3", list[list[str]]()
    while path:
        answer = client.get(path, headers=mine)
        pages.append([item["id"] for item in answer.json["items"]])
        path = answer.headers["Link"].split(">")[0].strip("<") if answer.json["next"] else ""
        assert ("Link" in answer.headers) is bool(path)
        assert len(pages) < 9
    assert [len(page) for page in pages] == [3, 3, 1]
    assert [match for page in pages for match in page] == everything


def test_a_token_lists_its_own_match_as_long_as_it_is_good(client: FlaskClient, play: Play) -> None:
    table = private_table(client, play, [*named("Ann", "Bob"), {"open": True}])
    taken = post(client, f"{table.url}/seats", {"name": "Cy", "invite": table.invite()}).json["tokens"]
    code = table.invite(to="spectator")
    admitted = post(client, f"{table.url}/spectators", {"invite": code}).json["tokens"]
    table = replace(table, tokens={**table.tokens, **taken, **admitted})
    for who in table.tokens:
        assert ids(client, "?mine=true", table.bearer(who)) == [table.id]
    bearer = table.bearer("seat:0")
    assert ids(client, "?mine=true&game=whatnot&status=playing", bearer) == [table.id]
    for query in ("&game=drawer", "&status=open", "&game=nonsense"):
        assert ids(client, f"?mine=true{query}", bearer) == []
    fresh = post(client, f"{table.url}/tokens", b"", bearer).json["token"]
    assert ids(client, "?mine=true", {"Authorization": f"Bearer {fresh}"}) == [table.id]
    assert client.delete(f"{table.url}/seats/1", headers=table.bearer("seat:1")).status_code == 200
    back = table.send({}, "host", part="/seats/2/invite")
    assert back.status_code == 201
    assert client.delete(f"{table.url}/invites/2", headers=table.bearer("host")).status_code == 200
    for who in ("seat:0", "seat:1", "seat:2", "spectator:2"):
        problem(client.get("/v1/matches?mine=true", headers=table.bearer(who)), 401, "token_unknown")
    assert table.send(CLOSE, "host").status_code == 201
    (row,) = listed(client, "?mine=true&status=closed", table.bearer("host"))
    assert (row["id"], row["private"]) == (table.id, True)


def test_own_matches_are_nobodys_without_a_good_credential(client: FlaskClient, play: Play) -> None:
    id_, mine = key(client)
    lay(client, play, headers=mine)
    assert client.get("/v1/matches?mine=true", headers=mine).headers["Vary"] == "Authorization, Accept"
    problem(client.get("/v1/matches?mine=true"), 401, "token_missing")
    for shown in ("bricabrac_" + "A" * 43, "bricabrac_key_" + "A" * 43, "x/", "\xff"):
        refused = client.get("/v1/matches?mine=true", headers={"Authorization": f"Bearer {shown}"})
        problem(refused, 401, "token_unknown")
    problem(client.get("/v1/matches?mine=1", headers=mine), 422, "validation_error")
    assert len(ids(client, "?mine=false", {"Authorization": "Bearer of-nobody"})) == 1
    assert client.application.extensions["dependencies"].keys.revoke(id_)
    problem(client.get("/v1/matches?mine=true", headers=mine), 401, "token_unknown")


def test_a_row_holds_no_secret_of_the_match(client: FlaskClient, play: Play) -> None:
    _, mine = key(client)
    table = lay(client, play, headers=mine, seed="05" * 32)
    loaded = play.load(table.id)
    told = client.get("/v1/matches").text + client.get("/v1/matches?mine=true", headers=mine).text
    for word in (loaded.secrets.seed.hex(), loaded.secrets.sealing_key.hex(), *loaded.fields.values()):
        if len(word) > 30 and not word.startswith("{"):
            assert word not in told.replace(loaded.state.created.edition_hash, "")
