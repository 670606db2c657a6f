"""A log proves itself: a true one is proved to the last draw, and whatever is altered in one is found."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from domain.game import Viewer
from domain.games import AnyGame, games
from service.log.chain import FlawError
from service.log.export import lines
from service.log.verify import verify
from service.matches.simulate import Plan, simulate
from tests.playing import twin_of
from tests.service.log.forging import bent, leaves, parsed, rechain, true_log, written
from tests.service.log.tables import lay, move, simulated_play

LOG, SHORT_LOG = true_log(3), true_log(1)
quick = settings(deadline=None, print_blob=False)
TABLES = [
    pytest.param(game, table, id=f"{game.name}-{table.seats}-{n}")
    for game in games().values()
    for n, table in enumerate(twin_of(game).TABLES)
]


@pytest.mark.parametrize(("game", "table"), TABLES)
def test_the_log_of_a_whole_match_is_proved_to_the_last_draw(game: AnyGame, table: Any) -> None:
    for number in range(3):
        simulated = simulate(Plan(game, table.seats, table.options, bytes(32)), number)
        verdict = verify(simulated.log.splitlines(keepends=True))
        assert (verdict.game, verdict.commits, verdict.complete) == (game.name, simulated.commits, True)


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_everybodys_copy_of_a_match_under_way_is_sound_and_not_complete(viewer: Viewer) -> None:
    play, player = simulated_play(), random.Random(1)
    loaded = lay(play, 2, seed=None)
    for _ in range(12):
        loaded = move(play, loaded, player).loaded
        log = list(lines(loaded.id, loaded.state, play.journal.read(loaded.id, 0), viewer, loaded.names))
        verdict = verify(log)
        assert (verdict.match, verdict.commits, verdict.complete) == (loaded.id, loaded.version, False)
    assert b'"sealed":{"/' in b"".join(log)  # so that there was something to hide


@pytest.mark.parametrize("kept", [1, 2, 17, -2, -1])
def test_the_beginning_of_a_log_is_sound_and_not_complete(kept: int) -> None:
    verdict = verify(LOG.splitlines()[: kept + 1 if kept > 0 else kept])
    assert not verdict.complete


@quick
@given(place=st.integers(0, len(LOG) - 2), other=st.integers(0, 255))
def test_a_byte_altered_anywhere_is_found(place: int, other: int) -> None:
    """But for the end of the last line, behind which nothing is said."""
    altered = bytearray(LOG)
    altered[place] = other if other != LOG[place] else other ^ 1
    with pytest.raises(FlawError):
        verify(bytes(altered).splitlines(keepends=True))


def with_a_capital(log: list[Any]) -> None:
    _salt_of_a_name(log, str.upper)


def with_a_blank(log: list[Any]) -> None:
    _salt_of_a_name(log, lambda salt: f"{salt[:2]} {salt[2:]}")


def with_more_in_the_edition(log: list[Any]) -> None:
    log[0]["edition"]["more"] = 1


def with_nothing_opened(log: list[Any]) -> None:
    next(record for record in log[1:] if "opened" not in record)["opened"] = {}


def with_true_for_one(log: list[Any]) -> None:
    log[1]["version"] = True
    rechain(log)


def with_other_digits(log: list[Any]) -> None:
    log[1]["at"] = log[1]["at"].replace("0", "\N{ARABIC-INDIC DIGIT ZERO}")
    rechain(log)


def _salt_of_a_name(log: list[Any], change: Callable[[str], str]) -> None:
    opened = next(v for record in log[1:] for k, v in record.get("opened", {}).items() if k.endswith("/name"))
    opened["salt"] = change(opened["salt"])


@pytest.mark.parametrize(
    "change",
    [
        with_a_capital,
        with_a_blank,
        with_more_in_the_edition,
        with_nothing_opened,
        with_true_for_one,
        with_other_digits,
    ],
)
def test_a_thing_has_one_way_to_be_written(change: Callable[[list[Any]], None]) -> None:
    log = parsed(LOG)
    verify(written(log))
    change(log)
    with pytest.raises(FlawError):
        verify(written(log))


@quick
@given(place=st.integers(0, len(LOG) - 2))
def test_a_byte_lost_anywhere_is_found(place: int) -> None:
    with pytest.raises(FlawError):
        verify((LOG[:place] + LOG[place + 1 :]).splitlines(keepends=True))


@quick
@given(st.integers(0, len(LOG) - 2).filter(lambda place: b"\n" not in LOG[place - 1 : place + 1]))
def test_a_log_that_ends_in_the_middle_of_a_line_is_found(place: int) -> None:
    with pytest.raises(FlawError):
        verify(LOG[:place].splitlines(keepends=True))


@quick
@given(version=st.integers(1, len(parsed(LOG)) - 2), chooser=st.randoms(use_true_random=False))
def test_a_fact_altered_in_a_log_is_found_where_it_stands_though_every_hash_is_good(
    version: int, chooser: random.Random
) -> None:
    log = parsed(LOG)
    place, step = chooser.choice(list(leaves({part: log[version][part] for part in ("command", "events")})))
    assume(step != "rules_version")  # whether a log of other rules is false, only they can tell
    place[step] = bent(place[step], chooser)
    rechain(log)
    with pytest.raises(FlawError) as flaw:
        verify(written(log))
    assert flaw.value.version == version


@quick
@given(version=st.integers(1, len(parsed(LOG)) - 1), chooser=st.randoms(use_true_random=False))
def test_a_fact_altered_in_a_log_breaks_the_chain_where_it_stands(
    version: int, chooser: random.Random
) -> None:
    log = parsed(LOG)
    hashed = {name: log[version][name] for name in ("at", "by", "command", "command_id", "events", "sealed")}
    place, step = chooser.choice(list(leaves(hashed)))
    place[step] = bent(place[step], chooser)
    if place is hashed:
        log[version][step] = place[step]
    with pytest.raises(FlawError) as flaw:
        verify(written(log))
    assert (flaw.value.version, flaw.value.reason) == (version, "hash is not that of the record")


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


UNPROVABLE = ("at", "command_id")  # when a commit was made, and by which name, is what its writer says


@settings(quick, max_examples=150)
@given(st.integers(0, 9), st.booleans(), anything, st.randoms(use_true_random=False))
def test_nonsense_anywhere_is_a_flaw_and_not_a_crash(
    version: int, good_hashes: bool, nonsense: Any, chooser: random.Random
) -> None:
    log = parsed(SHORT_LOG)
    name = chooser.choice(sorted(log[version].keys() - {"hash", "previous"}))
    assume(nonsense not in (log[version][name], {}))
    assume(not (good_hashes and name in UNPROVABLE and isinstance(nonsense, str)))
    log[version][name] = nonsense
    if good_hashes:
        rechain(log)
    with pytest.raises(FlawError):
        verify(written(log))


@settings(quick, max_examples=200)
@given(st.lists(anything, max_size=4))
def test_lines_of_any_json_are_a_flaw_and_not_a_crash(objects: list[Any]) -> None:
    with pytest.raises(FlawError):
        verify(written(objects))


@given(st.binary())
def test_any_bytes_are_a_flaw_and_not_a_crash(garbage: bytes) -> None:
    with pytest.raises(FlawError):
        verify(garbage.splitlines(keepends=True))


@pytest.mark.parametrize("depth", [100, 500, 1000, 5000, 100_000])
def test_a_line_nested_without_end_is_a_flaw_and_not_a_crash(depth: int) -> None:
    with pytest.raises(FlawError):
        verify([*LOG.splitlines(), b"[" * depth + b"]" * depth])
