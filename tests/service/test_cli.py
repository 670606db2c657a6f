"""The command line: what simulate writes, verify proves; what is wrong is told by a line and a status."""

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
    assert [line.endswith("proved") for line in proved.output.splitlines()] == [True, True]


def test_the_same_seed_writes_the_same_files(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        run("simulate", "whatnot", "--matches", "1", "--seed", "07", "--out", str(tmp_path / folder))
    one, two = ((tmp_path / folder).iterdir() for folder in ("one", "two"))
    assert [file.read_bytes() for file in one] == [file.read_bytes() for file in two]


def test_verify_stops_at_the_first_wrong_file_and_names_version_and_reason(tmp_path: Path) -> None:
    run("simulate", "whatnot", "--matches", "3", "--seed", "07", "--out", str(tmp_path))
    first, wrong, last = sorted(tmp_path.iterdir())
    lines = wrong.read_bytes().splitlines()
    lines[5] = lines[5].replace(b'"by":"seat:', b'"by":"seat:1')
    wrong.write_bytes(b"\n".join(lines))
    found = run("verify", str(first), str(wrong), str(last))
    assert found.exit_code == 1
    told = found.output.splitlines()
    assert len(told) == 2
    assert told[0].endswith("proved")
    assert f"{wrong}: WRONG at version 5: hash is not that of the record" in told[1]


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
