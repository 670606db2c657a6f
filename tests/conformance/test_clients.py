"""Clients that are generated from the API's description play whole matches, cut off in the middle."""

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from service.log.verify import verify
from tests.conformance.node import HERE, MODULES, ROOT, node, tool
from tests.e2e.running import Service

MATCHES = [("whatnot", 1), ("nonsense", 2), ("drawer", 3)]


@pytest.fixture(scope="session")
def in_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a client in Python, as openapi-python-client makes it without a warning."""
    folder = tmp_path_factory.mktemp("python")
    command = [Path(sys.executable).parent / "openapi-python-client", "generate", "--fail-on-warning"]
    command += ["--path", ROOT / "openapi.yaml", "--config", HERE / "client.yaml", "--meta", "none"]
    _run(*command, "--output-path", folder / "bricabrac_client")
    return folder


@pytest.fixture(scope="session")
def in_typescript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the player and the types of openapi-typescript, and no error of types in it."""
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "node_modules").symlink_to(MODULES)
    for name in ("player.ts", "tsconfig.json", "package.json"):
        (folder / name).write_text((HERE / name).read_text(encoding="utf-8"), encoding="utf-8")
    node(tool("openapi-typescript"), ROOT / "openapi.yaml", "--output", folder / "api.d.ts")
    node(tool("tsc"), "--project", folder)
    return folder


def _run(*command: str | Path, **environment: str) -> str:
    ran = subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, timeout=200, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.parametrize(("game", "seats"), MATCHES)
def test_a_generated_client_in_python_plays_a_whole_match(
    service: Service, in_python: Path, game: str, seats: int
) -> None:
    command = [sys.executable, HERE / "player.py", service.url, game, str(seats)]
    _played(service, _run(*command, PYTHONPATH=str(in_python)))


@pytest.mark.parametrize(("game", "seats"), MATCHES)
def test_a_generated_client_in_typescript_plays_a_whole_match(
    service: Service, in_typescript: Path, game: str, seats: int
) -> None:
    _played(service, node("player.ts", service.url, game, str(seats), folder=in_typescript, seconds=200))


def _played(service: Service, said: str) -> None:
    """The match is finished and proved, and the player was told of every commit once, in order."""
    told = json.loads(said.splitlines()[0])
    with service.client() as client:
        lines = _log(client, told["match"])
        assert client.get(f"/v1/matches/{told['match']}/score").json()["final"]
    assert verify(lines).complete
    assert told["heard"] == list(range(1, len(lines) - 1)), "without header and signed head"


def _log(client: httpx.Client, match: str) -> list[bytes]:
    accept = {"Accept": "application/x-ndjson"}
    return client.get(f"/v1/matches/{match}/log", headers=accept).content.splitlines()
