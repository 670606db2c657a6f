"""The import contracts bark: each is broken once on purpose, in a copy."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BREACHES = {
    "layers": ("service/play.py", "import workers.jobs"),
    "pure": ("domain/chance.py", "import random"),
    "games": ("domain/games/drawer/rules.py", "import domain.games.whatnot.rules"),
    "edge": ("service/views.py", "import service.http.app"),
    "flask": ("service/play.py", "import flask"),
    "redis": ("service/play.py", "import redis"),
    "outgoing": ("service/hooks.py", "import requests"),
}


MAY = {"flask": {"http", "wsgi"}, "redis": {"store", "embedded"}}  # the parts of the service that import it


def _lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as run; run()",
        "--no-cache",
    ]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The code, to be broken."""
    for name in ("domain", "service", "workers"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.mark.parametrize("contract", BREACHES)
def test_a_breach_of_each_contract_is_found(copy: Path, contract: str) -> None:
    assert _lint(copy).returncode == 0
    file, line = BREACHES[contract]
    (copy / file).write_text(f"{(copy / file).read_text()}\n{line}\n")
    found = _lint(copy)
    assert found.returncode != 0
    assert "BROKEN" in found.stdout


@pytest.mark.parametrize("contract", MAY)
def test_a_part_of_the_service_that_is_new_is_held_by_the_contracts_too(contract: str) -> None:
    written = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (held,) = (each["source_modules"] for each in written if each["id"] == contract)
    parts = {path.stem for path in (ROOT / "service").iterdir() if path.suffix == ".py" or path.is_dir()}
    parts -= MAY[contract] | {"__init__", "__pycache__"}
    assert {f"service.{part}" for part in parts} <= {*held}
