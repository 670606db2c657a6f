"""A snapshot is a cache: one that is cut, spoiled, old or foreign is passed over, and the log has it all."""

import os
import random
import subprocess
import sys
from dataclasses import MISSING, dataclass, fields, make_dataclass, replace
from typing import Any, Literal, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import service.matches.aggregate
from domain.games.whatnot import GAME
from domain.games.whatnot.state import State
from domain.match.events import MatchCreated
from domain.match.state import Match
from service.matches.aggregate import Aggregate, restore, snapshot
from service.matches.loading import SNAPSHOT_EVERY
from service.matches.play import Play
from service.matches.type_shape import shape_hash
from service.store.memory_journal import MemoryJournal
from tests.service.log.tables import lay, move, played, simulated_play, told


def long_match() -> tuple[Play, Aggregate]:
    """A match worth a snapshot."""
    play = simulated_play()
    for loaded in played(play, lay(play, 4), random.Random(2)):
        if loaded.version > SNAPSHOT_EVERY:
            return play, loaded
    raise AssertionError("too short")


PLAY, LONG = long_match()
KEPT = snapshot(LONG)


def cold(kept: bytes | None) -> Aggregate:
    """The match as a process sees it that finds this snapshot."""
    journal = PLAY.journal
    if kept is not None:
        journal.save_snapshot(LONG.id, kept)
    return Play(journal).load(LONG.id)


def test_a_long_log_is_folded_once_and_then_there_is_a_snapshot() -> None:
    journal = MemoryJournal()
    play = Play(journal, clock=lambda: 0)
    match = played(play, lay(play, 4), random.Random(2))
    loaded = next(seen for seen in match if seen.version > SNAPSHOT_EVERY)
    assert journal.open(loaded.id)[1] is None
    assert told(Play(journal).load(loaded.id)) == told(loaded)
    assert journal.open(loaded.id)[1] == snapshot(loaded)
    later = move(play, loaded).loaded
    assert told(Play(journal).load(loaded.id)) == told(later)


def bent(**changes: Any) -> bytes:
    """The snapshot of a match that differs in this from the one there is."""
    return snapshot(replace(LONG, match=replace(LONG.state, **changes)))


def created(**changes: Any) -> MatchCreated:
    return replace(LONG.state.created, **changes)


UNREADABLE = {
    "nothing": b"",
    "another thing": msgspec.msgpack.encode("snapshot"),
    "a list": msgspec.msgpack.encode([1, 2]),
    "text": b"{}",
    "one of other rules": bent(game=replace(GAME, rules_version=GAME.rules_version + 1)),
    "one without a position": bent(position=None),
    "one of an unknown game": bent(created=created(game="chess")),
    "one of an edition that is not installed": bent(created=created(edition="deluxe")),
    "one of another edition of the same name": bent(created=created(edition_hash="f" * 64)),
}


@pytest.mark.parametrize("kept", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_is_no_snapshot_is_passed_over(kept: bytes) -> None:
    assert restore(LONG.id, kept, LONG.fields) is None
    assert told(cold(kept)) == told(LONG)


def test_a_snapshot_of_another_format_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        service.matches.aggregate, "SNAPSHOT_FORMAT", service.matches.aggregate.SNAPSHOT_FORMAT + 1
    )
    assert restore(LONG.id, KEPT, LONG.fields) is None
    assert told(cold(KEPT)) == told(LONG)


@settings(max_examples=60, deadline=None)
@given(length=st.integers(0, len(KEPT) - 1))
def test_a_snapshot_cut_short_is_passed_over(length: int) -> None:
    assert restore(LONG.id, KEPT[:length], LONG.fields) is None
    assert told(cold(KEPT[:length])) == told(LONG)


@settings(max_examples=200, deadline=None)
@given(place=st.integers(0, len(KEPT) - 1), bit=st.integers(0, 7))
def test_a_snapshot_with_one_wrong_bit_is_passed_over(place: int, bit: int) -> None:
    spoiled = bytearray(KEPT)
    spoiled[place] ^= 1 << bit
    assert restore(LONG.id, bytes(spoiled), LONG.fields) is None
    assert told(cold(bytes(spoiled))) == told(LONG)


def before_a_field_was_added(kind: Any, missing: str) -> Any:
    """The state as it was when the code did not know a field yet, which has a default today."""
    kept = [item for item in fields(kind) if item.name != missing]
    hints = get_type_hints(kind)
    return make_dataclass(
        kind.__name__, [(item.name, hints[item.name]) for item in kept], frozen=True, slots=True
    )


STATE_DEFAULTS = [item.name for item in fields(State) if item.default is not MISSING]


@pytest.mark.parametrize("missing", STATE_DEFAULTS)
def test_a_snapshot_that_lacks_a_field_with_a_default_is_passed_over(missing: str) -> None:
    """Or a default would stand in its place: a bag that was never shaken, and other draws from it."""
    older: Any = before_a_field_was_added(State, missing)
    position = LONG.state.position
    then = older(**{item.name: getattr(position, item.name) for item in fields(older)})
    kept = bent(game=replace(GAME, state=older), position=then)
    assert msgspec.convert(
        msgspec.msgpack.decode(kept[32:])["position"], State, dec_hook=lambda *_: position.box
    )
    assert restore(LONG.id, kept, LONG.fields) is None
    assert told(cold(kept)) == told(LONG)


def test_a_snapshot_keeps_every_field_of_a_match_but_what_the_software_has() -> None:
    kept = msgspec.msgpack.decode(KEPT[32:])
    assert {*kept["match"], "position", "game", "edition"} == {item.name for item in fields(Match)}


@dataclass(frozen=True, slots=True)
class Inner:
    depth: int


SHAPES: list[Any] = [
    {"a": int},
    {"b": int},
    {"a": str},
    {"a": int | None},
    {"a": int, "b": int},
    {"a": tuple[int, ...]},
    {"a": frozenset[int]},
    {"a": Literal["x"]},
    {"a": Literal["y"]},
    {"a": Inner},
    {"a": tuple[Inner, ...]},
    {"a": make_dataclass("Inner", [("depth", str)])},
    {"a": make_dataclass("Inner", [("deep", int)])},
    {"a": make_dataclass("Inner", [("depth", int), ("width", int, 0)])},
]


def test_types_that_differ_at_any_depth_have_different_schemas() -> None:
    assert len({shape_hash(kinds) for kinds in SHAPES}) == len(SHAPES)
    assert shape_hash({"a": Inner}) == shape_hash({"a": make_dataclass("Renamed", [("depth", int)])})


def test_the_schema_of_a_snapshot_is_the_same_in_every_process() -> None:
    read = "from domain.games.whatnot import GAME; from service.matches.aggregate import _schema"
    asked = f"{read}; print(_schema(GAME))"
    answers = {
        subprocess.check_output([sys.executable, "-c", asked], env={**os.environ, "PYTHONHASHSEED": seed})
        for seed in ("1", "2")
    }
    assert answers == {f"{service.matches.aggregate._schema(GAME)}\n".encode()}
