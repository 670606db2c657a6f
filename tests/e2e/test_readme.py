"""What the README tells a newcomer to type works as it stands."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.e2e.running import Service, running

ROOT = Path(__file__).parent.parent.parent


def blocks(title: str) -> str:
    """The indented lines below a heading."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").split(f"\n## {title}")[1].split("\n## ")[0]
    return "\n".join(re.findall(r"^ {4}(.*)$", section, re.MULTILINE))


def typed(text: str, service: Service, folder: Path) -> str:
    """What a shell prints in which somebody types this, in a folder that is theirs."""
    here = text.replace("localhost:8000", service.url.removeprefix("http://"))
    here = here.replace(".venv/bin/bricabrac", f"{sys.executable} -m service.cli")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PATH": path}
    done = subprocess.run(
        ["bash", "-euc", here],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_first_solo_match_can_be_typed_from_the_readme(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        printed = typed(blocks("A first solo match"), service, tmp_path)
    assert '"final": true' in printed
    assert printed.strip().endswith("proved")
