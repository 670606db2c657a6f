"""Which names look alike, by the tables of Unicode (UTS #39) and whatever the case of their letters."""

import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import regex

from domain.errors import RuleBroken
from domain.match.commands import TakeSeat
from domain.refusals import MatchRefusal
from service.matches.aggregate import Aggregate

TABLE = "confusables.txt"
IGNORED = regex.compile(r"\p{Default_Ignorable_Code_Point}+")
BLANKS = regex.compile(r"\p{White_Space}+")


def looks(name: str) -> frozenset[str]:
    """What a name looks like, as written and in small letters; two names look alike if they share one."""
    plain = BLANKS.sub(" ", unicodedata.normalize("NFKC", name))
    return frozenset((_skeleton(plain), _skeleton(plain.casefold())))


def look_alike(name: str, others: Iterable[str | None]) -> bool:
    """Whether a name looks like one of the others."""
    mine = looks(name)
    return any(mine & looks(other) for other in others if other is not None)


def refuse_look_alike(loaded: Aggregate, command: object) -> None:
    """RuleBroken if a player takes a seat with a name that looks like another in the match."""
    if not isinstance(command, TakeSeat):
        return
    assert loaded.match is not None  # nobody sits down before there is a table
    names, seats = loaded.names, loaded.match.seats
    known = (names[seat.name].text for seat in seats if seat.name is not None and seat.name in names)
    if look_alike(command.name, known):
        raise RuleBroken(
            MatchRefusal.NAME_TAKEN,
            "Another player in this match has a name that looks the same. Choose another.",
        )


def _skeleton(text: str) -> str:
    decomposed = IGNORED.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", decomposed.translate(_table()))


@cache
def _table() -> dict[int, str]:
    """What each confusable character looks like."""
    lines = files(__package__).joinpath(TABLE).read_text("utf-8").splitlines()
    pairs = (line.split(";") for line in lines if not line.startswith("#"))
    return {int(sign, 16): "".join(chr(int(each, 16)) for each in like.split()) for sign, like in pairs}
