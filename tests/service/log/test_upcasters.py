"""Logs outlive the code that wrote them: what was written with old fields is lifted before it is read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest

from domain.games import AnyGame
from domain.games.whatnot import GAME
from domain.match.reducer import begin
from domain.match.rules import Premises, Secrets, create
from service.errors import MatchUnreadableError
from service.loaded import Loaded, advance, read_event
from service.log.canonical import canonical
from service.log.codec import UnknownTypeError, codec, dump
from service.log.edition import edition_hashes
from service.log.record import GENESIS, Draft, Entry, seal
from service.log.upcasters import UPCASTERS, Raw, upcast
from tests.service.log.tables import creation

SECRETS = Secrets(bytes(32), bytes(32))


class Then:
    """How the code read when the log was written."""

    @dataclass(frozen=True, slots=True)
    class PolishTile:
        tile: int

    @dataclass(frozen=True, slots=True)
    class TilePolished:
        tile: int


@dataclass(frozen=True, slots=True)
class TilePolished:
    """Today the cloth has a name, and the tile stands in a list."""

    VERSION: ClassVar[int] = 3
    tiles: tuple[int, ...]
    cloth: str


def with_a_cloth(raw: Raw) -> Raw:
    return {**raw, "v": 2, "cloth": "unknown"}


def with_a_list(raw: Raw) -> Raw:
    return {"type": raw["type"], "v": 3, "tiles": [raw["tile"]], "cloth": raw["cloth"]}


LIFTS = {("whatnot", "tile_polished", 1): with_a_cloth, ("whatnot", "tile_polished", 2): with_a_list}
OLD = {"type": "tile_polished", "tile": 7}


def evolve(state: Any, event: Any) -> Any:
    match event:
        case TilePolished(tiles, cloth):
            return replace(state, wonder=f"{cloth} cloth on {tiles}")
        case _:
            return GAME.evolve(state, event)


TODAY: AnyGame = replace(GAME, events=(*GAME.events, TilePolished), evolve=evolve)  # type: ignore[arg-type]


@pytest.fixture
def lifts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The registry with the two lifts that the old event needs."""
    for key, lift in LIFTS.items():
        monkeypatch.setitem(UPCASTERS, key, lift)


def test_an_old_object_is_lifted_step_by_step_to_the_fields_of_today() -> None:
    lifted = upcast("whatnot", OLD, LIFTS)
    assert lifted == {"type": "tile_polished", "v": 3, "tiles": [7], "cloth": "unknown"}
    assert upcast("whatnot", lifted, LIFTS) == lifted
    assert OLD == {"type": "tile_polished", "tile": 7}


def test_what_is_up_to_date_or_of_another_game_is_left_alone() -> None:
    for raw in ({"type": "tile_taken", "tile": 7}, {"tile": 7}, dump(TilePolished((7,), "silk"))):
        assert upcast("whatnot", raw, LIFTS) == raw
    assert upcast("drawer", OLD, LIFTS) == OLD


def test_an_event_of_today_is_written_with_its_version_and_read_back() -> None:
    written = dump(TilePolished((7,), "silk"))
    assert (written["type"], written["v"]) == ("tile_polished", 3)
    assert codec(TODAY).event(json.loads(canonical(written))) == TilePolished((7,), "silk")


def stored_log() -> tuple[Loaded, Entry]:
    """A match as laid out, and a commit that was stored in the old days."""
    premises = Premises(TODAY, TODAY.editions["core"], edition_hashes(TODAY)["core"], SECRETS, "server")
    created, *_ = create(creation(TODAY, 2), premises)
    draft = Draft("m_x", 2, "", "seat:0", Then.PolishTile(7), "id", (Then.TilePolished(7),), GENESIS)
    entry, _ = seal(draft, SECRETS.sealing_key)
    return Loaded("m_x", 1, GENESIS, begin(TODAY, TODAY.editions["core"], created)), entry


def test_a_log_written_with_old_fields_folds_to_a_state_of_today(lifts: None) -> None:
    loaded, entry = stored_log()
    after = advance(loaded, [entry])
    assert after.version == 2
    assert after.state.position.wonder == "unknown cloth on (7,)"


def test_lifting_never_changes_what_is_stored(lifts: None) -> None:
    loaded, entry = stored_log()
    before = entry.record
    after = advance(loaded, [entry])
    assert entry.record == before
    assert after.hash == entry.public()["hash"]
    assert entry.public()["events"] == [OLD]


def test_a_log_whose_upcaster_is_missing_is_refused_by_type_and_version() -> None:
    loaded, entry = stored_log()
    with pytest.raises(MatchUnreadableError, match="'tile_polished' version 1 is not known"):
        advance(loaded, [entry])


def test_a_log_from_newer_software_is_refused_by_type_and_version(lifts: None) -> None:
    newer: Mapping[str, Any] = {**dump(TilePolished((7,), "silk")), "v": 4}
    with pytest.raises(UnknownTypeError, match="'tile_polished' version 4 is not known"):
        read_event(TODAY, newer)
