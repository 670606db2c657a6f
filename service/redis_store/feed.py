"""The feed of all commits for a relay: at least once, trimmed when done with.

One stream a partition, read by the consumer group `relay` from its beginning. What a relay has read and not
acknowledged is another's after a while. `owed` remembers which matches wait for a job, whatever became of the
job. What stands in either and was not written by us is put aside as a dead letter.
"""

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import redis
from redis.cluster import RedisCluster

from domain.match.state import TASKS
from service.redis_store.client import Client
from service.redis_store.dead_letters import DeadLetters
from service.redis_store.feed_scripts import TRIM
from service.redis_store.key_names import Keys

GROUP = "relay"
BATCH = 100  # of each partition at a time
OWED_BATCH = 1000
IDLE_MS = 30_000  # another consumer that has not finished by then is taken to be dead
KEPT_MS = 3_900_000  # how long the feed keeps what has been handed over: longer than a cursor lasts
CLUSTER_POLL_INTERVAL_S = (
    0.02  # seconds between two looks where a cluster cannot wait on many streams at once
)
MATCH = re.compile(r"m_[A-Za-z0-9_]{1,64}")
ALONE = "alone:"  # before the job of a match that no person plays in
CALLS = frozenset({"", *TASKS, *(ALONE + task for task in TASKS)})
Entry = tuple[bytes, Mapping[bytes, bytes] | None]


@dataclass(frozen=True, slots=True)
class Pointer:
    """A commit in the feed, the job it calls for (an empty string for none), and if anybody waits for it."""

    feed: bytes
    id: bytes
    match: str
    version: int
    due_task: str
    alone: bool = False


