"""Matches whose people come and go: they end, their logs are proved, and what is altered in one is found."""

import gzip
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from domain.game import Table
from domain.games import AnyGame, games
from domain.match.actors import HOST
from domain.match.commands import CloseMatch, ReleaseSeed
from service.log.chain import FlawError
from service.log.verify import verify
from service.matches.aggregate import Aggregate, restore, snapshot
from service.matches.play import Play
from service.matches.requests import Request
from tests.playing import twin_of
from tests.service.log.forging import Log, parsed, rechain, written
from tests.service.log.goings import GOINGS, HANDED_BACK, NEW, kinds, log_of
from tests.service.log.restless import restless
from tests.service.log.tables import SEED, creation, lay_table, simulated_play, told

EVERY_TABLE = pytest.mark.parametrize(
    ("game", "table"),
    [
        pytest.param(game, table, id=f"{game.name}-{table.seats}-{n}")
        for game in games().values()
        for n, table in enumerate(twin_of(game).TABLES)
    ],
)


def laid(game: AnyGame, table: Table, *, private: bool, seed: bytes | None = None) -> tuple[Play, Aggregate]:
    play = simulated_play()
    command = replace(creation(game, table.seats, options=table.options), private=private)
    return play, lay_table(play, game, command, seed)


@EVERY_TABLE
@pytest.mark.parametrize("private", [False, True])
def test_a_match_ends_and_is_proved_whoever_comes_and_goes(
    game: AnyGame, table: Table, private: bool
) -> None:
    met = set[str]()
    for whim in range(2):
        play, loaded = laid(game, table, private=private)
        for after in restless(play, loaded, random.Random(whim)):
            loaded = after
        log = log_of(play, loaded)
        verdict = verify(log)
        assert (verdict.commits, verdict.complete) == (loaded.version, True)
        met |= kinds(parsed(b"".join(log)))
    assert met & NEW


@EVERY_TABLE
def test_a_match_under_way_is_the_same_from_its_log_and_from_a_snapshot(game: AnyGame, table: Table) -> None:
    play, loaded = laid(game, table, private=True)
    for number, after in enumerate(restless(play, loaded, random.Random(5))):
        if number % 7 == 0:
            restored = restore(after.id, snapshot(after), after.fields)
            assert restored is not None
            assert restored.state == after.state == Play(play.journal).load(after.id).state
            assert told(restored) == told(after)


@pytest.mark.parametrize("seed", [None, SEED])
def test_a_match_closed_early_is_proved_up_to_there(seed: bytes | None) -> None:
    for whim in range(4):
        game = games()["whatnot"]
        play, loaded = laid(game, Table(3, {}), private=True, seed=seed)
        for number, after in enumerate(restless(play, loaded, random.Random(whim))):
            loaded = after
            if number == 4 * whim:
                break
        loaded = play.do(loaded, [CloseMatch()], Request(HOST)).loaded
        assert verify(log_of(play, loaded)).complete is (seed is None)
        if seed is not None:
            assert SEED.hex() not in b"".join(log_of(play, loaded)).decode()
            loaded = play.do(loaded, [ReleaseSeed()], Request(HOST)).loaded
        assert verify(log_of(play, loaded)).complete
        assert "seed" not in loaded.fields
        restored = restore(loaded.id, snapshot(loaded), loaded.fields)
        assert restored is not None
        assert restored.state == loaded.state


EVENTFUL = NEW | HANDED_BACK


@cache
def eventful(name: str = "") -> bytes:
    """A log in which this event happens, as everything else does that can happen to who sits where."""
    return b"".join(GOINGS["handed_back" if name in HANDED_BACK else "coming_and_going"]())


def told_of(log: Log, name: str) -> Iterator[tuple[int, dict[str, Any], dict[str, Any]]]:
    """Version, commit and event, of every event of a type."""
    for version, record in enumerate(log[1:], start=1):
        for event in record["events"]:
            if event["type"] == name:
                yield version, record, event


@pytest.mark.parametrize("name", sorted(EVENTFUL))
def test_who_did_it_is_proved(name: str) -> None:
    """But for which of those who may: nobody proves who it was who asked for a new token."""
    truth = parsed(eventful(name))
    for version, record, _ in told_of(truth, name):
        others = {"referee", "seat:9", "spectator:99", "host", "seat:0"} - {record["by"]}
        if name == "token_rotated":
            others -= {"host", "seat:0"}
        for by in others:
            log = deepcopy(truth)
            log[version]["by"] = by
            rechain(log)
            with pytest.raises(FlawError) as flaw:
                verify(written(log))
            assert flaw.value.version == version


def _of_another(event: dict[str, Any]) -> None:
    number = "invite" if "invite" in event else "seat"
    event[number] += 1


def _gone(record: dict[str, Any], event: dict[str, Any]) -> None:
    record["events"].remove(event)


ALTERED: list[Callable[[dict[str, Any], dict[str, Any]], None]] = [lambda _, event: _of_another(event), _gone]


@pytest.mark.parametrize("altered", ALTERED)
@pytest.mark.parametrize("name", sorted(EVENTFUL - {"token_rotated"}))
def test_what_came_of_it_is_proved(
    name: str, altered: Callable[[dict[str, Any], dict[str, Any]], None]
) -> None:
    truth = parsed(eventful(name))
    for version, _, _ in told_of(truth, name):
        log = deepcopy(truth)
        place = next(told for told in told_of(log, name) if told[0] == version)
        altered(*place[1:])
        rechain(log)
        with pytest.raises(FlawError) as flaw:
            verify(written(log))
        assert flaw.value.version == version


def test_no_invite_is_used_twice_in_a_log_that_is_proved() -> None:
    truth = parsed(eventful())
    version, record, used = next(told_of(truth, "invite_used"))
    log = deepcopy(truth)
    again = deepcopy(record) | {"version": version + 1}
    log.insert(version + 1, again)
    for later in log[version + 2 :]:
        later["version"] += 1
    rechain(log)
    with pytest.raises(FlawError) as flaw:
        verify(written(log))
    assert flaw.value.version == version + 1
    assert used["invite"]


KEPT = sorted((Path(__file__).parent / "golden").glob("*.ndjson.gz"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_logs_kept_for_ever_are_proved_in_full(path: Path) -> None:
    log = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    verdict = verify(log)
    assert (verdict.complete, verdict.commits) == (True, len(log) - 1)


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_playing_it_again_writes_the_same_log_byte_for_byte(path: Path) -> None:
    assert b"".join(GOINGS[path.name.removesuffix(".ndjson.gz")]()) == gzip.decompress(path.read_bytes())


def test_everything_that_can_happen_to_a_table_is_in_a_log_kept_for_ever() -> None:
    met = [kinds(parsed(gzip.decompress(path.read_bytes()))) for path in KEPT]
    assert set[str]().union(*met) >= EVENTFUL | {"match_closed", "match_scored"}
