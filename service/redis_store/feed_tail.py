"""The feeds of all partitions for readers that belong to no group: from any place on, waiting for more."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from redis.cluster import RedisCluster

from service.live.feed_window import Pointer, PositionGoneError, Positions, is_after, moved
from service.redis_store.client import Client, for_waiting, store_time
from service.redis_store.key_names import Keys
from service.redis_store.replies import reading

READ_TIMEOUT_S = 5.0  # seconds
LAST = 2**64 - 1  # the last number of a millisecond
BATCH = 500  # of each partition at a time, while waiting
TRIPS = 3  # of one read: the room that some partitions leave goes to the others
CLUSTER_POLL_INTERVAL_S = (
    0.05  # seconds between two looks where a cluster cannot wait on many streams at once
)


class RedisFeedReader:
    """`FeedReader` over Redis, Valkey or a Redis Cluster; waiting reads have connections of their own."""

    def __init__(self, client: Client, partitions: int) -> None:
        self.client: Any = client
        self.waiting: Any = for_waiting(client, READ_TIMEOUT_S)
        self.partitions = partitions
        self.feeds, self.trimmed = map(Keys(partitions).every, ("feed", "trimmed"))
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

    def lost(self, positions: Positions) -> bool:
        seen = {feed: place for feed, place in self._from(positions).items() if _of_an_entry(place)}
        asked = {feed: _just_before(place) for feed, place in seen.items()}
        found = {self.feeds[entry.partition]: entry.id for entry in self._ask(asked, 1)} if seen else {}
        marks = dict(zip(self.feeds, self._marks(), strict=True)) if seen else {}
        return any(
            found.get(feed) != place and not _let_go(place, marks[feed]) for feed, place in seen.items()
        )

    def wait(self, after: Positions, seconds: float) -> list[Pointer]:
        if not isinstance(self.client, RedisCluster):
            with reading():
                return self._pointers(self.waiting.xread(self._from(after), BATCH, int(seconds * 1000)))
        give_up = time.monotonic() + seconds
        while not (found := self._ask(self._from(after), BATCH)) and time.monotonic() < give_up:
            time.sleep(CLUSTER_POLL_INTERVAL_S)
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
        self.check(after)  # only now: what is let go of in the meantime is noticed too
        return found

    def check(self, after: Positions) -> None:
        for place, gone in zip(after, self._marks(), strict=True):
            if gone is not None and is_after(gone, place):
                raise PositionGoneError

    def _marks(self) -> Sequence[bytes | None]:
        """The last commit of each feed that was let go of: not by any clock, by its place."""
        client = self.client
        with reading():
            if not isinstance(self.client, RedisCluster):
                return list(client.mget(self.trimmed))
            with client.pipeline(transaction=False) as pipe:
                for mark in self.trimmed:
                    pipe.get(mark)
                return list(pipe.execute())

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
            _pointer(self._numbers[feed], id_, fields)
            for feed, entries in found or ()
            for id_, fields in entries
        ]


def _time(place: bytes) -> tuple[int, ...]:
    return tuple(map(int, place.split(b"-")))


def _just_before(place: bytes) -> bytes:
    """The place from which an entry is the next to be read."""
    ms, number = _time(place)
    return b"%d-%d" % ((ms, number - 1) if number else (ms - 1, LAST))


def _let_go(place: bytes, mark: bytes | None) -> bool:
    """Whether what stood there was trimmed: the mark is the last place that was."""
    return mark is not None and not is_after(place, mark)


def _of_an_entry(place: bytes) -> bool:
    """Whether an entry stood there; the beginning, and "now", are places where none does."""
    return place != b"0-0" and _time(place)[1] != LAST


def _pointer(partition: int, id_: bytes, fields: Mapping[bytes, bytes]) -> Pointer:
    """What an entry says; one that no append wrote is passed over, by a pointer to no match."""
    try:
        match, version = fields[b"match"].decode("ascii"), int(fields[b"version"])
        return Pointer(partition, id_, match, version, fields.get(b"seen_by", b"").decode("ascii"))
    except (KeyError, ValueError):
        return Pointer(partition, id_, "", 0, "")
