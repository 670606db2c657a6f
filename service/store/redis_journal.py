"""The journal in Redis: a stream a match, an entry a commit with the id `<version>-0`, appended by a script.

The client never repeats an append by itself; a repeat with the same key is harmless, for the script knows
the key.
"""

import logging
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import redis

from service.log.record import Entry
from service.store.feed import ALONE
from service.store.journal import (
    KEPT_ANSWER_SECONDS,
    Accepted,
    Append,
    Appended,
    Conflict,
    Done,
    Head,
    Listed,
    OutcomeUnknownError,
    StoreUnavailableError,
)
from service.store.keys import Keys
from service.store.redis_client import LOST, REFUSED, Client, reading, store_time
from service.store.redis_index import idle_matches, prefix_of, public_page

SNAPSHOT_SECONDS = 24 * 60 * 60
DURABLE = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
log = logging.getLogger("bricabrac.store")


class RedisJournal:
    """Journal over one Redis, Valkey or Redis Cluster."""

    def __init__(self, client: Client, partitions: int = 64) -> None:
        self.client: Any = client
        self.keys = Keys(partitions)
        script = files(__package__).joinpath("append.lua").read_text(encoding="ascii")
        self._append = self.client.register_script(script)

    def append(self, append: Append) -> Appended:
        log_key, head, *shared = self.keys.of_append(append.match)
        names = [log_key, head, self.keys.of_match(append.match, f"did:{append.key}"), *shared]
        try:
            reply = self._append(keys=names, args=_arguments(append))
        except REFUSED as refused:
            raise StoreUnavailableError(str(refused)) from refused
        except LOST as lost:
            raise OutcomeUnknownError(str(lost)) from lost
        match reply:
            case [b"accepted"]:
                return Accepted()
            case [b"done", answer]:
                return Done(answer.decode())
            case [b"conflict", version, own_hash, missing, flat_head]:
                entries = [_entry(id_, _pairs(flat)) for id_, flat in missing]
                return Conflict(int(version), own_hash.decode(), entries, _head(_pairs(flat_head)).fields)
        raise ValueError(f"the append script answered {reply!r}")

    def head(self, match: str) -> Head:
        with reading():
            return _head(self.client.hgetall(self.keys.of_match(match, "head")))

    def open(self, match: str) -> tuple[Head, bytes | None]:
        with reading(), self.client.pipeline(transaction=False) as pipe:
            pipe.hgetall(self.keys.of_match(match, "head"))
            pipe.get(self.keys.of_match(match, "snap"))
            fields, snapshot = pipe.execute()
        return _head(fields), snapshot

    def catch_up(self, match: str, after: int, count: int = 500) -> tuple[Head, list[Entry]]:
        with reading(), self.client.pipeline(transaction=False) as pipe:
            pipe.hgetall(self.keys.of_match(match, "head"))
            pipe.xrange(self.keys.of_match(match, "log"), f"({after}-0", "+", count)
            fields, rows = pipe.execute()
        return _head(fields), [_entry(id_, found) for id_, found in rows]

    def read(self, match: str, after: int, upto: int | None = None, count: int = 500) -> list[Entry]:
        log, last = self.keys.of_match(match, "log"), "+" if upto is None else f"{upto}-0"
        with reading():
            rows = self.client.xrange(log, f"({after}-0", last, count)
        return [_entry(id_, fields) for id_, fields in rows]

    def answer(self, match: str, key: str) -> str | None:
        with reading():
            kept = self.client.get(self.keys.of_match(match, f"did:{key}"))
        return None if kept is None else kept.decode()

    def save_snapshot(self, match: str, snapshot: bytes) -> None:
        with reading():
            try:
                self.client.set(self.keys.of_match(match, "snap"), snapshot, ex=SNAPSHOT_SECONDS)
            except redis.ResponseError as refused:  # it is a cache: a full store can still be read
                log.warning("no snapshot of %s: %s", match, refused)

    def checks(self) -> dict[str, str]:
        with reading():
            self.client.ping()
            try:
                found = self.client.config_get(*DURABLE)
            except redis.ResponseError:
                return {"store": "ok"}  # where CONFIG is forbidden the operator vouches for it
        wrong = {name: found.get(name) for name, wanted in DURABLE.items() if found.get(name) != wanted}
        durability = "; ".join(f"{name} is {value}, not {DURABLE[name]}" for name, value in wrong.items())
        return {"store": "ok", "durability": durability or "ok"}

    def listing(self, before: str | None, count: int, game: str = "", status: str = "") -> list[Listed]:
        return public_page(self.client, self.keys, (before, count), prefix_of(game, status))

    def idle(self, since_ms: int, count: int) -> list[str]:
        return idle_matches(self.client, self.keys, since_ms, count)

    def idle_ms(self, match: str) -> int | None:
        with reading():
            last = self.client.zscore(self.keys.shared(match, "idle"), match)
            return None if last is None else store_time(self.client) - int(last)

    def leave_idle(self, match: str, since_ms: int) -> None:
        with reading():
            last = store_time(self.client) - since_ms
            self.client.zadd(self.keys.shared(match, "idle"), {match: last}, xx=True, gt=True)


def _arguments(append: Append) -> list[Any]:
    expected = append.expected
    arguments: list[Any] = [
        expected.version,
        expected.hash if expected.version else "",
        int(append.key is not None),
        append.answer,
        KEPT_ANSWER_SECONDS,
        ALONE + append.calls if append.calls and append.alone else append.calls,
        append.match,
        append.now,
        append.hash,
        len(append.entries),
        len(append.fields),
    ]
    for entry in append.entries:
        arguments += [entry.record, entry.secrets]
    for name, value in append.fields.items():
        arguments += [name, value]
    return arguments


def _head(fields: Mapping[bytes, bytes]) -> Head:
    read = {name.decode(): value.decode() for name, value in fields.items()}
    if not read:
        return Head()
    return Head(int(read.pop("version")), read.pop("hash"), read)


def _pairs(flat: list[bytes]) -> dict[bytes, bytes]:
    return dict(zip(flat[::2], flat[1::2], strict=True))


def _entry(id_: bytes, fields: Mapping[bytes, bytes]) -> Entry:
    return Entry(int(id_.split(b"-")[0]), fields[b"record"], fields[b"secrets"])
