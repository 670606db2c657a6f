"""The progress of relay and workers, read from what they leave in Redis."""

from collections.abc import Iterator
from typing import Any

from service.redis_store.client import Client, store_time
from service.redis_store.feed import GROUP
from service.redis_store.key_names import Keys
from service.redis_store.refusals import asking


class RedisProgress:
    """Progress over one Redis, Valkey or Redis Cluster."""

    def __init__(self, client: Client, partitions: int) -> None:
        self.client: Any = client
        keys = Keys(partitions)
        self._feeds, self._owed = keys.every("feed"), keys.every("owed")

    def oldest_owed(self) -> int:
        with asking(), self.client.pipeline(transaction=False) as pipe:
            for owed in self._owed:
                pipe.zrange(owed, 0, 0, withscores=True)
            return self._age(int(found[0][1]) for found in pipe.execute() if found)

    def relay_lag(self) -> int:
        with asking():
            with self.client.pipeline(transaction=False) as pipe:
                for feed in self._feeds:
                    pipe.xinfo_groups(feed)
                groups_of = pipe.execute(raise_on_error=False)  # a feed that is not there yet is an error
            with self.client.pipeline(transaction=False) as pipe:
                for feed, groups in zip(self._feeds, groups_of, strict=True):
                    group = _relay(groups)
                    pipe.xrange(feed, f"({group['last-delivered-id'].decode()}" if group else "-", "+", 1)
                    if group and group["pending"]:
                        pipe.xpending_range(feed, GROUP, "-", "+", 1)
                return self._age(_millisecond(first[0]) for first in pipe.execute() if first)

    def _age(self, moments: Iterator[int]) -> int:
        oldest = min(moments, default=None)
        return 0 if oldest is None else max(0, store_time(self.client, max) - oldest)


def _relay(groups: Any) -> Any:
    """The relay's group of a feed, if it has one."""
    if isinstance(groups, Exception):
        return None
    return next((group for group in groups if group["name"] == GROUP.encode()), None)


def _millisecond(entry: Any) -> int:
    """When an entry of a feed was written; a pending one comes as a mapping."""
    id_: bytes = entry["message_id"] if isinstance(entry, dict) else entry[0]
    return int(id_.split(b"-")[0])
