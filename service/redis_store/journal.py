"""The journal in Redis: a stream a match, an entry a commit with the id `<version>-0`, appended by a script.

The client never repeats an append by itself; a repeat with the same key is harmless, for the script knows
the key.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

import redis

from service.errors import MatchUnreadableError
from service.log.record import Entry
from service.redis_store.client import Client, store_time
from service.redis_store.durability import durably
from service.redis_store.feed import ALONE
from service.redis_store.indexes import held_match, idle_matches, listed_matches, page_of
from service.redis_store.key_names import Keys
from service.redis_store.replies import code_of, reading
from service.redis_store.requirements import checks
from service.store.journal import (
    KEPT_ANSWER_S,
    Accepted,
    Append,
    Appended,
    Conflict,
    Done,
    Head,
    Listed,
)

COMMIT_FIELDS = {b"record", b"secrets"}
SCANNED = 1000  # keys looked at in one trip
SNAPSHOT_SECONDS = 24 * 60 * 60
log = logging.getLogger("bricabrac.store")


class RedisJournal:
    """Journal over one Redis, Valkey or Redis Cluster."""

    def __init__(self, client: Client, partitions: int = 64) -> None:
        self.client: Any = client
        self.keys = Keys(partitions)
        script = files(__package__).joinpath("append.lua").read_text(encoding="ascii")
        self._append = self.client.register_script(script)

    def append(self, append: Append) -> Appended:
        if not append.entries:
            raise ValueError("an append without commits")
        log_key, head, *shared = self.keys.of_append(append.match)
        names = [log_key, head, self.keys.of_match(append.match, f"did:{append.key}"), *shared]
        with durably(self.client):
            reply = self._append(keys=names, args=_arguments(append))
        match reply:
            case [b"accepted"]:
                return Accepted()
            case [b"done", answer]:
                return Done(answer.decode())
            case [b"conflict", version, own_hash, missing, flat_head]:
                entries = _entries(append.match, ((id_, _pairs(flat)) for id_, flat in missing))
                fields = _head(append.match, _pairs(flat_head)).fields
                return Conflict(int(version), own_hash.decode(), entries, fields)
            case [b"damaged", reason]:
                raise MatchUnreadableError(append.match, reason.decode(errors="backslashreplace"))
        raise ValueError(f"the append script answered {reply!r}")

    def head(self, match: str) -> Head:
        with reading_of(match):
            fields = self.client.hgetall(self.keys.of_match(match, "head"))
        return _head(match, fields)

    def open(self, match: str) -> tuple[Head, bytes | None]:
        with reading_of(match), self.client.pipeline(transaction=False) as pipe:
            pipe.hgetall(self.keys.of_match(match, "head"))
            pipe.get(self.keys.of_match(match, "snap"))
            pipe.xlen(self.keys.of_match(match, "log"))
            fields, snapshot, length = pipe.execute()
        head = _head(match, fields)
        if length < head.version or (length and not head.version):
            raise contradiction(match, head.version, length)
        return head, snapshot

    def catch_up(self, match: str, after: int, count: int = 500) -> tuple[Head, list[Entry]]:
        log_key = self.keys.of_match(match, "log")
        with reading_of(match), self.client.pipeline(transaction=False) as pipe:
            pipe.hgetall(self.keys.of_match(match, "head"))
            pipe.xrange(log_key, f"({after}-0", "+", count)
            pipe.xlen(log_key)  # asked for last: it may have grown meanwhile, and cannot be less
            fields, rows, length = pipe.execute()
        head, entries = _head(match, fields), _entries(match, rows)
        if length < max(head.version, entries[-1].version if entries else 0):
            raise contradiction(match, head.version, length)
        return head, entries

    def read(self, match: str, after: int, upto: int | None = None, count: int = 500) -> list[Entry]:
        log, last = self.keys.of_match(match, "log"), "+" if upto is None else f"{upto}-0"
        with reading_of(match):
            rows = self.client.xrange(log, f"({after}-0", last, count)
        return _entries(match, rows)

    def answer(self, match: str, key: str) -> str | None:
        with reading():
            kept = self.client.get(self.keys.of_match(match, f"did:{key}"))
        return None if kept is None else kept.decode()

    def save_snapshot(self, match: str, snapshot: bytes) -> None:
        with reading():
            try:
                self.client.set(self.keys.of_match(match, "snap"), snapshot, ex=SNAPSHOT_SECONDS)
            except redis.ResponseError as refused:  # it is a cache: a full store can still be read
                log.warning("could not store a snapshot of %s: %s", match, refused)

    def checks(self) -> dict[str, str]:
        return checks(self.client)

    def matches(self) -> Iterator[str]:
        with reading():
            for key in self.client.scan_iter(match="{p*}:m:*:[hl][eo][ag]*", count=SCANNED):
                _, _, match, name = key.decode(errors="replace").split(":", 3)
                if name == "head" or (
                    name == "log" and not self.client.exists(self.keys.of_match(match, "head"))
                ):
                    yield match
            for match in listed_matches(self.client, self.keys):
                if not self.client.exists(self.keys.of_match(match, "head")):
                    yield match

    def listing(
        self, before: str | None, count: int, game: str = "", status: str = "", owner: str = ""
    ) -> list[Listed]:
        return page_of(self.client, self.keys, (before, count), (game, status, owner))

    def held(self, token: str) -> Listed | None:
        return held_match(self.client, self.keys, token)

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
        KEPT_ANSWER_S,
        ALONE + append.due_task if append.due_task and append.alone else append.due_task,
        append.match,
        append.hash,
        len(append.entries),
        len(append.fields),
    ]
    for entry in append.entries:
        arguments += [entry.record, entry.secrets]
    for name, value in append.fields.items():
        arguments += [name, value]
    return arguments


@contextmanager
def reading_of(match: str) -> Iterator[None]:
    """As `reading`, of one match: a key of another type is no trouble of the store, but of this match."""
    with reading():
        try:
            yield
        except redis.ResponseError as error:
            if code_of(error) != "WRONGTYPE":
                raise
            raise MatchUnreadableError(match, "a key of it holds something of another type") from error


def contradiction(match: str, version: int, length: int) -> MatchUnreadableError:
    """Where head and log are not of one match, at one time."""
    return MatchUnreadableError(match, f"the head is at {version}, the log has {length} entries")


def _head(match: str, fields: Mapping[bytes, bytes]) -> Head:
    try:
        read = {name.decode(): value.decode() for name, value in fields.items()}
        return Head(int(read.pop("version")), read.pop("hash"), read) if read else Head()
    except (KeyError, ValueError) as wrong:
        raise MatchUnreadableError(match, "its head lacks version or hash, or is no text") from wrong


def _pairs(flat: list[bytes]) -> dict[bytes, bytes]:
    return dict(zip(flat[::2], flat[1::2], strict=True))


def _entries(match: str, rows: Iterable[tuple[bytes, Mapping[bytes, bytes]]]) -> list[Entry]:
    entries = []
    for id_, fields in rows:
        version, _, number = id_.partition(b"-")
        if number != b"0" or fields.keys() != COMMIT_FIELDS:
            raise MatchUnreadableError(match, f"the entry {id_.decode()} of its log is no commit")
        entries.append(Entry(int(version), fields[b"record"], fields[b"secrets"]))
    return entries