class Feed:
    """The feeds of all partitions for one consumer; its client is its own, for it waits."""

    def __init__(self, client: Client, partitions: int, consumer: str, kept_ms: int = KEPT_MS) -> None:
        self.client: Any = client
        self.consumer, self.kept_ms = consumer, kept_ms
        self.dead = DeadLetters(client)
        self._keys = Keys(partitions)
        self._feeds, self._owed, self._trimmed = map(self._keys.every, ("feed", "owed", "trimmed"))
        self._trim = self.client.register_script(TRIM)

    def prepare(self) -> None:
        """Make the group where it is missing, from the beginning of each feed."""
        for feed in self._feeds:
            try:
                self.client.xgroup_create(feed, GROUP, id="0", mkstream=True)
            except redis.ResponseError as refused:
                if "BUSYGROUP" not in str(refused):
                    raise

    def unfinished(self) -> Iterator[list[Pointer]]:
        """All that this consumer was given and has not finished, part by part."""
        after = dict.fromkeys(self._feeds, "0")
        while rows := [row for row in self._ask(after, None) if row[1]]:
            yield self._pointers(rows)
            after = {feed.decode(): entries[-1][0].decode() for feed, entries in rows}

    def abandoned(self, idle_ms: int = IDLE_MS) -> Iterator[list[Pointer]]:
        """All that anybody was given so long ago and has not finished, part by part; it is ours now."""
        starts: dict[str, bytes] = dict.fromkeys(self._feeds, b"0-0")
        while starts:
            with self.client.pipeline(transaction=False) as pipe:
                for feed, start in starts.items():
                    pipe.xautoclaim(feed, GROUP, self.consumer, idle_ms, start, count=BATCH)
                claimed = dict(zip(starts, pipe.execute(), strict=True))
            if rows := [(feed.encode(), entries) for feed, (_, entries, *_) in claimed.items() if entries]:
                yield self._pointers(rows)
            starts = {feed: cursor for feed, (cursor, *_) in claimed.items() if cursor != b"0-0"}

    def new(self, seconds: float) -> list[Pointer]:
        """What has come since, waiting for it so long."""
        unread = dict.fromkeys(self._feeds, ">")
        if not isinstance(self.client, RedisCluster):
            return self._pointers(self._ask(unread, int(seconds * 1000) or None))
        give_up = time.monotonic() + seconds
        while not (found := self._pointers(self._ask(unread, None))) and time.monotonic() < give_up:
            time.sleep(CLUSTER_POLL_INTERVAL_S)
        return found

    def done(self, pointers: Iterable[Pointer]) -> None:
        """These have been handed over."""
        self._acknowledge([(pointer.feed, pointer.id) for pointer in pointers])

    def owed(self) -> Iterator[tuple[str, float]]:
        """Every match that waits for a job, with a mark that changes as soon as it waits for another."""
        first = dict.fromkeys(self._owed, 0)
        while first:
            with self.client.pipeline(transaction=False) as pipe:
                for owed, start in first.items():
                    pipe.zrange(owed, start, start + OWED_BATCH - 1, withscores=True)
                parts = dict(zip(first, pipe.execute(), strict=True))
            first = {
                owed: first[owed] + OWED_BATCH for owed, part in parts.items() if len(part) == OWED_BATCH
            }
            for owed, part in parts.items():
                for member, mark in part:
                    match = member.decode(errors="replace")
                    if MATCH.fullmatch(match):
                        yield match, mark
                    else:
                        self._forgive(owed, member, "It is not the name of a match.")

    def forgive(self, match: str, why: str) -> None:
        """Put aside what is owed to a match that does not exist."""
        self._forgive(self._keys.shared(match, "owed"), match.encode(), why)

    def _forgive(self, owed: str, member: bytes, why: str) -> None:
        self.dead.put(owed, member, "", why)
        self.client.zrem(owed, member)

    def trim(self) -> None:
        """Let go of what was handed over long ago; what is pending, or not yet read, stays.

        Times are those in the ids, and the store's: no other clock has a say.
        """
        with self.client.pipeline(transaction=False) as pipe:
            for feed in self._feeds:
                pipe.xpending(feed, GROUP)
                pipe.xinfo_groups(feed)
            replies = pipe.execute()
        for feed, mark, pending, groups in zip(
            self._feeds, self._trimmed, replies[::2], replies[1::2], strict=True
        ):
            group = next(each for each in groups if each["name"] == GROUP.encode())
            self._trim([feed, mark], [pending["min"] or group["last-delivered-id"], self.kept_ms])

    def _acknowledge(self, places: Iterable[tuple[bytes, bytes]]) -> None:
        with self.client.pipeline(transaction=False) as pipe:
            for feed, id_ in places:
                pipe.xack(feed, GROUP, id_)
            pipe.execute()

    def _pointers(self, rows: Iterable[tuple[bytes, Sequence[Entry]]]) -> list[Pointer]:
        """What we wrote; the rest is put aside and acknowledged."""
        found, foreign = [], []
        for feed, entries in rows:
            for id_, fields in entries:
                try:
                    found.append(_pointer(feed, id_, fields or {}))
                except (KeyError, ValueError) as flaw:
                    if fields:  # a trimmed entry that is still pending has none
                        self.dead.put(feed.decode(), id_, dict(fields), f"{type(flaw).__name__}: {flaw}")
                    foreign.append((feed, id_))
        if foreign:
            self._acknowledge(foreign)
        return found

    def _ask(self, after: Mapping[str, str], block: int | None) -> list[tuple[bytes, Sequence[Entry]]]:
        if not isinstance(self.client, RedisCluster):
            return self.client.xreadgroup(GROUP, self.consumer, dict(after), BATCH, block) or []
        return [row for feed, id_ in after.items() for row in self._ask_one(feed, id_)]

    def _ask_one(self, feed: str, after: str) -> Any:
        return self.client.xreadgroup(GROUP, self.consumer, {feed: after}, BATCH) or []


def _pointer(feed: bytes, id_: bytes, fields: Mapping[bytes, bytes]) -> Pointer:
    """The commit of an entry; KeyError or ValueError if it is malformed."""
    match, due_task = fields[b"match"].decode(), fields[b"calls"].decode()
    if not MATCH.fullmatch(match):
        raise ValueError("it names no match")
    if due_task not in CALLS:
        raise ValueError("it calls for a job that there is not")
    if not fields[b"version"].isdigit():
        raise ValueError("its version is no number")
    return Pointer(
        feed, id_, match, int(fields[b"version"]), due_task.removeprefix(ALONE), due_task.startswith(ALONE)
    )
