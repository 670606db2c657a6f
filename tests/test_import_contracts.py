"""The import contracts bark: each is broken once on purpose, in a copy."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BREACHES = {
    "layers": ("service/matches/play.py", "import workers.jobs"),
    "rooms": ("service/matches/play.py", "import service.redis_store.client"),
    "edge": ("service/http/openapi/api.py", "import service.http.judgement.writes"),
    "resources": ("service/http/resources/seats.py", "import service.http.resources.invites"),
    "jobs": ("workers/webhooks/sender.py", "import workers.jobs"),
    "circles": ("workers/queues.py", "import workers.relay"),
    "pure": ("domain/chance.py", "import random"),
    "games": ("domain/games/drawer/rules.py", "import domain.games.whatnot.rules"),
    "flask": ("service/matches/play.py", "import flask"),
    "redis": ("service/matches/play.py", "import redis"),
    "outgoing": ("service/webhooks/model.py", "import requests"),
}


def _lint(folder: Path, contract: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as run; run()",
        "--no-cache",
        f"--contract={contract}",
    ]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The code, to be broken."""
    for name in ("domain", "service", "workers"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_every_contract_is_broken_here() -> None:
    written = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = written["tool"]["importlinter"]["contracts"]
    assert {contract["id"] for contract in contracts} == BREACHES.keys()


@pytest.mark.parametrize("contract", BREACHES)
def test_a_breach_of_each_contract_is_found(copy: Path, contract: str) -> None:
    assert _lint(copy, contract).returncode == 0
    file, line = BREACHES[contract]
    (copy / file).write_text(f"{(copy / file).read_text()}\n{line}\n")
    found = _lint(copy, contract)
    assert found.returncode != 0
    assert "BROKEN" in found.stdout


@pytest.mark.parametrize(
    ("contract", "package"), [("flask", "marshmallow"), ("redis", "rq"), ("outgoing", "urllib3")]
)
def test_a_part_of_the_service_that_is_new_is_held_by_the_contracts_too(
    copy: Path, contract: str, package: str
) -> None:
    (copy / "service" / "brand_new.py").write_text(f"import {package}\n")
    found = _lint(copy, contract)
    assert found.returncode != 0
    assert f"service.brand_new -> {package}" in found.stdout, contract
