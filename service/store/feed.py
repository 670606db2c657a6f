"""The feed of all commits for a relay: at least once, claimed before new, trimmed when done with.

One stream a partition, read by the consumer group `relay` from its beginning. `owed` remembers which matches
wait for a job, whatever became of the job.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import redis
from redis.cluster import RedisCluster

from service.store.keys import Keys
from service.store.redis_client import Client

GROUP = "relay"
BATCH = 100
IDLE_MS = 30_000  # another consumer that has not finished by then is taken to be dead
KEPT_MS = 3_900_000  # how long the feed keeps what has been handed over: longer than a cursor lasts
GLANCE = 0.02  # seconds between two looks where a cluster cannot wait on many streams at once


@dataclass(frozen=True, slots=True)
class Pointer:
    """A commit in the feed, and the job it calls for (an empty string for none)."""

    feed: bytes
    id: bytes
    match: str
    version: int
    calls: str


class Feed:
    """The feeds of all partitions for one consumer; its client is its own, for it waits."""

    def __init__(self, client: Client, partitions: int, consumer: str) -> None:
        self.client: Any = client
        self.consumer = consumer
        keys = Keys(partitions)
        self._feeds, self._owed = keys.every("feed"), keys.every("owed")

    def prepare(self) -> None:
        """Make the group where it is missing, from the beginning of each feed."""
        for feed in self._feeds:
            try:
                self.client.xgroup_create(feed, GROUP, id="0", mkstream=True)
            except redis.ResponseError as refused:
                if "BUSYGROUP" not in str(refused):
                    raise

    def unfinished(self) -> list[Pointer]:
        """What this consumer was given and has not finished, or what a dead one has not."""
        with self.client.pipeline(transaction=False) as pipe:
            for feed in self._feeds:
                pipe.xautoclaim(feed, GROUP, self.consumer, IDLE_MS, "0-0", count=BATCH)
            pipe.execute()
        return self._read("0", None)

    def new(self, seconds: float) -> list[Pointer]:
        """What has come since, waiting for it so long."""
        if not isinstance(self.client, RedisCluster):
            return self._read(">", int(seconds * 1000))
        give_up = time.monotonic() + seconds
        while not (found := self._read(">", None)) and time.monotonic() < give_up:
            time.sleep(GLANCE)
        return found

    def done(self, pointers: Iterable[Pointer]) -> None:
        """These have been handed over."""
        with self.client.pipeline(transaction=False) as pipe:
            for pointer in pointers:
                pipe.xack(pointer.feed, GROUP, pointer.id)
            pipe.execute()

    def owed(self, before: int) -> list[str]:
        """Matches that have been waiting for a job since before that time (ms)."""
        with self.client.pipeline(transaction=False) as pipe:
            for owed in self._owed:
                pipe.zrangebyscore(owed, "-inf", before, 0, BATCH)
            return [match.decode() for part in pipe.execute() for match in part]

    def trim(self, now: int) -> None:
        """Let go of what was handed over long ago; what is pending, or not yet read, stays."""
        with self.client.pipeline(transaction=False) as pipe:
            for feed in self._feeds:
                pipe.xpending(feed, GROUP)
                pipe.xinfo_groups(feed)
            told = pipe.execute()
        with self.client.pipeline(transaction=False) as pipe:
            for feed, pending, groups in zip(self._feeds, told[::2], told[1::2], strict=True):
                group = next(each for each in groups if each["name"] == GROUP.encode())
                needed = pending["min"] or group["last-delivered-id"]
                kept = min(int(needed.split(b"-")[0]), now - KEPT_MS)
                pipe.xtrim(feed, minid=f"{max(kept, 0)}-0", approximate=False)
            pipe.execute()

    def _read(self, start: str, block: int | None) -> list[Pointer]:
        if isinstance(self.client, RedisCluster):
            rows = [row for feed in self._feeds for row in self._ask([feed], start, None)]
        else:
            rows = self._ask(self._feeds, start, block)
        return [
            Pointer(feed, id_, fields[b"match"].decode(), int(fields[b"version"]), fields[b"calls"].decode())
            for feed, entries in rows
            for id_, fields in entries
            if fields  # a trimmed entry that is still pending has none
        ]

    def _ask(self, feeds: Sequence[str], start: str, block: int | None) -> Any:
        return self.client.xreadgroup(GROUP, self.consumer, dict.fromkeys(feeds, start), BATCH, block) or []
