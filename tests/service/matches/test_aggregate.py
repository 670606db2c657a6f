"""A match as it is held: at any version, from a snapshot or from the log, cached or not, it is the same."""

import random
from dataclasses import replace

import pytest

from domain.game import Table
from domain.games import AnyGame, games
from domain.match.commands import ReleaseSeed
from domain.match.reducer import fold
from domain.match.rules import HOST, decide
from service.log.edition import find_edition
from service.matches.aggregate import Aggregate, read_event, restore, snapshot
from service.matches.play import Play
from service.matches.requests import MatchNotFoundError, Request, VersionNotFoundError
from tests.playing import twin_of
from tests.service.log.tables import (
    SEED,
    choices,
    creation,
    finished,
    lay,
    lay_table,
    move,
    played,
    simulated_play,
    told,
)

EVERY_TABLE = pytest.mark.parametrize(
    ("game", "table"),
    [
        pytest.param(game, table, id=f"{game.name}-{table.seats}-{n}")
        for game in games().values()
        for n, table in enumerate(twin_of(game).TABLES)
    ],
)


def match_of(game: AnyGame, table: Table) -> tuple[Play, list[Aggregate]]:
    """A random match at every version, the first left out."""
    play = simulated_play()
    loaded = lay_table(play, game, creation(game, table.seats, options=table.options))
    return play, list(played(play, loaded, random.Random(0)))


@EVERY_TABLE
def test_a_snapshot_of_any_version_restores_the_match_whole(game: AnyGame, table: Table) -> None:
    _, versions = match_of(game, table)
    for loaded in versions:
        restored = restore(loaded.id, snapshot(loaded), loaded.fields)
        assert restored is not None
        assert restored.state.position == loaded.state.position
        assert hash(restored.state.position) == hash(loaded.state.position)
        assert told(restored) == told(loaded)
        assert (restored.id, restored.secrets, restored.fields) == (loaded.id, loaded.secrets, loaded.fields)


def test_a_snapshot_restores_open_scored_and_revealed_matches_alike() -> None:
    play = simulated_play()
    done = finished(play, lay(play), random.Random(1))
    released = play.do(done, [ReleaseSeed()], Request(HOST)).loaded
    assert (done.state.seed, released.state.seed) == (None, SEED.hex())
    for loaded in (lay(play, 3, vacant=2), lay(play, seed=None), done, released):
        restored = restore(loaded.id, snapshot(loaded), loaded.fields)
        assert restored is not None
        assert told(restored) == told(loaded)
        assert restored.secrets == loaded.secrets


@EVERY_TABLE
def test_a_match_restored_after_draws_goes_on_with_the_draws_it_would_have_had(
    game: AnyGame, table: Table
) -> None:
    _, versions = match_of(game, table)
    player = random.Random(1)
    for loaded in versions:
        restored = restore(loaded.id, snapshot(loaded), loaded.fields)
        assert restored is not None
        for by, command in player.sample(choices(loaded), min(5, len(choices(loaded)))):
            uninterrupted = decide(loaded.state, command, by, loaded.secrets).events
            assert decide(restored.state, command, by, restored.secrets).events == uninterrupted


@EVERY_TABLE
def test_any_version_is_the_fold_of_the_events_up_to_it(game: AnyGame, table: Table) -> None:
    play, versions = match_of(game, table)
    fresh, sample = Play(play.journal), random.Random(3).sample(versions, 8)
    for loaded in [*sample, versions[-1]]:
        entries = play.journal.read(loaded.id, 0, loaded.version, count=10**6)
        events = [read_event(game, raw) for entry in entries for raw in entry.whole()["events"]]
        folded = fold(game, find_edition(game, events[0].edition, events[0].edition_hash), events)
        for held in (loaded, play.at(loaded.id, loaded.version), fresh.at(loaded.id, loaded.version)):
            assert held.state.position == folded.position
            assert told(held) == told(replace(loaded, match=folded))


def test_a_version_that_never_was_is_not_found() -> None:
    play = simulated_play()
    loaded = move(play, lay(play)).loaded
    for version in (-1, 0, 3, 10**9):
        with pytest.raises(VersionNotFoundError):
            play.at(loaded.id, version)
    with pytest.raises(MatchNotFoundError):
        play.at("m_nobody", 1)
