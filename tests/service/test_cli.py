"""The command line: what simulate writes, verify proves; what does not fit is refused."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("whatnot", ["--seats", "2", "--option", "advanced=true"]),
        ("nonsense", ["--seats", "2", "--option", "stall_limit=20"]),
        ("drawer", ["--seats", "4", "--option", "variant=individual"]),
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
    "words",
    [
        ["whatnot", "--seats", "9"],
        ["whatnot", "--seats", "3", "--option", "advanced=true"],
        ["whatnot", "--option", "advanced=maybe"],
        ["whatnot", "--option", "no_such=1"],
        ["nonsense", "--option", "stall_limit=many"],
        ["whatnot", "--seed", "xyz"],
        ["no_such_game"],
    ],
)
def test_what_does_not_fit_the_game_is_refused_before_anything_is_played(words: list[str]) -> None:
    refused = run("simulate", *words)
    assert refused.exit_code == 2
    assert "Error: " in refused.output
