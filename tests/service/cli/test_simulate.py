"""The command line: what simulate writes, verify proves; what does not fit is refused."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import simulate
from service.cli.main import main


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("whatnot", ["--seats", "2", "--option", "advanced=true"]),
        ("nonsense", ["--seats", "2", "--option", "stall_limit=20"]),
        ("drawer", ["--seats", "4", "--option", "variant=individual"]),
        ("drawer", ["--option", "goals=chosen", "--option", "cards=E1,M3,H2,E4"]),
    ],
)
def test_simulated_matches_are_written_and_proved(tmp_path: Path, game: str, options: list[str]) -> None:
    made = run("simulate", game, "--matches", "2", "--seed", "00ff", "--out", str(tmp_path), *options)
    assert made.exit_code == 0, made.output
    assert "matches/s" in made.output
    assert "commits/s" in made.output
    files = sorted(map(str, tmp_path.iterdir()))
    assert len(files) == 2
    proved = run("verify", *files)
    assert proved.exit_code == 0, proved.output
    *told, summary = proved.output.splitlines()
    assert [line.endswith(": proved") for line in told] == [True, True]
    assert summary == "2 logs: 2 proved"


def test_the_same_seed_writes_the_same_files(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        run("simulate", "whatnot", "--matches", "1", "--seed", "07", "--out", str(tmp_path / folder))
    one, two = ((tmp_path / folder).iterdir() for folder in ("one", "two"))
    assert [file.read_bytes() for file in one] == [file.read_bytes() for file in two]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["whatnot", "--seats", "9"], "--seats"),
        (["whatnot", "--seats", "0"], "--seats"),
        (["whatnot", "--seats", "two"], "--seats"),
        (["whatnot", "--matches", "0"], "--matches"),
        (["whatnot", "--seats", "3", "--option", "advanced=true"], "--option with --seats"),
        (["whatnot", "--option", "advanced=maybe"], "--option"),
        (["whatnot", "--option", "advanced"], "--option"),
        (["whatnot", "--option", "no_such=1"], "--option"),
        (["nonsense", "--option", "stall_limit=many"], "--option"),
        (["whatnot", "--seed", "xyz"], "--seed"),
        (["whatnot", "--seed", ""], "--seed"),
        (["whatnot", "--out", "{file}"], "--out"),
        (["whatnot", "--out", "{file}/logs"], "--out"),
        (["whatnot", "--out", "/proc/logs"], "--out"),
        (["no_such_game"], "whatnot"),
    ],
)
def test_what_does_not_fit_is_refused_by_the_name_of_its_option_before_anything_is_played(
    tmp_path: Path, words: list[str], named: str
) -> None:
    (tmp_path / "file").touch()
    refused = run("simulate", *(word.replace("{file}", str(tmp_path / "file")) for word in words))
    assert refused.exit_code == 2
    (said,) = (line for line in refused.output.splitlines() if line.startswith("Error: "))
    assert named in said
    assert "Playing" not in refused.output


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is full: Linux only")
def test_a_full_disk_is_told_in_one_sentence_and_leaves_no_part_of_a_log(tmp_path: Path) -> None:
    log = tmp_path / "whatnot-1-000001.ndjson"
    log.symlink_to("/dev/full")
    refused = run("simulate", "whatnot", "--matches", "3", "--out", str(tmp_path))
    assert refused.exit_code == 1
    assert (
        refused.output.splitlines()[-1] == f"Error: --out: {log} cannot be written: No space left on device."
    )
    assert [file.name for file in tmp_path.iterdir()] == ["whatnot-1-000000.ndjson"]


def test_progress_is_told_from_the_start_and_then_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "LINE_INTERVAL_S", 0.0)
    made = run("simulate", "whatnot", "--matches", "3")
    told = [f"Played {number} of 3 matches." for number in range(3)]
    assert made.stderr.splitlines() == ["Playing 3 matches.", *told]
    assert len(made.stdout.splitlines()) == 2
