"""The rules as players read them: a Markdown file beside the code, with a heading for every refusal."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

FILE = "rules.md"
REFUSALS = re.compile(r"^#+ Refusals.*$", re.MULTILINE)
REFUSAL = re.compile(r"^#+ (\w+)\n(.+?)(?=^#|\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The text in Markdown, and what its last section says of each refusal, by the refusal's code."""

    text: str
    refusals: Mapping[str, str]


@cache
def read_rulebook(package: str) -> Rulebook:
    """The `rules.md` of a package; ValueError unless it ends with a section of refusals, a heading each."""
    text = files(package).joinpath(FILE).read_text(encoding="utf-8")
    _, *rest = REFUSALS.split(text)
    if len(rest) != 1:
        raise ValueError(f"{package}: {FILE} has no section of refusals, or several")
    return Rulebook(text, {code: " ".join(said.split()) for code, said in REFUSAL.findall(rest[0])})


def rules_of_every_match() -> Rulebook:
    """What holds in every match, whatever its game."""
    return read_rulebook("domain.match")
