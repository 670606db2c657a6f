"""What the README and the pages of docs/ have their readers type works as it stands, from top to bottom."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.e2e.running import Service, running
from tests.pages import PAGES, ROOT, blocks

TYPED = ("README.md", "docs/playing.md", "docs/integrating.md", "docs/operating.md", "docs/verifying.md")
INSTALLED = "make run\nmake test\n"  # what this test stands for, and what runs it


def typed(typing: list[str], service: Service, folder: Path) -> str:
    """What a shell prints in which somebody types these blocks, in a folder of their own."""
    here = "\n".join(typing).replace("localhost:8000", service.url.removeprefix("http://"))
    here = here.replace(".venv/bin/bricabrac", f"{sys.executable} -m service.cli.main")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {"PYTHONPATH": str(ROOT), "PATH": path, "DATA": str(service.folder / "var")}
    done = subprocess.run(
        ["bash", "-euc", here],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_readers_are_told_to_make_is_ignored_by_git() -> None:
    told = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    made = set(re.findall(r"(?:\btee|[^-<\d]>|\s-o|\s--out) ([\w-][\w./-]*\w)", told))
    assert {"match.json", "match.ndjson"} <= made
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {name for name in made if f"/{name}" not in ignored and f"/{name}/" not in ignored} == set()


def test_all_that_the_pages_have_their_readers_type_works(tmp_path: Path) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")  # where the bots are
    installed, *typing = (block for name in TYPED for block in blocks(name, "sh"))
    assert installed == INSTALLED
    with running(tmp_path) as service:
        printed = typed(typing, service, tmp_path)
    assert '"final": true' in printed
    assert "I am seat:0 of m_" in printed
    assert printed.lower().count("idempotent-replayed: true") == 1
    assert "Sunday league\tcreate,webhooks" in printed
    first, *_, last = (line for line in printed.splitlines() if "proved" in line)
    assert first.startswith("match.ndjson: whatnot ")
    assert first.endswith(": proved")
    assert "20 logs: 20 proved" in printed.splitlines()
    assert re.search(r"head [0-9a-f]{64}, signed at \S+Z: proved$", last), (
        "with the keys of the running service"
    )
