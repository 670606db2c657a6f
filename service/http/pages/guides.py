"""The guides of `docs/`, with links that lead somewhere where this service shows them.

In the repository they link to files beside them and above. Here those of the service have other addresses;
of a link to any other file, only the words are left.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

BESIDE = files("service.http").joinpath("guides")
PURPOSES = {
    "playing": "play a match, alone or with others",
    "integrating": "build a frontend, a bot or a tournament tool",
    "verifying": "check a log, write a verifier, run a fair tournament",
    "operating": "run a server",
    "architecture": "find your way in the code",
    "developing": "change the code",
}
PICTURES = ("architecture", "overview")
CODE_OR_LINK = re.compile(r"^```.*?^```$|`[^`]+`|\[([^\]]+)\]\(([^)\s]+)\)", re.MULTILINE | re.DOTALL)
MOVED = (
    (re.compile(r"\.\./openapi\.yaml"), "/openapi.yaml"),
    (re.compile(r"\.\./README\.md"), "/"),
    (re.compile(r"\.\./domain/games/(\w+)/rules\.md"), r"/v1/games/\1/rules"),
)


@dataclass(frozen=True, slots=True)
class Guide:
    """A guide: its title, what it is for, and its text in Markdown and for a page."""

    title: str
    purpose: str
    text: str
    text_of_page: str


@cache
def guides() -> Mapping[str, Guide]:
    """All guides, by name, in the order in which they are listed."""
    return {name: _read(name, purpose) for name, purpose in PURPOSES.items()}


@cache
def picture(name: str) -> bytes | None:
    """The picture of this name, as SVG; None if there is none."""
    return BESIDE.joinpath(f"{name}.svg").read_bytes() if name in PICTURES else None


def _read(name: str, purpose: str) -> Guide:
    text = relinked(BESIDE.joinpath(f"{name}.md").read_text(encoding="utf-8"), suffix=".md")
    title = text.partition("\n")[0].removeprefix("# ")
    return Guide(title, purpose, text, relinked(text, suffix=""))


def relinked(text: str, suffix: str) -> str:
    """A guide's text with the links of this service; those to other guides end with `suffix`."""

    def lead(found: re.Match[str]) -> str:
        words, link = found.groups()
        if link is None:
            return found[0]  # code
        path, hash_sign, anchor = link.partition("#")
        place = _place(path, suffix)
        return words if place is None else f"[{words}]({place}{hash_sign}{anchor})"

    return CODE_OR_LINK.sub(lead, text)


def _place(path: str, suffix: str) -> str | None:
    """Where a path leads here; None if what is there is not of the service."""
    for known, place in MOVED:
        if found := known.fullmatch(path):
            return found.expand(place)
    if path.startswith("../"):
        return None
    name, dot, kind = path.rpartition(".")
    return f"{name}{suffix}" if f"{dot}{kind}" == ".md" and name in PURPOSES else path
