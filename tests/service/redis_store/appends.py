"""Appends for the tests of the journals: made-up commits on top of whatever the writer has seen."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from redis.cluster import RedisCluster

from service.log.record import Entry
from service.redis_store.journal import RedisJournal
from service.store.journal import Append, Head

NOW = 1_796_000_000_000


def appending(match: str, expected: Head | None = None, count: int = 1, tag: str = "", **more: Any) -> Append:
    """An append of `count` commits on what the writer expects; another `tag` makes other commits."""
    head = expected or Head()
    entries = [_entry(match, version, tag) for version in range(head.version + 1, head.version + count + 1)]
    own_hash = sha256(f"{head.hash}/{tag}/{count}".encode()).hexdigest()
    filled: dict[str, Any] = {"fields": {}, **more}
    return Append(match=match, expected=head, entries=entries, hash=own_hash, **filled)


def head_after(append: Append) -> Head:
    """Where a log stands once the append is accepted; `fields` are left out."""
    return Head(append.expected.version + len(append.entries), append.hash)


def stands_at(head: Head) -> tuple[int, str]:
    """Version and hash of a head."""
    return head.version, head.hash


def _entry(match: str, version: int, tag: str) -> Entry:
    record = f'{{"match":"{match}","version":{version},"tag":"{tag}"}}'
    return Entry(version, record.encode(), f'{{"of":{version}}}'.encode())


def every_node(journal: RedisJournal) -> Mapping[str, Any]:
    """What sends a command to every server of a cluster."""
    return every_server(journal.client)


def every_server(client: Any) -> Mapping[str, Any]:
    """The same for a client."""
    return {"target_nodes": RedisCluster.ALL_NODES} if isinstance(client, RedisCluster) else {}


def everything_in(journal: RedisJournal) -> dict[bytes, bytes]:
    """Every key with its value, as the server would dump it."""
    return {key: journal.client.dump(key) for key in journal.client.scan_iter(count=1000)}
