"""The counts of requests in Redis: the storage of the library `limits`, over the client of the store."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis
from limits.storage import RedisStorage

from service.redis_store.client import Client
from service.redis_store.replies import LOST
from service.store.journal import OverloadedError, StoreUnavailableError


class _OverClient(RedisStorage):
    """The library would connect by itself, another way to a server than to a cluster."""

    def __init__(self, client: Client) -> None:
        self.key_prefix, self.target_server, self.wrap_exceptions = "limits", "redis", False
        self.storage: Any = client
        self.initialize_storage("")

    @property
    def base_exceptions(self) -> type[Exception]:
        return redis.RedisError


class RedisCounters:
    """Tally over one Redis, Valkey or Redis Cluster."""

    def __init__(self, client: Client) -> None:
        self._storage = _OverClient(client)

    def add(self, count: str, amount: int, seconds: int) -> int:
        with _counting():
            return self._storage.incr(count, seconds, amount)

    def read(self, count: str) -> int:
        with _counting():
            return self._storage.get(count)


@contextmanager
def _counting() -> Iterator[None]:
    """A store that is full, or read-only, cannot count either."""
    try:
        yield
    except redis.MaxConnectionsError as dry:
        raise OverloadedError(str(dry)) from dry
    except (*LOST, redis.RedisError) as lost:
        raise StoreUnavailableError(str(lost)) from lost
