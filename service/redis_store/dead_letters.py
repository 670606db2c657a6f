"""Dead letters: what stood in a feed, a queue, a webhook or an owed list and was not written by us.

It is kept here with its reason before it is removed from where it stood: nothing vanishes in silence, and
nothing foreign stops the rest. One stream, bounded; `bricabrac doctor` lists it.
"""

import logging
from dataclasses import dataclass
from typing import Any

from service.redis_store.client import Client
from service.redis_store.replies import reading, writing

NAME = "dead"
MOST = 1000  # letters kept
LONGEST = 2000  # characters kept of one
log = logging.getLogger("bricabrac.dead")


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """Something foreign: when it was found (ms, the store's clock), where, its name, what it is, and why."""

    at: int
    source: str
    name: str
    content: str
    why: str


class DeadLetters:
    """The dead letters of a store."""

    def __init__(self, client: Client) -> None:
        self.client: Any = client

    def put(self, source: str, name: object, content: object, why: str) -> None:
        """Keep one and log it; remove it from its place only after this."""
        fields = {"source": source, "name": _text(name), "content": _text(content), "why": why[:LONGEST]}
        with writing():
            self.client.xadd(NAME, fields, maxlen=MOST, approximate=True)
        log.error("Put aside from %s: %s: %s", source, fields["name"], why)

    def newest(self, count: int = MOST) -> list[DeadLetter]:
        """The dead letters, newest first."""
        with reading():
            rows = self.client.xrevrange(NAME, "+", "-", count)
        return [
            DeadLetter(int(id_.split(b"-")[0]), *(_text(fields.get(field, b"")) for field in FIELDS))
            for id_, fields in rows
        ]


FIELDS = (b"source", b"name", b"content", b"why")


def _text(found: object) -> str:
    """Whatever it is, as text that can be read and is not too long."""
    text = found.decode(errors="backslashreplace") if isinstance(found, bytes) else str(found)
    return text[:LONGEST]
