"""D2: until all have placed, nobody but he who placed can tell where, from anything that he is shown."""

import random
import re
from typing import Any

import msgspec
import orjson
import pytest

from domain.chance import Chance
from domain.errors import RuleBroken
from domain.games.drawer import GAME
from domain.games.drawer.commands import PlaceItem
from domain.games.drawer.components import Box
from domain.games.drawer.state import State
from service.log.canonical import canonical
from service.log.record import GENESIS, Draft, Entry, seal
from tests.games.drawer.boards import BOX, CHANCE, given, happened
from tests.games.drawer.twin import table
from tests.playing import play_out

BOARD = """
    AAA..  .....  TTT..  .....
    .....  .BBBB  .T...  .....
    E....  .....  .....  .....
    EE...  .....  .....  .....
    .....  .....  .....  .....
"""
CHOICES = [PlaceItem("A", (20, 21)), PlaceItem("C", (10, 15)), PlaceItem("D", (3, 4))]
OTHERS = (1, 2, None)


BEFORE = given(BOARD, "", "", row=["I2"])


def placed(command: PlaceItem) -> State:
    """Seat 0 has placed the Batteries, seats 1 and 2 have not."""
    return happened(BEFORE, *GAME.decide(BEFORE, command, 0, CHANCE))


def drawers(state: State, viewer: int) -> Any:
    return GAME.view(state, viewer)["drawers"]


def record(command: PlaceItem) -> Entry:
    events = GAME.decide(BEFORE, command, 0, CHANCE)
    draft = Draft("m_1", 2, "2026-11-30T02:03:04.123Z", "seat:0", command, "c1", events, GENESIS)
    return seal(draft, bytes(32))[0]


def blurred(line: bytes) -> bytes:
    """A record with every hash replaced by its length."""
    return re.sub(rb"[0-9a-f]{64}", b"64", line)


@pytest.mark.parametrize("viewer", OTHERS)
def test_others_see_the_same_wherever_an_item_was_placed_d2(viewer: int | None) -> None:
    seen = {canonical([GAME.view(state, viewer), GAME.to_act(state)]) for state in map(placed, CHOICES)}
    assert len(seen) == 1


@pytest.mark.parametrize("viewer", OTHERS)
def test_the_live_score_that_others_see_does_not_move_d2(viewer: int | None) -> None:
    sheets = [GAME.score(placed(command), viewer) for command in CHOICES]
    assert sheets[0] == sheets[1] == sheets[2]
    assert sheets[0] == GAME.score(BEFORE, viewer)


def test_the_legal_lists_of_others_do_not_move_d2() -> None:
    lists = [[list(GAME.legal(placed(command), seat)) for seat in (1, 2)] for command in CHOICES]
    assert lists[0] == lists[1] == lists[2]


def test_that_a_player_has_placed_may_be_seen_d2() -> None:
    assert [(seen["placed"], seen["placement"]) for seen in drawers(placed(CHOICES[0]), 1)] == [
        (True, None),
        (False, None),
        (False, None),
    ]


def test_a_player_sees_and_scores_his_own_placement_at_once_d2() -> None:
    state = placed(PlaceItem("C", (10, 15)))
    mine = drawers(state, 0)[0]
    assert mine["placed"]
    assert mine["placement"] == {"compartment": "C", "cells": (10, 15)}
    own, other = GAME.score(state, 0)[0].parts, GAME.score(state, 1)[0].parts
    assert [part.points for part in own] != [part.points for part in other]


def test_the_log_keeps_compartment_and_spaces_sealed_and_says_that_the_seat_has_placed_d2() -> None:
    public = record(CHOICES[0]).public()
    assert public["command"] == {"type": "place_item"}
    assert public["events"] == [{"type": "item_placed", "seat": 0, "item": "I2"}]
    assert public["sealed"].keys() == {
        "/command/compartment",
        "/command/cells",
        "/events/0/compartment",
        "/events/0/cells",
    }


def test_a_sealed_placement_opens_to_its_seat_alone_d2() -> None:
    entry = record(CHOICES[0])
    opened = orjson.loads(entry.line(0, {}, revealed=False))["opened"]
    assert opened["/events/0/cells"]["value"] == [20, 21]
    for viewer in OTHERS:
        assert "opened" not in orjson.loads(entry.line(viewer, {}, revealed=False))


def test_neither_the_shape_nor_the_length_of_a_record_tells_a_placement_d2() -> None:
    assert len({blurred(record(command).line(1, {}, revealed=False)) for command in CHOICES}) == 1


def test_a_refusal_tells_nothing_of_what_others_have_placed_d2() -> None:
    sentences = set()
    for state in map(placed, CHOICES):
        with pytest.raises(RuleBroken) as refusal:
            GAME.decide(state, PlaceItem("A", (0, 7)), 1, CHANCE)
        with pytest.raises(RuleBroken) as again:
            GAME.decide(state, CHOICES[0], 0, CHANCE)
        sentences.add((refusal.value.sentence, again.value.sentence))
    assert len(sentences) == 1


def test_a_bot_imagines_others_placements_among_those_they_may_have_made() -> None:
    may = set(GAME.legal(BEFORE, 0))
    seen, imagined = orjson.loads(canonical(GAME.view(placed(CHOICES[0]), 1))), set()
    for n in range(300):
        pending = GAME.imagine(BOX, seen, Chance(n.to_bytes(32, "big"))).drawers[0].pending
        assert pending is not None
        imagined.add(PlaceItem(pending.compartment, pending.cells))
    assert imagined <= may
    assert len(imagined) > len(may) / 2


def test_where_nothing_is_hidden_the_imagined_state_is_the_state() -> None:
    played = (step.before for step in play_out(GAME, table(1), bytes(32), random.Random(1)))
    for state in (BEFORE, *map(placed, CHOICES), *played):
        seen = orjson.loads(canonical(GAME.view(state, 0)))
        assert GAME.imagine(BOX, seen, CHANCE) == state


def test_a_state_can_be_kept_as_a_snapshot() -> None:
    state = placed(CHOICES[0])
    kept = msgspec.msgpack.encode(state, enc_hook=lambda box: "box" if isinstance(box, Box) else box)
    assert msgspec.msgpack.decode(kept, type=State, dec_hook=lambda *_: BOX) == state
