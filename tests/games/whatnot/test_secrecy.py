"""W5: what is drawn in columns 1 and 2 is seen by the acting player only, until it lies before everyone."""

import re
from typing import Any

import msgspec
import orjson
import pytest

from domain.chance import Chance
from domain.errors import RuleBroken
from domain.games.whatnot import GAME
from domain.games.whatnot import events as e
from domain.games.whatnot.commands import ChooseColumn
from domain.games.whatnot.components import Box
from domain.games.whatnot.state import State
from service.log.canonical import canonical
from service.log.record import GENESIS, Draft, Entry, seal
from tests.games.whatnot.table import BOX, CHANCE, TILE, after, drawing, given, ids, take, when

BAG = "yl yc yb gl gc gb sweep1 draw1"
BEFORE = given("", "", "", outdoors="rl rc rb rs", bag=BAG)
DRAWS = ("yl yc yb", "gl gc gb", "yl sweep1 draw1")
OTHERS = (1, 2, None)


def seen(state: State, viewer: int | None) -> Any:
    return GAME.view(state, viewer)


def chose(column: int, tiles: str = DRAWS[0]) -> State:
    """Seat 0 has drawn these tiles, or the first two of them."""
    return after(BEFORE, ChooseColumn(column), chance=drawing(tiles, BEFORE.bag))


def discarded(tile: str) -> State:
    """Seat 0 has taken two of the three tiles drawn in column 1, and discarded this one."""
    kept = [name for name in DRAWS[0].split() if name != tile]
    return after(chose(1), take(kept[0], 0, 0), take(kept[1], 0, 1))


def record(command: Any, events: tuple[Any, ...]) -> Entry:
    draft = Draft("m_1", 2, "2026-11-30T02:03:04.123Z", "seat:0", command, "c1", events, GENESIS)
    return seal(draft, bytes(32))[0]


def drawn(tiles: str, column: int = 1) -> Entry:
    return record(ChooseColumn(column), when(BEFORE, ChooseColumn(column), chance=drawing(tiles, BEFORE.bag)))


def blurred(line: bytes) -> bytes:
    """A record with every hash replaced by its length."""
    return re.sub(rb"[0-9a-f]{64}", b"64", line)


@pytest.mark.parametrize("column", [1, 2])
def test_the_acting_player_sees_what_was_drawn_and_others_only_how_many_w5(column: int) -> None:
    turns = [seen(chose(column), viewer)["turn"] for viewer in (0, *OTHERS)]
    count = {1: 3, 2: 2}[column]
    assert turns[0]["drawn"] == {"size": count, "tiles": ids(DRAWS[0])[:count]}
    assert [turn["drawn"] for turn in turns[1:]] == [{"size": count, "tiles": None}] * 3


@pytest.mark.parametrize("viewer", OTHERS)
@pytest.mark.parametrize("column", [1, 2])
def test_nothing_that_others_are_shown_depends_on_what_was_drawn_w5(viewer: int | None, column: int) -> None:
    states = [chose(column, tiles) for tiles in DRAWS]
    shown = {canonical([seen(state, viewer), GAME.to_act(state)]) for state in states}
    assert len(shown) == 1
    assert GAME.score(states[0], viewer) == GAME.score(states[1], viewer) == GAME.score(states[2], viewer)
    assert all(list(GAME.legal(state, seat)) == [] for state in states for seat in (1, 2))


def test_a_refusal_to_another_player_tells_nothing_of_what_was_drawn_w5() -> None:
    sentences = set()
    for tiles in DRAWS:
        with pytest.raises(RuleBroken) as refused:
            GAME.decide(chose(1, tiles), take("yl", 0, 0), 1, CHANCE)
        sentences.add(refused.value.sentence)
    assert len(sentences) == 1


@pytest.mark.parametrize("column", [1, 2])
def test_the_draw_is_sealed_in_the_log_and_opens_to_its_player_alone_w5(column: int) -> None:
    entry, count = drawn(DRAWS[0], column), {1: 3, 2: 2}[column]
    assert entry.public()["events"][1] == {"type": "tiles_drawn", "seat": 0, "count": count}
    assert entry.public()["sealed"].keys() == {"/events/1/tiles"}
    opened = orjson.loads(entry.line(0, {}, revealed=False))["opened"]
    assert opened["/events/1/tiles"]["value"] == [*ids(DRAWS[0])][:count]
    for viewer in OTHERS:
        assert "opened" not in orjson.loads(entry.line(viewer, {}, revealed=False))


