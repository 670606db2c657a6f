"""The catalogue tells all that is needed to play: what it says of a command is what is accepted."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from domain.games import games
from service.log.canonical import digest
from service.matches.play import Play
from tests.service.http.contract import Contract
from tests.service.http.table import Table, lay, post


@pytest.fixture
def contract(client: FlaskClient) -> Contract:
    """The OpenAPI document, which states the same schemas."""
    return Contract(client.application)


def schemas(client: FlaskClient) -> dict[str, Draft202012Validator]:
    told = client.get("/v1/games/whatnot").json["commands"]
    for schema in told.values():
        Draft202012Validator.check_schema(schema)
    return {name: Draft202012Validator(schema) for name, schema in told.items()}


def bent(command: dict[str, Any]) -> Iterator[Any]:
    """The command with one thing wrong with its shape."""
    yield command | {"who": "seat:1"}
    yield command | {"type": "pass"}
    for name, value in command.items():
        if name != "type":
            for other in (str(value), True, None, [value], {"is": value}, -1, 1000, 2.5):
                yield command | {name: other}
        yield {kept: command[kept] for kept in command if kept != name and name not in ("row", "column")}


def test_the_list_names_every_game_and_leads_to_it(client: FlaskClient) -> None:
    listed = client.get("/v1/games").json["items"]
    assert [game["name"] for game in listed] == list(games())
    for game in listed:
        whole = client.get(game["self"]).json
        assert {name: whole[name] for name in game} == game
        assert whole["default_edition"] in {edition["name"] for edition in whole["editions"]}


def test_an_edition_is_shown_whole_and_under_the_hash_that_logs_name(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    (edition,) = client.get("/v1/games/whatnot").json["editions"]
    content = {name: edition[name] for name in ("name", "components")}
    assert digest(content) == edition["hash"] == table.get().json["edition"]["hash"]
    for rows in edition["components"].values():
        assert all(row["source"] for row in rows)


def test_the_schemas_are_those_of_the_page(client: FlaskClient, contract: Contract) -> None:
    told = client.get("/v1/games/whatnot").json["commands"]
    written = contract.document["components"]["schemas"]
    for name, schema in told.items():
        page = written[f"whatnot.{name}"] if f"whatnot.{name}" in written else written[f"match.{name}"]
        shape = {key: schema[key] for key in schema if key != "description"}
        assert shape == {key: page[key] for key in page if key != "description"}
        assert schema["description"]


@pytest.mark.parametrize("seats", [1, 2])
def test_every_legal_command_has_the_shape_that_the_catalogue_states(
    client: FlaskClient, play: Play, contract: Contract, seats: int
) -> None:
    table, known, met = lay(client, play, seats), schemas(client), set()
    while play.load(table.id).state.status == "playing":
        for seat in play.load(table.id).state.to_act:
            if f"seat:{seat}" in table.tokens:
                for command in table.legal(f"seat:{seat}"):
                    met.add(command["type"])
                    assert list(known[command["type"]].iter_errors(command)) == []
                    assert contract.fits(command, "/components/schemas/Commands") == []
        table.step()
    of_hosts = {"seat_bot", "start_match", "close_match", "release_seed"}
    assert known.keys() - met == of_hosts | ({"retire_curiosities"} if seats > 1 else set())


def test_a_command_of_another_shape_is_refused_by_the_schema_and_by_the_service_alike(
    client: FlaskClient, play: Play, contract: Contract
) -> None:
    known = schemas(client)
    table = lay(client, play)
    tried = 0
    for command in (*_one_of_each(table), {"type": "retire_curiosities", "cards": ["a", "b"]}):
        for other in bent(command):
            tried += 1
            fits = not list(known[command["type"]].iter_errors(other))
            answer = table.send(other, table.acting)
            assert (answer.status_code == 422) is not fits, (other, answer.json)
            assert fits is (contract.fits(other, "/components/schemas/Commands") == [])
    assert tried > 40
    assert table.version == 2


def _one_of_each(table: Table) -> Iterator[dict[str, Any]]:
    yield table.legal(table.acting)[0]
    table.send({"type": "choose_column", "column": 3}, table.acting)
    yield next(command for command in table.legal(table.acting) if "row" in command)


def test_every_option_that_is_told_can_be_chosen(client: FlaskClient, play: Play) -> None:
    (advanced,) = client.get("/v1/games/whatnot").json["options"]
    assert (advanced["name"], advanced["default"]) == ("advanced", False)
    assert lay(client, play).get().json["options"] == {"advanced": False}
    assert lay(client, play, options={"advanced": True}).get().json["options"] == {"advanced": True}
    for seats in client.get("/v1/games/whatnot").json["seats"]:
        assert lay(client, play, seats).get().json["status"] == "playing"


def test_every_part_of_a_score_is_explained(client: FlaskClient, play: Play) -> None:
    parts = client.get("/v1/games/whatnot").json["score_parts"]
    assert all(re.fullmatch(r".+\.", told) for told in parts.values())
    for seats in (1, 3):
        scored = lay(client, play, seats).get("/score").json["seats"]
        assert {part["name"] for sheet in scored for part in sheet["parts"]} <= parts.keys()


def test_a_name_in_any_script_is_kept_as_it_was_given(client: FlaskClient, play: Play) -> None:
    names = ["Ž", "Ἀθηνᾶ", "王小明", "👩‍👩‍👧", 'O\'Neil \\ "x" </script>', "x" * 60]
    for name in names:
        created = post(client, "/v1/matches", {"game": "whatnot", "seats": [{"name": name}]})
        table = Table(client, play, created.json["match"]["id"], created.json["tokens"])
        assert table.get().json["seats"][0]["name"] == name
        table.step()
        assert table.get("?at=1").json["seats"][0]["name"] == name


@pytest.mark.parametrize("game", games())
def test_every_event_of_a_log_is_as_the_catalogue_says(client: FlaskClient, play: Play, game: str) -> None:
    told = client.get(f"/v1/games/{game}").json["events"]
    for schema in told.values():
        Draft202012Validator.check_schema(schema)
    table = lay(client, play, games()[game].seats[-1], game=game)
    for _ in range(40):
        if not play.load(table.id).state.over:
            table.step()
    for who in (None, "seat:0"):
        for commit in table.get("/log?limit=500", who).json["items"]:
            for event in commit["events"]:
                Draft202012Validator(told[event["type"]]).validate(event)
