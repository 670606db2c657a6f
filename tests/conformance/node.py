"""Tools in Node for the tests: `node` comes from PyPI, what it runs from the lock beside this file."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MODULES = HERE / "node_modules"
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "NO_COLOR": "1"}


def node(*words: str | Path, folder: Path = ROOT, seconds: float = 120.0) -> str:
    """What a script in Node prints; AssertionError with all it said if it fails."""
    assert MODULES.is_dir(), "the tools in Node are missing: make .venv/node.stamp"
    command = [Path(sys.executable).parent / "node", *words]
    ran = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | QUIET,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
    return ran.stdout + ran.stderr


def tool(name: str) -> Path:
    """The script of an installed tool."""
    return MODULES / ".bin" / name