def test_neither_the_shape_nor_the_length_of_a_record_tells_what_was_drawn_or_discarded_w5() -> None:
    assert len({blurred(drawn(tiles).line(1, {}, revealed=False)) for tiles in DRAWS}) == 1
    ends = [discarding("yb", "yl"), discarding("yb", "sweep1", "yl sweep1 yb")]
    assert len({blurred(entry.line(1, {}, revealed=False)) for entry in ends}) == 1


def discarding(last: str, other: str, tiles: str = DRAWS[0]) -> Entry:
    """The record of the second take of column 1, of this tile, when the other one was discarded."""
    (first,) = {*tiles.split()} - {last, other}
    state = after(chose(1, tiles), take(first, 0, 0))
    return record(take(last, 0, 1), when(state, take(last, 0, 1)))


def test_the_tile_that_column_one_discards_stays_unknown_to_the_others_w5() -> None:
    state = discarded("yb")
    everything = sorted(state.discards)
    assert seen(state, 0)["discards"] == {"size": len(everything), "known": everything}
    assert seen(state, 0)["face_down"] == [{"seat": 0, "tile": TILE["yb"]}]
    for viewer in OTHERS:
        known = [tile for tile in everything if tile != TILE["yb"]]
        assert seen(state, viewer)["discards"] == {"size": len(everything), "known": known}
        assert seen(state, viewer)["face_down"] == [{"seat": 0, "tile": None}]


def test_the_discard_of_column_one_is_sealed_for_the_others_w5() -> None:
    entry = discarding("yb", "yl")
    assert entry.public()["events"][1] == {"type": "drawn_tile_discarded", "seat": 0}
    assert entry.public()["sealed"].keys() == {"/events/1/tile"}


def test_what_column_two_puts_outdoors_is_seen_by_all_w5() -> None:
    state = after(chose(2), take("yl", 0, 0))
    for viewer in (0, *OTHERS):
        assert seen(state, viewer)["outdoors"] == ids("rl rc rb rs yc")


@pytest.mark.parametrize("column", [3, 4, 5])
def test_what_is_added_to_the_outdoors_lies_face_up_w5(column: int) -> None:
    assert drawn(DRAWS[0], column).public()["sealed"] == {}


def test_tiles_discarded_from_the_outdoors_were_face_up_and_are_known_w5() -> None:
    state = chose(5, "yl yc yb gl")
    for viewer in (0, *OTHERS):
        known = seen(state, viewer)["discards"]["known"]
        assert {*known} == {*state.discards}


def test_a_tile_found_by_a_draw_is_drawn_openly_w5() -> None:
    state = given("", "", "", outdoors="draw1 rc", bag="yl yc yb")
    state = after(state, ChooseColumn(3), chance=drawing("yl", state.bag))
    events = when(state, take("draw1"))
    assert record(take("draw1"), events).public()["sealed"] == {}
    found = after(state, take("draw1"))
    for viewer in (0, *OTHERS):
        assert seen(found, viewer)["turn"]["found"] in ids("yc yb")


def test_a_special_returned_in_the_first_prepare_is_drawn_openly_w5() -> None:
    assert record(ChooseColumn(1), (e.SpecialReturned(TILE["sweep1"]),)).public()["sealed"] == {}


def test_a_refill_makes_unknown_discards_unknown_to_all_again_w5_w8() -> None:
    state = given("", "", outdoors="rl rc", bag="yl yc yb ys", discards="", landscape="01...")
    state = after(state, ChooseColumn(1), chance=drawing("yl yc yb", state.bag))
    state = after(state, take("yl", 0, 0), take("yc", 0, 1), ChooseColumn(4))
    assert (state.shakes, state.face_down) == (1, ())


def test_a_bot_imagines_the_unseen_tiles_dealt_anew_and_the_rest_as_it_is_w5() -> None:
    view = orjson.loads(canonical(seen(chose(1), 1)))
    others = [GAME.imagine(BOX, view, Chance(bytes([n]) * 32)) for n in range(20)]
    assert all(orjson.loads(canonical(seen(other, 1))) == view for other in others)
    assert len({other.turn.drawn for other in others if other.turn}) > 10


def test_a_view_whose_tiles_do_not_add_up_cannot_be_imagined() -> None:
    view = orjson.loads(canonical(seen(chose(1), 1)))
    view["bag"]["size"] += 1
    with pytest.raises(ValueError, match="unseen tiles"):
        GAME.imagine(BOX, view, CHANCE)


def test_a_state_can_be_kept_as_a_snapshot() -> None:
    for state in (chose(1), discarded("yc")):
        kept = msgspec.msgpack.encode(state, enc_hook=lambda box: "box" if isinstance(box, Box) else box)
        assert msgspec.msgpack.decode(kept, type=State, dec_hook=lambda *_: BOX) == state
