"""A game from outside: a package beside ours, offered by an entry point, is all it takes.

Each folder in `tests/outside` is what an installation would put on the path: a distribution with a game, and
its tests beside it. The contract and the HTTP suite run over it in another process, which finds it like any
installed package.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROOT, OUTSIDE = TESTS.parent, TESTS / "outside"
NODE = TESTS / "conformance" / "node_modules"
GAMES = sorted(folder.name for folder in OUTSIDE.iterdir() if folder.is_dir())
SUITE = (
    "domain",
    "service/http",
    "service/log",
    "service/matches",
    "service/webhooks",
    "workers/test_bots.py",
)
CLI = ("-m", "service.cli.main")
LEAST = 90  # tests that are about every game, whatever its name


def python(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What Python says in a process of its own."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def with_game(name: str, *words: str) -> subprocess.CompletedProcess[str]:
    """What Python says with a game from outside on its path."""
    return python(*words, PYTHONPATH=os.pathsep.join((str(OUTSIDE / name), str(ROOT))))


@pytest.mark.parametrize("name", GAMES)
def test_it_passes_the_contract_and_the_http_suite(name: str) -> None:
    paths = [str(TESTS / path) for path in SUITE]
    ran = with_game(name, "-m", "pytest", "-p", "no:cacheprovider", "-k", name, *paths)
    assert ran.returncode == 0, ran.stdout
    passed = re.search(r"(\d+) passed", ran.stdout)
    assert passed is not None
    assert int(passed[1]) >= LEAST


@pytest.mark.parametrize("name", GAMES)
def test_our_description_of_the_api_leaves_it_out(name: str) -> None:
    ran = with_game(name, "-m", "tests.openapi", "--check", "openapi.yaml")
    assert ran.returncode == 0, ran.stdout
    served = with_game(name, "-c", SERVED)
    assert f"{name}.command" in served.stdout


SERVED = """
from service.bootstrap import bootstrap
from service.http.app import create_app
from service.matches.play import Play
from service.redis_store.client import connect
from service.store.memory_journal import MemoryJournal
app = create_app(bootstrap(connect("redis://127.0.0.1"), play=Play(MemoryJournal())))
print(app.test_client().get("/openapi.yaml").text)
"""


@pytest.mark.parametrize("name", GAMES)
def test_the_command_line_plays_and_verifies_it(name: str, tmp_path: Path) -> None:
    simulated = with_game(name, *CLI, "simulate", name, "--matches", "2", "--out", str(tmp_path))
    assert simulated.returncode == 0, simulated.stderr
    logs = [str(log) for log in tmp_path.iterdir()]
    assert len(logs) == 2
    proved = with_game(name, *CLI, "verify", *logs)
    assert proved.returncode == 0, proved.stdout + proved.stderr
    assert python(*CLI, "verify", *logs).returncode == 4, "without the game its logs cannot be judged"


@pytest.mark.parametrize("name", GAMES)
def test_no_other_file_knows_it(name: str) -> None:
    ours = [ROOT / "openapi.yaml", ROOT / "pyproject.toml"]
    for folder in ("domain", "service", "workers", "tests"):
        ours += (ROOT / folder).rglob("*.py")
    word, apart = re.compile(rf"\b{name}\b", re.IGNORECASE), {OUTSIDE, NODE}
    knowing = [
        file for file in ours if not apart & {*file.parents} and word.search(file.read_text(encoding="utf-8"))
    ]
    assert knowing == []
