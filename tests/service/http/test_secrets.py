"""Nobody is shown what the rules hide from him, on any path, at any time, before it is revealed to all."""

import random
from dataclasses import replace
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient

from domain.chance import Chance
from service.matches.play import Play
from service.matches.views import legal_page, match_document, score_document
from tests.service.http.crawl import (
    answers,
    forbidden_words,
    hidden_tiles,
    numbers,
    seat_of,
    shown_tiles,
)
from tests.service.http.table import Table, every_game, lay, post

DRAWING = [{"type": "choose_column", "column": column} for column in (1, 2)]


def drawing_table(client: FlaskClient, play: Play, seats: int, dice: int, **body: Any) -> Table:
    """A match whose players like to draw in private."""
    return replace(lay(client, play, seats, **body), dice=random.Random(dice))


def worth_a_look(version: int) -> bool:
    """Every version of a short match, and some of a long one."""
    return version <= 40 or version % 200 == 0


def step(table: Table) -> Any:
    """A random step; where a column can be chosen one with private draws is preferred."""
    loaded = table.play.load(table.id)
    whatnot = loaded.state.game.name == "whatnot"
    if whatnot and not loaded.state.due_task and table.dice.random() < 0.8:
        who = f"seat:{loaded.state.to_act[0]}"
        for choice in DRAWING:
            if choice in table.legal(who):
                return table.send(choice, who)
    return table.step()


@pytest.mark.parametrize(("game", "seats"), every_game())
def test_no_answer_to_anybody_holds_the_seed_the_sealing_key_a_token_or_the_salt_of_anothers_secret(
    quick_client: FlaskClient, quick_play: Play, game: str, seats: int
) -> None:
    play = quick_play
    table = drawing_table(quick_client, play, seats, 1, game=game)
    while play.load(table.id).state.status != "finished":
        loaded = play.load(table.id)
        entries = play.journal.read(table.id, 0, count=loaded.version)
        for who in table.viewers if worth_a_look(loaded.version) else ():
            words = forbidden_words(table, who, loaded, entries)
            for answer in answers(table, who):
                assert not [word for word in words if word in answer.text + str(answer.headers)]
        assert play.load(table.id).version == loaded.version, "looking changes nothing"
        if (told := step(table)) is not None:
            sender, new = told.json["commits"][0]["by"], play.journal.read(table.id, loaded.version)
            assert not [w for w in forbidden_words(table, sender, play.load(table.id), new) if w in told.text]
    for who in table.viewers:
        for answer in answers(table, who):
            assert not [token for token in table.tokens.values() if token in answer.text]


def test_a_stranger_is_told_nothing_of_a_private_match(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, [{"name": "Ann"}, {"open": True}, {"name": "Bob"}], private=True)
    code = table.invite()
    for _ in range(2):
        loaded = play.load(table.id)
        words = {"Ann", "Bob", loaded.hash, loaded.state.created.seed_commitment, "to_act", code}
        for answer in answers(table, None):
            assert answer.status_code in (200, 401, 406, 422) or answer.json["code"] == "not_ready"
            assert not [word for word in words if word in answer.text + str(answer.headers)]
            assert answer.status_code != 200 or table.id not in answer.text
        for headers in ({}, {"If-Match": '"v99"'}):
            taking = post(client, f"{table.url}/seats", {"name": "Eve", "seat": 1}, headers)
            assert taking.json["rule"] == "invite_required"
            assert not [
                word for word in (*words, "version", "whatnot") if word in taking.text + str(taking.headers)
            ]
        table.send({"type": "start_match"}, "host")


@pytest.mark.parametrize(("seats", "dice"), [(2, 6), (3, 7), (4, 8)])
def test_a_tile_that_is_hidden_from_a_viewer_is_nowhere_in_his_view(
    client: FlaskClient, play: Play, seats: int, dice: int
) -> None:
    table = drawing_table(client, play, seats, dice)
    drawn = 0
    while (state := play.load(table.id).state).status == "playing":
        turn = state.position.turn
        drawn += bool(turn and turn.drawn)
        for who in table.viewers:
            shown = shown_tiles(table.get(who=who).json["position"])
            assert not shown & hidden_tiles(state.position, seat_of(who))
            if turn and turn.seat == seat_of(who):
                assert {*turn.drawn} <= shown, "one's own draws are shown to oneself"
        step(table)
    assert drawn > 5


