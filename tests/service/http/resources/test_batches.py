"""Lists of commands over HTTP end where chance, a reveal or another player comes in."""

from itertools import combinations
from typing import Any

from flask.testing import FlaskClient

from service.matches.play import Play
from tests.service.http.table import Table, lay, problem

PAST = "batch_reaches_past_chance"


def refused_past(table: Table, batch: list[Any], who: str, pointer: str) -> dict[str, Any]:
    """What a batch is refused with, sent and tried; nothing of it is stored."""
    before = table.version
    sent, tried = (
        problem(table.send(batch, who, part=f"/commands{dry}"), 409, PAST) for dry in ("", "?dry_run=true")
    )
    assert sent["pointer"] == tried["pointer"] == pointer
    assert sent["detail"] == tried["detail"]
    assert table.version == before
    return sent


def test_no_item_to_come_is_told_by_how_a_batch_is_refused(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, 1, game="drawer")
    who = "seat:0"
    first = table.legal(who)[0]
    answers = {
        (
            refused := refused_past(
                table, [first, {"type": "place_item", "compartment": "B", "cells": cells}], who, "/1"
            )
        )["detail"]
        for cells in ([0], [0, 24], [0, 1, 2], [0, 1, 2, 5], *map(list, combinations(range(4), 2)))
    }
    assert len(answers) == 1
    assert "covers" not in refused["detail"]
    accepted = table.send([first], who)
    assert (accepted.status_code, accepted.json["version"]) == (201, 2)


def test_no_column_tells_its_draw_before_it_is_chosen(client: FlaskClient, play: Play) -> None:
    table = lay(client, play)
    for column in range(1, 6):
        choose, bogus = {"type": "choose_column", "column": column}, {"type": "take_tile", "tile": 998}
        refused_past(table, [choose, bogus], table.acting, "/1")
        refused_past(table, [choose, choose, bogus], table.acting, "/1")


def test_what_is_no_command_at_all_is_refused_before_anything_is_decided(
    client: FlaskClient, play: Play
) -> None:
    table = lay(client, play)
    for column in (3, 9):  # one that is vacant and one that there is not
        batch = [{"type": "choose_column", "column": column}, {"type": "take_tile", "tile": "none"}]
        wrong = problem(table.send(batch, table.acting), 422, "validation_error")
        assert wrong["errors"][-1]["pointer"].startswith("/1" if column == 3 else "/0")


def test_a_batch_ends_where_the_turn_does(client: FlaskClient, play: Play) -> None:
    table = lay(client, play, 3)
    who = table.acting
    table.send({"type": "choose_column", "column": 3}, who)
    takes = [take for take in table.legal(who) if "row" in take]
    turn = [takes[0], next(take for take in reversed(takes) if take["tile"] != takes[0]["tile"])]
    refused_past(table, [*turn, {"type": "choose_column", "column": 1}], who, "/2")
    assert table.send(turn, who).json["version"] == 4
