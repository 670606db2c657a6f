"""A secret field is renamed: logs that sealed it under its old name fold, and are proved, as before."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from domain.chance import Chance
from domain.fields import bounds, secret
from domain.game import Story
from domain.games import AnyGame
from domain.games.drawer import GAME as BEFORE
from domain.games.drawer.commands import PlaceItem
from domain.games.drawer.events import ItemPlaced
from domain.games.drawer.state import Name
from domain.match.commands import ReleaseSeed
from domain.match.rules import HOST
from domain.stored import Fields, Upcaster, stored
from service.log.chain import FlawError
from service.log.export import lines
from service.log.verify import verify
from service.matches.play import Play
from service.matches.requests import Request
from tests.installed import installed
from tests.service.log.forging import parsed, rechain, written
from tests.service.log.tables import creation, finished, lay_table, simulated_play, told


def renamed(old: Fields) -> Fields:
    return {("spaces" if name == "cells" else name): value for name, value in old.items()}


RENAMED = Upcaster(renamed, secrets=("compartment", "cells"))


@stored("place_item", RENAMED)
@dataclass(frozen=True, slots=True)
class PutItem:
    compartment: Name = secret()
    spaces: tuple[int, ...] = secret(**bounds(0, 24, most=5))


@stored("item_placed", RENAMED)
@dataclass(frozen=True, slots=True)
class ItemPut:
    seat: int
    item: str
    compartment: Name = secret()
    spaces: tuple[int, ...] = secret()


def tell(story: Story[Any, Any], command: Any, seat: int, chance: Chance) -> None:
    then = Story(story.state, BEFORE.evolve)
    BEFORE.tell(then, PlaceItem(command.compartment, command.spaces), seat, chance)
    for event in then.events:
        told_now = isinstance(event, ItemPlaced)
        story.tell(ItemPut(event.seat, event.item, event.compartment, event.cells) if told_now else event)


def evolve(state: Any, event: Any) -> Any:
    if isinstance(event, ItemPut):
        event = ItemPlaced(event.seat, event.item, event.compartment, event.spaces)
    return BEFORE.evolve(state, event)


def legal(state: Any, seat: int) -> Iterator[Any]:
    return (PutItem(each.compartment, each.cells) for each in BEFORE.legal(state, seat))


EVENTS = tuple(ItemPut if kind is ItemPlaced else kind for kind in BEFORE.events)
TODAY: AnyGame = replace(
    BEFORE,
    commands=(PutItem,),  # type: ignore[arg-type]
    events=EVENTS,  # type: ignore[arg-type]
    tell=tell,
    evolve=evolve,
    legal=legal,
)


def match_of(game: AnyGame) -> tuple[Play, str, list[bytes]]:
    """A finished match of a release of the game, and its log with every secret open."""
    play = simulated_play()
    loaded = finished(play, lay_table(play, game, creation(game, 2)), random.Random(0))
    loaded = play.do(loaded, [ReleaseSeed()], Request(HOST)).loaded
    entries = play.journal.read(loaded.id, 0, count=loaded.version)
    return play, loaded.id, list(lines(loaded.id, loaded.state, entries, None, loaded.names))


def test_an_old_log_folds_to_the_same_match_and_is_proved() -> None:
    play, match, log = match_of(BEFORE)
    before = play.load(match)
    assert "/command/cells" in b"".join(log).decode()
    with installed(TODAY):
        after = Play(play.journal).load(match)
        assert after.state.game is TODAY
        assert told(replace(after, match=replace(after.state, game=BEFORE))) == told(before)
        assert verify(log).complete


def test_a_new_log_seals_the_field_under_its_new_name_and_is_proved() -> None:
    with installed(TODAY):
        _, _, log = match_of(TODAY)
        assert verify(log).complete
    sealed = {
        pointer.rsplit("/", 1)[1] for record in parsed(b"".join(log))[2:] for pointer in record["sealed"]
    }
    assert sealed == {"compartment", "spaces"}


def test_what_the_old_version_hid_may_not_be_open_in_an_old_log() -> None:
    log = parsed(b"".join(match_of(BEFORE)[2]))
    record = next(record for record in log[1:] if "/command/cells" in record["sealed"])
    record["command"]["cells"] = record["opened"].pop("/command/cells")["value"]
    del record["sealed"]["/command/cells"]
    rechain(log)
    with installed(TODAY), pytest.raises(FlawError, match="open is what they do") as flaw:
        verify(written(log))
    assert flaw.value.version == record["version"]
