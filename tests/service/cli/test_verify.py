"""`bricabrac verify`: a script goes by its status, a person by its lines."""

import gzip
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli.main import main
from service.log.export import lines
from tests.service.log.forging import parsed, rechain, true_log, written
from tests.service.log.tables import lay, move, simulated_play

PROVED, WRONG, USAGE, NOT_YET, NOT_HERE = 0, 1, 2, 3, 4
TRUE = true_log()


@cache
def under_way(*, by_creator: bool = False) -> bytes:
    """The log of a match that is still played."""
    play = simulated_play()
    loaded = move(play, lay(play, 2, seed=bytes(range(32)) if by_creator else None)).loaded
    return b"".join(lines(loaded.id, loaded.state, play.journal.read(loaded.id, 0), None, loaded.names))


def wrong() -> bytes:
    return TRUE.replace(b'"by":"seat:', b'"by":"seat:1', 1)


def not_installed() -> bytes:
    log = parsed(TRUE)
    log[0]["game"] = log[1]["command"]["game"] = log[1]["events"][0]["game"] = "chess"
    rechain(log)
    return b"".join(written(log))


def judge(*words: str | Path, typed: bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["verify", *map(str, words)], input=typed)


def kept(folder: Path, **logs: bytes) -> list[Path]:
    """Logs in files of these names."""
    for name, log in logs.items():
        (folder / name).write_bytes(log)
    return [folder / name for name in logs]


def test_each_finding_has_a_status_of_its_own(tmp_path: Path) -> None:
    files = kept(tmp_path, a=TRUE, b=under_way(), c=not_installed(), d=wrong())
    assert [judge(file).exit_code for file in files] == [PROVED, NOT_YET, NOT_HERE, WRONG]


@pytest.mark.parametrize(
    ("names", "status"),
    [("aa", PROVED), ("ab", NOT_YET), ("ba", NOT_YET), ("bc", NOT_HERE), ("cd", WRONG), ("dabc", WRONG)],
)
def test_over_several_logs_the_gravest_finding_is_the_status(tmp_path: Path, names: str, status: int) -> None:
    kept(tmp_path, a=TRUE, b=under_way(), c=not_installed(), d=wrong())
    assert judge(*(tmp_path / name for name in names)).exit_code == status


def test_every_log_is_judged_and_a_summary_counts_the_findings(tmp_path: Path) -> None:
    files = kept(tmp_path, a=wrong(), b=TRUE, c=under_way(), d=not_installed(), e=TRUE)
    *told, summary = judge(*files).output.splitlines()
    assert [line.split(": ")[0] for line in told] == [str(file) for file in files]
    assert f"{files[0]}: WRONG at version 2: hash is not that of the record" in told[0]
    assert told[2].endswith("not yet provable: correct so far, but the seed is not revealed")
    assert told[3].endswith("cannot be judged here: the game 'chess' is not installed here")
    assert summary == "5 logs: 2 proved, 1 not yet provable, 1 cannot be judged here, 1 WRONG"


@pytest.mark.parametrize(
    ("log", "chosen"),
    [(TRUE, "creator"), (under_way(), "server"), (under_way(by_creator=True), "creator")],
    ids=["over", "seed of the server", "seed of the creator"],
)
def test_a_line_tells_match_rules_who_chose_the_seed_and_the_head(
    tmp_path: Path, log: bytes, chosen: str
) -> None:
    last = json.loads(log.splitlines()[-1])
    (file,) = kept(tmp_path, log=log)
    (told,) = judge(file).output.splitlines()
    assert told.startswith(
        f"{file}: whatnot {last['match']}, rules version 1, {last['version']} commits, "
        f"seed chosen by the {chosen}, head {last['hash']}: "
    )


def test_a_gzipped_log_is_read_whatever_its_name(tmp_path: Path) -> None:
    files = kept(tmp_path, **{"log.ndjson.gz": gzip.compress(TRUE), "log.ndjson": gzip.compress(TRUE)})
    assert judge(*files).exit_code == PROVED


@pytest.mark.parametrize("packed", [TRUE, gzip.compress(TRUE)], ids=["plain", "gzipped"])
def test_standard_input_is_read_and_so_are_pipes(packed: bytes) -> None:
    judged = judge("-", typed=packed)
    assert (judged.exit_code, judged.output[:3]) == (PROVED, "-: ")
    piped = subprocess.run(
        [sys.executable, "-m", "service.cli.main", "verify", "-"],
        input=packed,
        capture_output=True,
        check=False,
    )
    assert (piped.returncode, piped.stdout.decode()) == (PROVED, judged.output)


DAMAGED = {
    "cut": gzip.compress(TRUE)[:-9],
    "spoiled": gzip.compress(TRUE)[:2000] + b"?" + gzip.compress(TRUE)[2001:],
    "a header alone": b"\x1f\x8b",
    "with something behind it": gzip.compress(TRUE) + b"more",
}


@pytest.mark.parametrize("packed", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_gzip_file_is_wrong_and_not_a_crash(tmp_path: Path, packed: bytes) -> None:
    judged = judge(*kept(tmp_path, log=packed))
    assert judged.exit_code == WRONG
    assert "WRONG at version 0: the gzip file is damaged" in judged.output


def test_a_file_that_is_not_there_is_a_mistake_of_usage(tmp_path: Path) -> None:
    assert judge(tmp_path / "none").exit_code == USAGE
    assert judge().exit_code == USAGE
