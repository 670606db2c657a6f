"""Who acts. Logs and heads name an actor by a word: `seat:<n>`, `host`, `spectator:<n>`, `referee`."""

import re
from dataclasses import dataclass
from typing import TypeAlias

HOST, REFEREE = "host", "referee"


@dataclass(frozen=True, slots=True)
class Host:
    """Who created the match."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table, from 0: of a player, a bot or an automaton."""

    number: int


@dataclass(frozen=True, slots=True)
class Spectator:
    """Who came to watch with the invite of this number."""

    invite: int


@dataclass(frozen=True, slots=True)
class Referee:
    """The service itself: it scores matches and closes idle ones."""


Actor: TypeAlias = Host | Seat | Spectator | Referee


WORD = re.compile(r"(seat|spectator):(0|[1-9][0-9]{0,8})")


def read_actor(word: str) -> Actor | None:
    """The actor that a word names; None for a word that names none."""
    if word == HOST:
        return Host()
    if word == REFEREE:
        return Referee()
    found = WORD.fullmatch(word)
    if found is None:
        return None
    return Seat(int(found[2])) if found[1] == "seat" else Spectator(int(found[2]))


def seat_name(seat: int) -> str:
    """How the log names a seat as an actor."""
    return f"seat:{seat}"


def spectator_name(invite: int) -> str:
    """How the log names the spectator who came with this invite."""
    return f"spectator:{invite}"
