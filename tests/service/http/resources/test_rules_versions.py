"""Over HTTP too a match goes by the rules it was begun with, and the catalogue tells all that there are."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from flask.testing import FlaskClient
from marshmallow import ValidationError

from domain.games import AnyGame
from domain.games.whatnot import GAME
from domain.stored import Upcaster, stored
from service.bootstrap import bootstrap
from service.http.app import create_app
from service.http.openapi.command_schemas import load_command
from service.log.codec import dump_command
from service.log.verify import verify
from service.matches.play import Play
from tests.installed import installed
from tests.service.http.table import Table, lay, post, problem
from tests.service.reformed import SECOND

CLOSED = {"type": "choose_column", "column": 3}


@pytest.fixture
def both() -> Iterator[None]:
    """A release that knows both versions of the rules."""
    with installed(SECOND):
        yield


@pytest.mark.usefixtures("both")
def test_old_and_new_matches_are_played_side_by_side_and_proved(client: FlaskClient, play: Play) -> None:
    tables = {1: lay(client, play, rules_version=1), 2: lay(client, play)}
    for version, table in tables.items():
        seen = table.get().json
        assert seen["rules_version"] == version
        assert seen["position"].get("closed") == {1: None, 2: [3]}[version]
        assert (CLOSED in table.legal(table.acting)) is (version == 1)
    assert tables[1].send(CLOSED, tables[1].acting, part="/commands?dry_run=true").status_code == 200
    assert tables[1].send(CLOSED, tables[1].acting).status_code == 201
    owed = tables[1].send(CLOSED, tables[1].acting).json["rule_url"]
    assert owed == "/v1/games/whatnot/rules?rules_version=1#not_now"
    assert "column_closed" not in client.get(owed).text
    for part in ("/commands?dry_run=true", "/commands"):
        refused = problem(tables[2].send(CLOSED, tables[2].acting, part=part), 409, "illegal_command")
        assert refused["rule"] == "column_closed"
        assert refused["rule_url"] == "/v1/games/whatnot/rules?rules_version=2#column_closed"
        assert "### column_closed" in client.get(refused["rule_url"]).text
    for version, table in tables.items():
        parts = {
            part["name"] for sheet in table.finish().get("/score").json["seats"] for part in sheet["parts"]
        }
        assert ("bonus" in parts) is (version == 2)
        verdict = verify(table.export())
        assert (verdict.complete, verdict.rules_version) == (True, version)


def test_a_match_goes_on_over_a_release_with_new_rules(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    assert CLOSED in table.legal(table.acting)
    with installed(SECOND):
        newer = Play(play.journal)
        app = create_app(bootstrap(play.journal.client, play=newer))  # type: ignore[attr-defined]
        after = Table(app.test_client(), newer, table.id, table.tokens)
        assert after.get().json["rules_version"] == 1
        assert after.send(CLOSED, after.acting).status_code == 201
        assert verify(after.finish().export()).complete
        app.extensions["broadcaster"].close()


@pytest.mark.usefixtures("both")
def test_the_catalogue_tells_the_rules_versions_and_each_of_them(client: FlaskClient) -> None:
    (listed,) = [game for game in client.get("/v1/games").json["items"] if game["name"] == "whatnot"]
    assert (listed["rules_version"], listed["rules_versions"]) == (2, [2, 1])
    read = {version: client.get(f"/v1/games/whatnot?rules_version={version}").json for version in (1, 2)}
    assert {version: game["rules_version"] for version, game in read.items()} == {1: 1, 2: 2}
    assert {version: "bonus" in game["score_parts"] for version, game in read.items()} == {1: False, 2: True}
    assert client.get("/v1/games/whatnot").json == read[2]
    texts = {
        version: client.get(f"/v1/games/whatnot/rules?rules_version={version}").text for version in (1, 2)
    }
    assert {version: "Column 3 is closed." in text for version, text in texts.items()} == {1: False, 2: True}
    assert client.get("/v1/games/whatnot/rules").text == texts[2]


@pytest.mark.parametrize("version", [0, 2, -1, 99])
def test_rules_that_are_not_there_are_neither_read_nor_played(client: FlaskClient, version: int) -> None:
    for part in ("", "/rules"):
        read = client.get(f"/v1/games/whatnot{part}?rules_version={version}")
        assert problem(read, 422, "validation_error")["errors"][0]["pointer"] == "/rules_version"
    asked = {"game": "whatnot", "seats": [{"name": "Ann"}], "rules_version": version}
    refused = problem(post(client, "/v1/matches", asked), 422, "validation_error")
    assert [error["pointer"] for error in refused["errors"]] == ["/rules_version"]


def with_a_reason(old: Any) -> Any:
    return {**old, "reason": ""}


@stored("retire_curiosities", Upcaster(with_a_reason))
@dataclass(frozen=True, slots=True)
class Retire:
    """Turn curiosity cards face down, and say why."""

    cards: tuple[str, ...]
    reason: str


@stored("turn_ended", Upcaster(with_a_reason))
@dataclass(frozen=True, slots=True)
class Ended:
    """A turn is over, and why."""

    seat: int
    reason: str


NEWER: AnyGame = replace(
    GAME,
    commands=(*GAME.commands[:-1], Retire),  # type: ignore[arg-type]
    events=tuple(Ended if kind.__name__ == "TurnEnded" else kind for kind in GAME.events),  # type: ignore[arg-type]
)


def test_published_events_carry_the_version_of_their_fields(client: FlaskClient) -> None:
    first = client.get("/v1/games/whatnot").json["events"]
    assert all(schema["properties"]["v"] == {"const": 1} for schema in first.values())
    assert all("v" not in schema["required"] for schema in first.values())
    with installed(NEWER):
        second = client.get("/v1/games/whatnot").json["events"]["turn_ended"]
    assert second["properties"]["v"] == {"const": 2}
    assert second["required"] == ["type", "v", "seat", "reason"]


def test_a_command_of_a_later_version_is_published_and_taken_with_its_version(client: FlaskClient) -> None:
    with installed(NEWER):
        schema = client.get("/v1/games/whatnot").json["commands"]["retire_curiosities"]
        assert schema["properties"]["v"] == {"type": "integer", "enum": [2]}
        assert "v" in schema["required"]
        assert "v" not in client.get("/v1/games/whatnot").json["commands"]["take_tile"]["properties"]
        read = load_command(NEWER, {"type": "retire_curiosities", "v": 2, "cards": ["a"], "reason": "x"})
        assert read == Retire(("a",), "x")
        assert dump_command(read)["v"] == 2
        for version in ({}, {"v": 1}, {"v": 3}, {"v": "2"}):
            with pytest.raises(ValidationError) as refused:
                load_command(NEWER, {"type": "retire_curiosities", "cards": [], "reason": "x", **version})
            assert list(refused.value.normalized_messages()) == ["v"]
