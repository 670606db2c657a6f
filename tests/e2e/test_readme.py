"""What the README tells a newcomer to type works as it stands."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.e2e.running import running

ROOT = Path(__file__).parent.parent.parent


def _blocks(title: str) -> str:
    """The indented lines below a heading."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").split(f"\n## {title}")[1].split("\n## ")[0]
    return "\n".join(re.findall(r"^ {4}(.*)$", section, re.MULTILINE))


def test_what_readers_are_told_to_make_is_ignored_by_git() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    told = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    made = set(re.findall(r"(?:\btee|[^-<\d]>|\s-o|\s--out) ([\w-][\w./-]*\w)", told))
    assert {"match.json", "match.ndjson"} <= made
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {name for name in made if f"/{name}" not in ignored and f"/{name}/" not in ignored} == set()


def test_the_first_solo_match_can_be_typed_from_the_readme(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        typed = _blocks("A first solo match").replace("localhost:8000", service.url.removeprefix("http://"))
        typed = typed.replace(".venv/bin/bricabrac", f"{sys.executable} -m service.cli")
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        environment = os.environ | {"PYTHONPATH": str(ROOT), "PATH": path}
        command = ["bash", "-euc", typed]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=100, check=False
        )
    assert done.returncode == 0, done.stderr
    assert '"final": true' in done.stdout
    assert done.stdout.strip().endswith("proved")
