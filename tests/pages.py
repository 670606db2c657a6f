"""The pages for readers, README and docs/: what they have their readers type, and where their links lead."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")))
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def page(name: str) -> str:
    """The text of a page, by its path from the root."""
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    """The fenced blocks of a page in one language."""
    return [block for kind, block in FENCED.findall(page(name)) if kind == language]


def rows(name: str, heading: str) -> Iterator[list[str]]:
    """The rows of the tables of a section, without the header."""
    section = re.split(rf"^#+ {re.escape(heading)}$", page(name), flags=re.MULTILINE)[1]
    lines = re.split(r"^#+ ", section, flags=re.MULTILINE)[0].splitlines()
    for before, line in pairwise(lines):
        if line.startswith("| ") and before.startswith("|"):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def links(file: Path) -> list[str]:
    """Where the links of a page lead, those in blocks of code apart."""
    return LINK.findall(FENCED.sub("", file.read_text(encoding="utf-8")))


def anchors(file: Path) -> set[str]:
    """The anchors that GitHub gives the headings of a page."""
    seen: Counter[str] = Counter()
    found = set()
    for heading in HEADING.findall(FENCED.sub("", file.read_text(encoding="utf-8"))):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return found
