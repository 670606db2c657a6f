"""The feeds of all partitions for readers that belong to no group: from any place on, waiting for more."""

import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

from redis.cluster import RedisCluster

from service.latest import Pointer, Positions, moved
from service.store.keys import Keys
from service.store.redis_client import Client, for_waiting, reading, store_time

LONGEST_WAIT = 5.0  # seconds
LAST = 2**64 - 1  # the last number of a millisecond
BATCH = 500  # of each partition at a time, while waiting
TRIPS = 3  # of one read: the room that some partitions leave goes to the others
GLANCE = 0.05  # seconds between two looks where a cluster cannot wait on many streams at once


class RedisTail:
    """Tail over one Redis, Valkey or Redis Cluster; who waits has a connection of its own."""

    def __init__(self, client: Client, partitions: int) -> None:
        self.client: Any = client
        self.waiting: Any = for_waiting(client, LONGEST_WAIT)
        self.partitions = partitions
        self.feeds = Keys(partitions).every("feed")
        self._numbers = {feed.encode(): number for number, feed in enumerate(self.feeds)}

    def ends(self) -> Positions:
        with reading(), self.client.pipeline(transaction=False) as pipe:
            for feed in self.feeds:
                pipe.xrevrange(feed, "+", "-", 1)
            return tuple(last[0][0] if last else b"0-0" for last in pipe.execute())

    def now(self) -> Positions:
        with reading():
            moment = store_time(self.client)
        return (b"%d-%d" % (moment - 1, LAST),) * self.partitions

    def wait(self, after: Positions, seconds: float) -> list[Pointer]:
        if not isinstance(self.client, RedisCluster):
            with reading():
                return self._pointers(self.waiting.xread(self._from(after), BATCH, int(seconds * 1000)))
        give_up = time.monotonic() + seconds
        while not (found := self._ask(self._from(after), BATCH)) and time.monotonic() < give_up:
            time.sleep(GLANCE)
        return found

    def read(self, after: Positions, most: int) -> list[Pointer]:
        found, asked = list[Pointer](), self._from(after)
        for _ in range(TRIPS):
            each = max(1, (most - len(found)) // len(asked))
            portion = self._ask(asked, each)
            found += portion
            read = Counter(pointer.partition for pointer in portion)
            places = moved(after, found)
            asked = {self.feeds[number]: places[number] for number, many in read.items() if many == each}
            if not asked or len(found) >= most:
                break
        return found

    def _ask(self, places: Mapping[str, bytes], count: int) -> list[Pointer]:
        """What comes after these places, at most `count` a feed: one command, on a cluster one a feed."""
        client = self.client
        with reading():
            if not isinstance(self.client, RedisCluster):
                return self._pointers(client.xread(places, count))
            with client.pipeline(transaction=False) as pipe:
                for feed, place in places.items():
                    pipe.xread({feed: place}, count)
                return [pointer for found in pipe.execute() for pointer in self._pointers(found)]

    def _from(self, after: Positions) -> Mapping[str, bytes]:
        return dict(zip(self.feeds, after, strict=True))

    def _pointers(self, found: Any) -> list[Pointer]:
        return [
            Pointer(
                self._numbers[feed],
                id_,
                fields[b"match"].decode(),
                int(fields[b"version"]),
                fields.get(b"seen_by", b"").decode(),
            )
            for feed, entries in found or ()
            for id_, fields in entries
        ]
