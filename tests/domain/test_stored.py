"""Names in logs are written down, so that no change of the code renames or reshapes stored history."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from domain.games import load
from domain.games.whatnot import GAME
from domain.games.whatnot.events import BagRefilled
from domain.stored import Upcaster, by_name, secrets_at, stored, stored_as
from service.log.codec import codec, dump
from tests.domain.stored import written_down
from tests.domain.test_discovery import offers


@stored("bag_refilled")
@dataclass(frozen=True, slots=True)
class SackRefilled:
    """The same event, had somebody renamed its class."""


@stored("bag_refilled")
@dataclass(frozen=True, slots=True)
class Impostor:
    """Another class that took a name."""

    why: str


def test_every_stored_type_has_the_name_version_and_fields_that_are_written_down() -> None:
    for file, listed in written_down().items():
        assert file.read_text().splitlines() == listed


def test_renaming_a_class_changes_no_log() -> None:
    assert dump(SackRefilled()) == dump(BagRefilled()) == {"type": "bag_refilled"}
    kinds = tuple(SackRefilled if kind is BagRefilled else kind for kind in GAME.events)
    renamed: Any = replace(GAME, events=kinds)  # type: ignore[arg-type]
    assert codec(renamed).event({"type": "bag_refilled"}) == SackRefilled()


@pytest.mark.parametrize("part", ["events", "commands", "automaton_commands"])
def test_a_game_with_two_classes_of_one_name_refuses_to_load(
    monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    doubled: Any = {part: (*getattr(GAME, part), BagRefilled, Impostor)}
    game = replace(GAME, name="made_up_game", **doubled)
    with pytest.raises(TypeError, match="BagRefilled and Impostor are both stored as 'bag_refilled'"):
        load(offers(monkeypatch, GAME=game), "made_up_game")


def test_a_game_whose_event_takes_the_name_of_a_match_event_refuses_to_load(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @stored("match_started")
    @dataclass(frozen=True, slots=True)
    class Begun:
        pass

    game: Any = replace(GAME, name="made_up_game", events=(*GAME.events, Begun))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="MatchStarted and Begun"):
        load(offers(monkeypatch, GAME=game), "made_up_game")


def test_a_class_without_a_stored_name_of_its_own_refuses_to_load() -> None:
    @dataclass(frozen=True, slots=True)
    class Nameless(Impostor):
        pass

    with pytest.raises(TypeError, match="Nameless has no stored name"):
        by_name([Nameless])


@pytest.mark.parametrize("name", ["", "BagRefilled", "bag refilled", "bag_", "_bag", "1st", "bag__refilled"])
def test_a_stored_name_is_in_snake_case(name: str) -> None:
    with pytest.raises(TypeError, match="snake case"):
        stored(name)(Impostor)


def test_no_field_hides_what_a_stored_object_is() -> None:
    @dataclass(frozen=True, slots=True)
    class Typed:
        v: int

    with pytest.raises(TypeError, match="`type` or `v`"):
        stored("typed")(Typed)
    with pytest.raises(TypeError, match="must be a dataclass"):
        stored("plain")(int)


def test_a_version_has_the_secrets_of_the_next_one_unless_it_names_its_own() -> None:
    @stored("veiled", Upcaster(dict), Upcaster(dict, secrets=("face",)), Upcaster(dict, secrets=()))
    @dataclass(frozen=True, slots=True)
    class Veiled:
        face: int

    assert stored_as(Veiled).version == 4
    assert [secrets_at(Veiled, version) for version in range(1, 5)] == [("face",), ("face",), (), ()]
