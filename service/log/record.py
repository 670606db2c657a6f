"""One commit of a log: built and hashed, sealed and opened, as stored and as each viewer gets it.

`hash` is SHA-256 over the RFC 8785 form of the record without `hash` and `opened`; `previous` is the hash
before it, 64 zeros in commit 1. A sealed field is left out and stands under `sealed`, by its JSON pointer,
as SHA-256(salt ‖ RFC 8785 of the value), the salt being HMAC-SHA-256(seed,
"salt/<match>/<version>/<pointer>").
"""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import orjson

from domain.fields import secret_fields
from domain.game import Viewer
from service.log.canonical import canonical
from service.log.codec import dump, dump_command

FORMAT = 1
GENESIS = "0" * 64


@dataclass(frozen=True, slots=True)
class Entry:
    """A commit as stored: the record for everybody, and what is sealed in it with the seats that see it."""

    version: int
    record: bytes
    secrets: bytes = b""

    def public(self) -> dict[str, Any]:
        """The record without anything opened."""
        raw: dict[str, Any] = orjson.loads(self.record)
        return raw

    def line(self, viewer: Viewer, *, revealed: bool) -> bytes:
        """The record as JSON, with `opened` for what the viewer may see, or for all once it is revealed."""
        opened = {
            pointer: {"salt": secret["salt"], "value": secret["value"]}
            for pointer, secret in self._secrets().items()
            if revealed or viewer in secret["seats"]
        }
        return canonical(self.public() | {"opened": opened}) if opened else self.record

    def whole(self) -> dict[str, Any]:
        """The record with every sealed value in its place, for folding."""
        record = self.public()
        for pointer, secret in self._secrets().items():
            put(record, pointer, secret["value"])
        return record

    def _secrets(self) -> Mapping[str, Any]:
        return orjson.loads(self.secrets) if self.secrets else {}


@dataclass(frozen=True, slots=True)
class Draft:
    """What a commit is made of before it is sealed."""

    match: str
    version: int
    at: str
    by: str
    command: Any
    command_id: str
    events: tuple[Any, ...]
    previous: str


def seal(draft: Draft, seed: bytes) -> tuple[Entry, str]:
    """The commit as it is stored, and its hash."""
    command, events = dump_command(draft.command), [dump(event) for event in draft.events]
    body: dict[str, Any] = {"command": command, "events": events}
    secrets = {
        pointer: _secret(draft, seed, pointer, seats, body)
        for pointer, seats in sealed_pointers(draft.by, draft.command, draft.events).items()
    }
    record = {
        "format": FORMAT,
        "match": draft.match,
        "version": draft.version,
        "at": draft.at,
        "by": draft.by,
        "command": command,
        "command_id": draft.command_id,
        "events": events,
        "sealed": {pointer: seal_of(secret["salt"], secret["value"]) for pointer, secret in secrets.items()},
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


def salt_of(seed: bytes, match: str, version: int, pointer: str) -> str:
    """The salt of one sealed field, in hex."""
    return hmac.digest(seed, f"salt/{match}/{version}/{pointer}".encode(), "sha256").hex()


def put(record: Mapping[str, Any], pointer: str, value: Any) -> None:
    """Put an opened value where it belongs; LookupError or TypeError if the pointer leads nowhere."""
    *path, name = pointer.removeprefix("/").split("/")
    place: Any = record
    for step in path:
        place = place[int(step)] if isinstance(place, list) else place[step]
    place[name] = value


def sealed_pointers(by: str, command: Any, events: Sequence[Any]) -> dict[str, list[int]]:
    """Which fields of a commit are sealed, by JSON pointer, and the seats that may see each."""
    sealed = {f"/command/{name}": [int(by.removeprefix("seat:"))] for name, _ in secret_fields(command)}
    for index, event in enumerate(events):
        for name, seen_by in secret_fields(event):
            seats = getattr(event, seen_by)
            sealed[f"/events/{index}/{name}"] = [seats] if isinstance(seats, int) else list(seats)
    return sealed


def _secret(
    draft: Draft, seed: bytes, pointer: str, seats: list[int], body: dict[str, Any]
) -> dict[str, Any]:
    """Takes a value out of the body; what is left is what everybody sees."""
    *path, name = pointer.removeprefix("/").split("/")
    place: Any = body
    for step in path:
        place = place[int(step)] if isinstance(place, list) else place[step]
    return {
        "seats": seats,
        "salt": salt_of(seed, draft.match, draft.version, pointer),
        "value": place.pop(name),
    }
