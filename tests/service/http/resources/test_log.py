"""The log over HTTP: pages and lines give the same commits, and everybody's copy verifies."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient

from service.log.verify import verify
from service.matches.play import Play
from tests.service.http.table import JSON, NDJSON, Table, every_game, lay

SEED = "5eed" * 16


def pages(table: Table, who: str | None, query: str) -> Iterator[dict[str, Any]]:
    """Every page of the log, by following `next`, which `Link` has to say as well."""
    path: str | None = f"{table.url}/log{query}"
    while path is not None:
        page = table.client.get(path, headers={**table.bearer(who), "Accept": JSON})
        path = page.json["next"]
        assert page.headers.get("Link") == (None if path is None else f'<{path}>; rel="next"')
        yield page.json


@pytest.mark.parametrize("limit", [1, 7, 500])
def test_the_pages_of_the_log_are_the_lines_of_its_export(
    client: FlaskClient, play: Play, limit: int
) -> None:
    table = lay(client, play, 2)
    for _ in range(20):
        table.step()
    for viewer in table.viewers:
        header, *lines = table.export(viewer)
        assert orjson.loads(header).keys() == {"format", "match", "game", "edition"}
        found = list(pages(table, viewer, f"?limit={limit}"))
        assert [commit for page in found for commit in page["items"]] == list(map(orjson.loads, lines))
        assert all(len(page["items"]) <= limit for page in found)
        assert {page["version"] for page in found} == {21}


def test_a_reader_who_has_some_gets_the_rest(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, 2)
    for _ in range(6):
        table.step()
    for after in (0, 3, 6, 7, 8, 10**9):
        page = table.get(f"/log?after={after}").json
        assert [commit["version"] for commit in page["items"]] == list(range(after + 1, 8))
        assert page["next"] is None
        lines = table.get(f"/log?after={after}", headers={"Accept": NDJSON}).data.splitlines()
        commits = [record for record in map(orjson.loads, lines) if "version" in record]
        assert commits == page["items"]
        assert (len(lines) > len(commits)) is (after == 0), "the header stands at the beginning only"


@pytest.mark.parametrize(("game", "seats"), every_game())
def test_everybodys_copy_verifies_all_the_time_with_the_same_hashes(
    quick_client: FlaskClient, quick_play: Play, game: str, seats: int
) -> None:
    table = lay(quick_client, quick_play, seats, game=game)
    for number, _ in enumerate(table.steps()):
        if number % 10 == 0 and (number < 60 or number % 300 == 0):
            copies = [table.export(viewer) for viewer in table.viewers]
            verdicts = [verify(copy) for copy in copies]
            assert all(verdict.commits == table.version for verdict in verdicts)
            assert table.get().json["status"] == "finished" or not any(v.complete for v in verdicts)
            hashes = {tuple(orjson.loads(line).get("hash") for line in copy) for copy in copies}
            assert len(hashes) == 1
            assert orjson.loads(copies[0][-1])["hash"] == table.get().json["hash"]
    ends = {tuple(table.export(viewer)) for viewer in table.viewers}
    assert len(ends) == 1, "in the end everything is open to everyone"
    verdict = verify(ends.pop())
    assert (verdict.complete, verdict.match, verdict.commits) == (True, table.id, table.version)


def test_a_creators_seed_is_kept_until_its_creator_releases_it(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, 2, seed=SEED)
    early = table.send({"type": "release_seed"}, "host")
    assert early.json["rule"] == "not_finished"
    table.finish()
    assert table.get().json["seed"] | {"commitment": ""} == {
        "by": "creator",
        "commitment": "",
        "revealed": None,
    }
    assert not verify(table.export()).complete
    key = play.load(table.id).secrets.sealing_key.hex()
    assert table.get().json["sealing"] == {
        "commitment": sha256(bytes.fromhex(key)).hexdigest(),
        "revealed": None,
    }
    for viewer in table.viewers:
        assert SEED not in b"".join(table.export(viewer)).decode()
        assert key not in b"".join(table.export(viewer)).decode()
    assert table.send({"type": "release_seed"}, "seat:0").json["code"] == "host_required"
    assert table.send({"type": "release_seed"}, "host").status_code == 201
    assert table.send({"type": "release_seed"}, "host").json["rule"] == "seed_revealed"
    assert table.get().json["seed"]["revealed"] == SEED
    assert table.get().json["sealing"]["revealed"] == key
    assert verify(table.export()).complete


def test_two_tables_with_one_seed_and_the_same_moves_draw_the_same(client: FlaskClient, play: Play) -> None:
    first, second = (lay(client, play, 3, seed=SEED).finish() for _ in range(2))
    assert first.get(who="seat:0").json["position"] == second.get(who="seat:0").json["position"]
    other = lay(client, play, 3, seed="0dd5" * 16)
    assert other.get().json["position"] != lay(client, play, 3, seed=SEED).get().json["position"]


def test_what_players_add_to_the_seed_changes_the_draws_and_is_in_the_log(
    client: FlaskClient, play: Play
) -> None:
    seats = [{"name": "Ann", "entropy": "ab"}, {"name": "Bob"}]
    table, plain = (lay(client, play, asked, seed=SEED) for asked in (seats, 2))
    assert table.get().json["position"] != plain.get().json["position"]
    assert table.get().json["seats"][0]["entropy"] == "ab"
    table.finish()
    assert table.send({"type": "release_seed"}, "host").status_code == 201
    assert verify(table.export()).complete
