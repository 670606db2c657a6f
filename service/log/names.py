"""Players' names, each sealed under a key of its own, so that it can be forgotten without touching the log.

In the log stands a seal, in the state of a match a handle, `<version>:<seat>` of the commit that gave the
name. Name and key stand beside the log, in the match's head, as `name:<handle>`: whoever may see the match is
shown the name from there, and nowhere else is it kept. What is deleted there is forgotten: the chain is the
same, the seal can be opened by nobody (its key was random, and is no child of the sealing key), and the
match is shown with FORGOTTEN in the name's place.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from domain.match.commands import Seat
from domain.match.names import names_in, renamed
from service.random_bytes import RandomBytes

FIELD = "name:"  # of the head: `name:<handle>` → key in hex, blank, name
FORGOTTEN = "(forgotten)"
KEY_BYTES = 32
MOST = 64  # names that a match remembers; beyond, those who have left are forgotten, the oldest first
Command = TypeVar("Command")


@dataclass(frozen=True, slots=True)
class Name:
    """A name with the key that it is sealed under."""

    text: str
    key: bytes = field(repr=False)


Names: TypeAlias = Mapping[str, Name]  # by handle


def taken_out(command: Command, version: int, random_bytes: RandomBytes) -> tuple[Command, Names]:
    """The command with handles in place of the names that it gives, and these, each with a fresh key."""
    given = names_in(command)
    handles = {seat: f"{version}:{seat}" for seat in given}
    names = {handles[seat]: Name(text, random_bytes(KEY_BYTES)) for seat, text in given.items()}
    return renamed(command, handles), names


def names_of(fields: Mapping[str, str]) -> Names:
    """The names that a match's head remembers."""
    found = {}
    for field_name, kept in fields.items():
        if field_name.startswith(FIELD):
            key, _, text = kept.partition(" ")
            found[field_name.removeprefix(FIELD)] = Name(text, bytes.fromhex(key))
    return found


def as_fields(names: Names) -> dict[str, str]:
    """Names as the head remembers them."""
    return {FIELD + handle: f"{name.key.hex()} {name.text}" for handle, name in names.items()}


def added(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """The fields of names that a head did not have before; one that was forgotten since is not among them."""
    return {name: kept for name, kept in after.items() if name.startswith(FIELD) and name not in before}


def surplus(fields: Mapping[str, str], seats: Iterable[Seat]) -> dict[str, str]:
    """What of a head's fields has to go, so that it does not grow with all who ever came and went."""
    seated = {seat.name for seat in seats}
    handles = [name.removeprefix(FIELD) for name in fields if name.startswith(FIELD)]
    left = sorted((handle for handle in handles if handle not in seated), key=_age)
    return {FIELD + handle: "" for handle in left[: max(0, len(handles) - MOST)]}


def shown(kind: str, name: str | None, names: Names) -> str | None:
    """The name of a seat as it is shown: its player's name in place of the handle."""
    if kind != "human" or name is None:
        return name
    return names[name].text if name in names else FORGOTTEN


def _age(handle: str) -> tuple[int, int]:
    version, seat = handle.split(":")
    return int(version), int(seat)
