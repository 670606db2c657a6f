"""Commands and events as JSON: what is not known is refused by name, never guessed."""

from dataclasses import fields
from typing import Any

import msgspec
import pytest

from domain.games import AnyGame, games
from domain.games.whatnot import GAME
from domain.games.whatnot.commands import TakeTile
from domain.games.whatnot.events import TileTaken
from domain.match.commands import MATCH_COMMANDS
from domain.match.events import MATCH_EVENTS
from service.log.codec import UnknownTypeError, codec, dump, dump_command, type_name

read = codec(GAME)
EVERY_GAME = pytest.mark.parametrize("game", games().values(), ids=games().keys())


def commands_of(game: AnyGame) -> list[Any]:
    return [*MATCH_COMMANDS, *game.commands, *game.automaton_commands]


def events_of(game: AnyGame) -> list[Any]:
    return [*MATCH_EVENTS, *game.events]


def test_a_thing_is_written_as_its_name_in_snake_case_and_its_fields() -> None:
    assert dump(TileTaken(2, 17, 0, 1, ("corners",))) == {
        "type": "tile_taken", "seat": 2, "tile": 17, "row": 0, "column": 1, "met": ("corners",)
    }  # fmt: skip


def test_a_field_left_out_of_a_command_is_read_as_none_and_not_written() -> None:
    assert dump_command(TakeTile(80)) == {"type": "take_tile", "tile": 80}
    assert read.command({"type": "take_tile", "tile": 80}) == TakeTile(80, None, None)


@EVERY_GAME
def test_no_field_of_a_command_or_event_hides_its_type_or_version(game: AnyGame) -> None:
    for kind in commands_of(game) + events_of(game):
        assert not {"type", "v"} & {field.name for field in fields(kind)}, kind


@EVERY_GAME
def test_no_two_commands_or_events_of_a_game_share_a_name(game: AnyGame) -> None:
    for kinds in (commands_of(game), events_of(game)):
        assert len({type_name(kind) for kind in kinds}) == len(kinds)


@EVERY_GAME
def test_every_field_of_a_command_or_event_has_an_ascii_name(game: AnyGame) -> None:
    for kind in commands_of(game) + events_of(game):
        assert all(field.name.isascii() for field in fields(kind)), kind


STRANGERS = [
    ({"type": "steal_tile", "tile": 3}, "'steal_tile' version 1"),
    ({"type": "TakeTile", "tile": 3}, "'TakeTile' version 1"),
    ({"type": "take_tile", "tile": 3, "v": 2}, "'take_tile' version 2"),
    ({"type": "take_tile", "tile": 3, "v": "1"}, "'take_tile' version 1"),
    ({"type": "take_tile", "tile": 3, "v": []}, "'take_tile'"),
    ({"tile": 3}, "None version 1"),
    ({"type": None}, "None"),
    ({"type": 3}, "3"),
    ({"type": ["take_tile"]}, "take_tile"),
    ({"type": {"name": "take_tile"}}, "take_tile"),
]


@pytest.mark.parametrize(("raw", "named"), STRANGERS)
def test_what_is_not_known_is_refused_by_its_name_and_version(raw: dict[str, Any], named: str) -> None:
    for reader in (read.command, read.event):
        with pytest.raises(UnknownTypeError) as refused:
            reader(raw)
        assert named in str(refused.value)


def test_a_command_is_not_an_event_nor_an_event_a_command() -> None:
    with pytest.raises(UnknownTypeError):
        read.event(dump_command(TakeTile(3, 0, 0)))
    with pytest.raises(UnknownTypeError):
        read.command(dump(TileTaken(2, 17, 0, 1, ())))


MISSHAPEN = [
    {"type": "take_tile"},
    {"type": "take_tile", "tile": "3"},
    {"type": "take_tile", "tile": None},
    {"type": "take_tile", "tile": 3.5},
    {"type": "take_tile", "tile": True},
    {"type": "take_tile", "tile": 3, "row": [0]},
]


@pytest.mark.parametrize("raw", MISSHAPEN)
def test_a_known_command_with_wrong_fields_is_refused(raw: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        read.command(raw)
