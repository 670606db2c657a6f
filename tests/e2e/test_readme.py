"""What the README and the pages of docs/ have their readers type works as it stands, from top to bottom."""

import os
import subprocess
import sys
from pathlib import Path

from tests.e2e.running import Service, running
from tests.pages import ROOT, blocks

TYPED = ("README.md", "docs/playing.md", "docs/integrating.md", "docs/operating.md", "docs/verifying.md")
INSTALLED = "make run\nmake test\n"  # what this test stands for, and what runs it


def _script(service: Service) -> str:
    """All blocks for a shell, one after the other, against this service."""
    typed = [block for name in TYPED for block in blocks(name, "sh")]
    assert typed.pop(0) == INSTALLED
    here = "\n".join(typed).replace("localhost:8000", service.url.removeprefix("http://"))
    return here.replace(".venv/bin/bricabrac", f"{sys.executable} -m service.cli")


def test_all_that_the_pages_have_their_readers_type_works(tmp_path: Path) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")  # where the bots are
    with running(tmp_path) as service:
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        environment = os.environ | {"PYTHONPATH": str(ROOT), "PATH": path, "DATA": str(tmp_path / "var")}
        done = subprocess.run(
            ["bash", "-euc", _script(service)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert '"final": true' in done.stdout
    assert "I am seat:0 of m_" in done.stdout
    assert done.stdout.lower().count("idempotent-replayed: true") == 1
    assert "Sunday league\tcreate,webhooks" in done.stdout
    first, *_, last = (line for line in done.stdout.splitlines() if "proved" in line)
    assert first.startswith("match.ndjson: whatnot ")
    assert first.endswith(": proved")
    assert last == "20 logs: 20 proved"