@pytest.mark.parametrize("dice", [9, 10])
def test_sealed_fields_are_opened_for_their_owners_and_for_nobody_else(
    client: FlaskClient, play: Play, dice: int
) -> None:
    table = drawing_table(client, play, 3, dice)
    while play.load(table.id).state.status == "playing":
        step(table)
    commits = play.journal.read(table.id, 0, play.load(table.id).version, 1000)
    owners = {
        (entry.version, pointer): secret["seats"]
        for entry in commits
        for pointer, secret in orjson.loads(entry.secrets or b"{}").items()
        if "handle" not in secret
    }
    names = {(1, f"{where}/seats/{n}/name") for where in ("/command", "/events/0") for n in range(3)}
    assert len(owners) > 8
    for who in table.viewers:
        page = table.get("/log?limit=500", who).json["items"]
        opened = {(c["version"], pointer) for c in page for pointer in c.get("opened", {})}
        assert opened == names | {place for place, seats in owners.items() if seat_of(who) in seats}
        for commit in page:
            for event in commit["events"]:
                if event["type"] == "tiles_drawn":
                    assert event.keys() == {"type", "seat", "count"}
                if event["type"] == "drawn_tile_discarded":
                    assert event.keys() == {"type", "seat"}


def test_what_a_viewer_is_shown_does_not_depend_on_what_is_hidden_from_him(
    client: FlaskClient, play: Play
) -> None:
    table = drawing_table(client, play, 3, 11)
    differed = 0
    while (loaded := play.load(table.id)).state.status == "playing":
        match, game = loaded.state, loaded.state.game
        for viewer in (None, 0, 1, 2):
            position = orjson.loads(orjson.dumps(game.view(match.position, viewer)))
            box, chance = game.box(match.edition), Chance(bytes([loaded.version]) * 32)
            other = replace(loaded, match=replace(match, position=game.imagine(box, position, chance)))
            differed += other.state.position.bag != match.position.bag
            shown = [match_document, score_document]
            assert all(
                orjson.dumps(show(loaded, viewer)) == orjson.dumps(show(other, viewer)) for show in shown
            )
            if viewer is not None:
                assert legal_page(loaded, viewer, 200) == legal_page(other, viewer, 200)
        step(table)
    assert differed > 100


def test_only_whoever_is_to_act_is_told_which_tiles_can_be_taken(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, 3)
    who = table.acting
    assert table.send(DRAWING[0], who).status_code == 201
    drawn = set(table.get(who=who).json["position"]["turn"]["drawn"]["tiles"])
    told = table.send({"type": "take_tile", "tile": 999, "row": 0, "column": 0}, who).json["detail"]
    assert all(str(tile) in told for tile in drawn)
    for tile in range(1, 86):
        take = {"type": "take_tile", "tile": tile, "row": 0, "column": 0}
        assert table.send(take, table.waiting).json["detail"] == f"The match waits for {who}."
        assert table.send(take, "host").json["detail"] == "host cannot send take_tile."


def test_the_answer_to_a_command_opens_to_its_sender_only_what_is_his(
    client: FlaskClient, play: Play
) -> None:
    table = drawing_table(client, play, 2, 12)
    opened = 0
    while play.load(table.id).state.status == "playing":
        before = play.load(table.id)
        answer = step(table)
        if answer is not None:
            seat = answer.json["commits"][0]["by"]
            for commit in answer.json["commits"]:
                for pointer, secret in commit.get("opened", {}).items():
                    _, _, index, _ = pointer.split("/")
                    assert commit["events"][int(index)]["seat"] == seat_of(seat)
                    opened += 1
                    assert {*numbers(secret["value"])} <= {*before.state.position.bag} | {
                        *(before.state.position.turn.drawn if before.state.position.turn else ())
                    }
    assert opened > 4


def test_what_the_server_writes_down_holds_no_token_no_key_and_no_secret_of_a_match(
    client: FlaskClient, play: Play, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(0)
    key = "a-very-secret-idempotency-key"
    table = lay(client, play, 2, {"Idempotency-Key": key}, seed="5eed" * 16)
    seated = post(client, f"{table.url}/seats", {"name": "Eve"}, {"Idempotency-Key": key + "-2"})
    assert seated.status_code == 409
    for _ in range(10):
        table.step()
    table.send({}, "seat:0", {"Idempotency-Key": key})
    loaded = play.peek(table.id)
    log = play.journal.keys.of_match(table.id, "log")  # type: ignore[attr-defined]
    play.journal.client.rename(log, log + "-away")  # type: ignore[attr-defined]
    play.journal.client.set(log, "broken")  # type: ignore[attr-defined]
    assert table.get(who="seat:0").status_code == 503
    assert caplog.text
    keys = [loaded.secrets.sealing_key, *(name.key for name in loaded.names.values())]
    assert len(keys) == 3
    for word in (key, "5eed5eed", *table.tokens.values(), *(each.hex() for each in keys), *map(str, keys)):
        assert word not in caplog.text
