"""One commit of a log: built and hashed, sealed and opened, as stored and as each viewer gets it.

`hash` is SHA-256 over the RFC 8785 form of the record without `hash` and `opened`; `previous` is the hash
before it, 64 zeros in commit 1. A sealed field is left out and stands under `sealed`, by its JSON pointer,
as SHA-256(salt ‖ RFC 8785 of the value), the salt being HMAC-SHA-256(sealing key,
"salt/<match>/<version>/<pointer>"). A player's name is sealed likewise, with a key of its own in place of the
sealing key; it is opened to every viewer, as long as it is remembered.
"""

import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import orjson

from domain.fields import secret_fields
from domain.game import Viewer
from domain.match.actors import Seat, read_actor
from domain.match.names import named_pointers
from service.log.canonical import canonical
from service.log.codec import dump, dump_command
from service.log.names import Names

FORMAT = 2
GENESIS = "0" * 64


@dataclass(frozen=True, slots=True)
class Entry:
    """A commit as stored: the record for everybody, and what is sealed in it with the seats that see it.

    Of a name only its handle is stored here, for an entry of a log stays as it is for ever.
    """

    version: int
    record: bytes
    secrets: bytes = field(default=b"", repr=False)

    def public(self) -> dict[str, Any]:
        """The record without anything opened."""
        raw: dict[str, Any] = orjson.loads(self.record)
        return raw

    def line(self, viewer: Viewer, names: Names, *, revealed: bool) -> bytes:
        """The record as JSON, with `opened` for what the viewer may see, or for all once it is revealed.

        `names` are those that are remembered: they are open to everybody.
        """
        secrets = self._secrets()
        if not secrets:
            return self.record
        record, opened = self.public(), {}
        for pointer, secret in secrets.items():
            if (name := names.get(secret.get("handle", ""))) is not None:
                salt = salt_of(name.key, record["match"], self.version, pointer)
                opened[pointer] = {"salt": salt, "value": name.text}
            elif "handle" not in secret and (revealed or viewer in secret["seats"]):
                opened[pointer] = {"salt": secret["salt"], "value": secret["value"]}
        return canonical(record | {"opened": opened}) if opened else self.record

    def whole(self) -> dict[str, Any]:
        """The record with every sealed value in its place, for folding; of a name its handle."""
        record = self.public()
        for pointer, secret in self._secrets().items():
            put(record, pointer, secret["handle"] if "handle" in secret else secret["value"])
        return record

    def _secrets(self) -> Mapping[str, Any]:
        return orjson.loads(self.secrets) if self.secrets else {}


@dataclass(frozen=True, slots=True)
class Draft:
    """What a commit is made of before it is sealed; `names` are those of its handles."""

    match: str
    version: int
    at: str
    by: str
    command: Any
    command_id: str
    events: tuple[Any, ...]
    previous: str
    names: Names = field(default_factory=dict)


def seal(draft: Draft, sealing_key: bytes) -> tuple[Entry, str]:
    """The commit as it is stored, and its hash."""
    command, events = dump_command(draft.command), [dump(event) for event in draft.events]
    body: dict[str, Any] = {"command": command, "events": events}
    sealed = list(_sealed(draft, sealing_key, body))
    secrets = {pointer: kept for pointer, kept, _ in sealed}
    record = {
        "format": FORMAT,
        "match": draft.match,
        "version": draft.version,
        "at": draft.at,
        "by": draft.by,
        "command": command,
        "command_id": draft.command_id,
        "events": events,
        "sealed": {pointer: seal for pointer, _, seal in sealed},
        "previous": draft.previous,
    }
    own_hash = hash_of(record)
    whole = canonical(record | {"hash": own_hash})
    return Entry(draft.version, whole, canonical(secrets) if secrets else b""), own_hash


def hash_of(record: Mapping[str, Any]) -> str:
    """The hash that a record should carry."""
    return sha256(canonical({k: v for k, v in record.items() if k not in ("hash", "opened")})).hexdigest()


def seal_of(salt: str, value: Any) -> str:
    """What stands under `sealed`: SHA-256(salt ‖ RFC 8785 of the value), salt and result in hex."""
    return sha256(bytes.fromhex(salt) + canonical(value)).hexdigest()


def salt_of(key: bytes, match: str, version: int, pointer: str) -> str:
    """The salt of one sealed field, in hex; the key is the sealing key, or that of a name."""
    return hmac.digest(key, f"salt/{match}/{version}/{pointer}".encode(), "sha256").hex()


def put(record: Mapping[str, Any], pointer: str, value: Any) -> None:
    """Put an opened value where it belongs; LookupError or TypeError if the pointer leads nowhere."""
    place, name = _place(record, pointer)
    place[name] = value


def _sealed(draft: Draft, sealing_key: bytes, body: Mapping[str, Any]) -> Iterator[tuple[str, Any, str]]:
    """What is not for everybody, taken out of the body: its pointer, what is stored of it, its seal."""
    for pointer, seats in sealed_pointers(draft.by, draft.command, draft.events).items():
        value, salt = _taken(body, pointer), salt_of(sealing_key, draft.match, draft.version, pointer)
        yield pointer, {"seats": seats, "salt": salt, "value": value}, seal_of(salt, value)
    for pointer in named_pointers(draft.command, draft.events):
        handle = _taken(body, pointer)
        name = draft.names[handle]
        salt = salt_of(name.key, draft.match, draft.version, pointer)
        yield pointer, {"handle": handle}, seal_of(salt, name.text)


def _taken(body: Mapping[str, Any], pointer: str) -> Any:
    """A value, taken out of the body; what is left is what everybody sees."""
    place, name = _place(body, pointer)
    return place.pop(name)


def _place(record: Mapping[str, Any], pointer: str) -> tuple[Any, str]:
    *path, name = pointer.removeprefix("/").split("/")
    place: Any = record
    for step in path:
        place = place[int(step)] if isinstance(place, list | tuple) else place[step]
    return place, name


def sealed_pointers(by: str, command: Any, events: Sequence[Any]) -> dict[str, list[int]]:
    """Which fields of a commit are sealed, by JSON pointer, and the seats that may see each."""
    own = read_actor(by)
    seen_by_its_sender = [own.number] if isinstance(own, Seat) else []
    sealed = {f"/command/{name}": seen_by_its_sender for name, _ in secret_fields(command)}
    for index, event in enumerate(events):
        for name, seen_by in secret_fields(event):
            seats = getattr(event, seen_by)
            sealed[f"/events/{index}/{name}"] = [seats] if isinstance(seats, int) else list(seats)
    return sealed
