"""Logs outlive the code that wrote them: what was written with old fields is lifted before it is read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

import service.log.codec
from domain.games import AnyGame, games
from domain.games.whatnot import GAME
from domain.match.events import MATCH_EVENTS, MatchStarted
from domain.match.reducer import begin
from domain.match.rules import Premises, Secrets, create
from domain.stored import Fields, Upcaster, stored
from service.errors import MatchUnreadableError
from service.log.canonical import canonical
from service.log.codec import UnknownTypeError, codec, dump
from service.log.edition import edition_hashes
from service.log.record import GENESIS, Draft, Entry, seal
from service.matches.aggregate import Aggregate, advance, read_event
from tests.service.log.tables import creation

SECRETS = Secrets(bytes(32), bytes(32))


class Then:
    """How the code read when the log was written."""

    @stored("polish_tile")
    @dataclass(frozen=True, slots=True)
    class PolishTile:
        tile: int

    @stored("tile_polished")
    @dataclass(frozen=True, slots=True)
    class TilePolished:
        tile: int


def with_a_cloth(old: Fields) -> Fields:
    return {**old, "cloth": "unknown"}


def with_a_list(old: Fields) -> Fields:
    return {"tiles": [old["tile"]], "cloth": old["cloth"]}


@stored("tile_polished", Upcaster(with_a_cloth), Upcaster(with_a_list))
@dataclass(frozen=True, slots=True)
class TileMadeToShine:
    """Today the class has another name, the cloth has one, and the tile stands in a list."""

    tiles: tuple[int, ...]
    cloth: str


OLD = {"type": "tile_polished", "tile": 7}
IN_BETWEEN = {"type": "tile_polished", "v": 2, "tile": 7, "cloth": "silk"}


def evolve(state: Any, event: Any) -> Any:
    match event:
        case TileMadeToShine(tiles, cloth):
            return replace(state, wonder=f"{cloth} cloth on {tiles}")
        case _:
            return GAME.evolve(state, event)


TODAY: AnyGame = replace(GAME, events=(*GAME.events, TileMadeToShine), evolve=evolve)  # type: ignore[arg-type]
BEFORE_THAT: AnyGame = replace(GAME, events=(*GAME.events, Then.TilePolished))  # type: ignore[arg-type]


def test_an_old_object_is_lifted_step_by_step_to_the_fields_of_today() -> None:
    events = codec(TODAY).events
    lifted = events.lift(OLD)
    assert lifted == {"type": "tile_polished", "v": 3, "tiles": [7], "cloth": "unknown"}
    assert events.lift(IN_BETWEEN) == {**lifted, "cloth": "silk"}
    assert events.lift(lifted) == lifted
    assert OLD == {"type": "tile_polished", "tile": 7}
    assert codec(TODAY).event(OLD) == TileMadeToShine((7,), "unknown")


def test_what_is_up_to_date_is_left_alone() -> None:
    for thing in (TileMadeToShine((7,), "silk"), MatchStarted()):
        assert codec(TODAY).events.lift(dump(thing)) == dump(thing)


def test_an_event_of_today_is_written_with_its_version_and_read_back() -> None:
    written = dump(TileMadeToShine((7,), "silk"))
    assert (written["type"], written["v"]) == ("tile_polished", 3)
    assert codec(TODAY).event(json.loads(canonical(written))) == TileMadeToShine((7,), "silk")


def stored_log() -> tuple[Aggregate, Entry]:
    """A match as laid out, and a commit that was stored in the old days."""
    premises = Premises(TODAY, TODAY.editions["core"], edition_hashes(TODAY)["core"], SECRETS, "server")
    created, *_ = create(creation(TODAY, 2), premises)
    draft = Draft("m_x", 2, "", "seat:0", Then.PolishTile(7), "id", (Then.TilePolished(7),), GENESIS)
    entry, _ = seal(draft, SECRETS.sealing_key)
    return Aggregate("m_x", 1, GENESIS, begin(TODAY, TODAY.editions["core"], created)), entry


def test_a_log_written_with_old_fields_folds_to_a_state_of_today() -> None:
    loaded, entry = stored_log()
    after = advance(loaded, [entry])
    assert after.version == 2
    assert after.state.position.wonder == "unknown cloth on (7,)"


def test_lifting_never_changes_what_is_stored() -> None:
    loaded, entry = stored_log()
    before = entry.record
    after = advance(loaded, [entry])
    assert entry.record == before
    assert after.hash == entry.public()["hash"]
    assert entry.public()["events"] == [OLD]


def test_an_upcaster_of_a_match_event_stands_once_and_lifts_it_in_every_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(service.log.codec, "MATCH_EVENTS", (*MATCH_EVENTS, TileMadeToShine))
    for game in games().values():
        assert codec(replace(game)).event(OLD) == TileMadeToShine((7,), "unknown")


def test_an_old_command_is_lifted_too() -> None:
    today: AnyGame = replace(GAME, commands=(*GAME.commands, TileMadeToShine))  # type: ignore[arg-type]
    assert codec(today).command(OLD) == TileMadeToShine((7,), "unknown")


def test_a_type_that_is_not_there_is_refused_by_type_and_version() -> None:
    loaded, entry = stored_log()
    with pytest.raises(MatchUnreadableError, match="'tile_polished' version 1 is not known"):
        advance(replace(loaded, match=replace(loaded.state, game=GAME)), [entry])


@pytest.mark.parametrize(("game", "version"), [(TODAY, 4), (BEFORE_THAT, 2), (BEFORE_THAT, 3)])
def test_a_log_from_newer_software_is_refused_by_type_and_version(game: AnyGame, version: int) -> None:
    newer: Mapping[str, Any] = {**dump(TileMadeToShine((7,), "silk")), "v": version}
    with pytest.raises(UnknownTypeError, match=f"'tile_polished' version {version} is not known"):
        read_event(game, newer)


@pytest.mark.parametrize("version", [0, -1, True, "1", None])
def test_a_version_that_never_was_is_refused(version: Any) -> None:
    with pytest.raises(UnknownTypeError):
        read_event(TODAY, {**OLD, "v": version})
