"""A match is played, kept, shown and proved for ever by the rules it was begun with."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from domain.errors import UnknownRulesVersion
from domain.games import AnyGame, games, rules_of
from domain.match.commands import CreateMatch, ReleaseSeed
from domain.match.rules import HOST
from service.cli.main import main
from service.errors import MatchUnreadableError
from service.log.chain import FlawError
from service.log.export import lines
from service.log.verify import verify
from service.matches.aggregate import Aggregate, restore, snapshot
from service.matches.dry_run import dry_run
from service.matches.play import Play
from service.matches.requests import CommandRefusedError, Request
from service.matches.simulate import Plan, simulate
from tests.installed import installed
from tests.service.log.forging import parsed, rechain, written
from tests.service.log.tables import choices, creation, finished, lay_table, move, simulated_play, told
from tests.service.reformed import BONUS, CLOSED, FIRST, SECOND


@pytest.fixture
def both() -> Iterator[None]:
    """A release that knows both versions of the rules."""
    with installed(SECOND):
        yield


def begun(play: Play, game: AnyGame) -> Aggregate:
    return lay_table(play, game, creation(game, 2))


def log_of(play: Play, loaded: Aggregate) -> list[bytes]:
    """The log of a match, its seed released if it is over."""
    if loaded.state.over:
        loaded = play.do(loaded, [ReleaseSeed()], Request(HOST)).loaded
    return list(
        lines(
            loaded.id, loaded.state, play.journal.read(loaded.id, 0, count=loaded.version), None, loaded.names
        )
    )


def bonuses(loaded: Aggregate) -> list[int]:
    scored = loaded.state.scored
    assert scored is not None
    return [part.points for sheet in scored.seats for part in sheet.parts if part.name == "bonus"]


@pytest.mark.usefixtures("both")
def test_old_and_new_rules_are_played_side_by_side_and_both_are_proved() -> None:
    play, player = simulated_play(), random.Random(1)
    old, new = begun(play, FIRST), begun(play, games()["whatnot"])
    while not (old.state.over and new.state.over):
        old, new = (_on(play, loaded, player) for loaded in (old, new))
    assert (old.state.created.rules_version, new.state.created.rules_version) == (1, 2)
    assert (bonuses(old), bonuses(new)) == ([], [BONUS, BONUS])
    for loaded, game in ((old, FIRST), (new, SECOND)):
        verdict = verify(log_of(play, loaded))
        assert (verdict.complete, verdict.rules_version) == (True, game.rules_version)
        assert Play(play.journal).load(loaded.id).state.game is game


def _on(play: Play, loaded: Aggregate, player: random.Random) -> Aggregate:
    if loaded.state.due_task:
        assert play.run(loaded.id, loaded.version, loaded.state.due_task)
        return play.peek(loaded.id)
    return loaded if loaded.state.over else move(play, loaded, player).loaded


def test_a_match_that_was_begun_before_a_release_goes_on_by_its_own_rules() -> None:
    play, player = simulated_play(), random.Random(2)
    loaded = begun(play, FIRST)
    with installed(SECOND):
        after = Play(play.journal, clock=lambda: 0)
        resumed = after.load(loaded.id)
        assert resumed.state.game is FIRST
        assert told(resumed) == told(loaded)
        assert ("seat:0", CLOSED) in choices(resumed)
        done = finished(after, after.do(resumed, [CLOSED], Request("seat:0")).loaded, player)
        assert bonuses(done) == []
        assert verify(log_of(after, done)).complete
        assert after.at(loaded.id, 1).state.game is FIRST


@pytest.mark.usefixtures("both")
def test_what_the_rules_forbid_and_show_goes_by_the_match_in_a_dry_run_too() -> None:
    play = simulated_play()
    old, new = begun(play, FIRST), begun(play, SECOND)
    assert dry_run(old, [CLOSED], "seat:0").accepted == 1
    for refused in (
        lambda: dry_run(new, [CLOSED], "seat:0"),
        lambda: play.do(new, [CLOSED], Request("seat:0")),
    ):
        with pytest.raises(CommandRefusedError, match="closed"):
            refused()
    assert ("seat:0", CLOSED) not in choices(new)


@pytest.mark.usefixtures("both")
def test_a_snapshot_is_restored_by_the_rules_of_its_match() -> None:
    play = simulated_play()
    for game in (FIRST, SECOND):
        loaded = begun(play, game)
        restored = restore(loaded.id, snapshot(loaded), loaded.fields)
        assert restored is not None
        assert restored.state.game is game
        assert told(restored) == told(loaded)


@pytest.mark.usefixtures("both")
def test_a_match_can_be_asked_for_by_older_rules_and_its_log_says_so() -> None:
    play = simulated_play()
    seats = creation(FIRST, 2).seats
    loaded = lay_table(play, FIRST, CreateMatch("whatnot", "core", {}, seats, rules_version=1))
    assert verify(log_of(play, finished(play, loaded, random.Random(3)))).complete
    with pytest.raises(CommandRefusedError, match="rules version 2"):
        lay_table(play, SECOND, CreateMatch("whatnot", "core", {}, seats, rules_version=1))


@pytest.mark.usefixtures("both")
@pytest.mark.parametrize("game", [FIRST, SECOND], ids=["old", "new"])
def test_a_log_under_the_label_of_other_rules_is_wrong(game: AnyGame) -> None:
    log = parsed(simulate(Plan(game, 2, {}, bytes(32)), 0).log)
    log[1]["events"][0]["rules_version"] = 3 - game.rules_version
    rechain(log)
    with pytest.raises(FlawError):
        verify(written(log))


def from_newer_software(tmp_path: Path) -> Path:
    """A log of rules version 2, kept where only 1 is installed."""
    with installed(SECOND):
        log = simulate(Plan(SECOND, 2, {}, bytes(32)), 0).log
    file = tmp_path / "newer.ndjson"
    file.write_bytes(log)
    return file


def test_a_log_of_rules_that_are_not_installed_cannot_be_judged_and_is_not_called_wrong(
    tmp_path: Path,
) -> None:
    file = from_newer_software(tmp_path)
    with pytest.raises(UnknownRulesVersion, match="rules version 2 of whatnot is not installed here"):
        verify(file.read_bytes().splitlines(keepends=True))
    judged = CliRunner().invoke(main, ["verify", str(file)])
    assert judged.exit_code == 4
    assert "rules version 2 of whatnot is not installed here" in judged.output
    assert "WRONG" not in judged.output


def test_a_broken_log_is_wrong_whether_its_rules_are_installed_or_not(tmp_path: Path) -> None:
    log = parsed(from_newer_software(tmp_path).read_bytes())
    log[5]["by"] = "seat:9"
    with pytest.raises(FlawError) as flaw:
        verify(written(log))
    assert flaw.value.version == 5


def test_a_match_of_rules_that_are_not_installed_is_one_clear_error() -> None:
    with installed(SECOND):
        play = simulated_play()
        loaded = begun(play, SECOND)
        kept: Any = snapshot(loaded)
    assert restore(loaded.id, kept, loaded.fields) is None
    with pytest.raises(MatchUnreadableError, match="rules version 2 of whatnot is not installed here"):
        Play(play.journal).load(loaded.id)
    with pytest.raises(UnknownRulesVersion):
        rules_of("whatnot", 2)
