"""Connections to Redis, Valkey or a Redis Cluster (`redis+cluster://host:port`)."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import redis
from redis.backoff import NoBackoff
from redis.cluster import RedisCluster
from redis.exceptions import ClusterDownError, RedisClusterException
from redis.retry import Retry

from service.store.journal import OutcomeUnknownError, StoreUnavailableError

Client: TypeAlias = "redis.Redis | RedisCluster"
CLUSTER = "redis+cluster://"
LOST = (redis.ConnectionError, redis.TimeoutError, RedisClusterException, ClusterDownError)
WARM = 1.0  # seconds
REFUSED = (redis.OutOfMemoryError, redis.ReadOnlyError, redis.BusyLoadingError)  # before anything was written
TIMEOUT = 5.0  # seconds without an answer after which a connection counts as lost


def connect(url: str, *, blocking: float = 0.0) -> Client:
    """A client that never repeats what it sent; `blocking` is the longest wait of its reads, in seconds."""
    manners: dict[str, Any] = {
        "socket_timeout": TIMEOUT + blocking,
        "socket_connect_timeout": TIMEOUT,
        "protocol": 2,
    }
    if url.startswith(CLUSTER):
        return RedisCluster.from_url(url.replace(CLUSTER, "redis://"), retry=Retry(NoBackoff(), 0), **manners)
    return redis.Redis.from_pool(WarmPool.from_url(url, retry=Retry(NoBackoff(), 0), **manners))


class WarmPool(redis.ConnectionPool):
    """Hands a connection that was used a moment ago out again as it is.

    The look at its socket, which tells whether it still stands, costs as much as a command does; it is only
    taken at those that lay idle for longer. What is warm counts as in use.
    """

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self._warm: list[tuple[Any, float]] = []

    def get_connection(self, *words: Any, **named: Any) -> Any:
        """The connection used last, or any other that stands."""
        while self._warm:
            try:
                connection, used = self._warm.pop()
            except IndexError:  # another thread was faster
                break
            if time.monotonic() - used < WARM:
                return connection
            super().release(connection)
        return super().get_connection(*words, **named)

    def release(self, connection: Any) -> None:
        """Keep it warm."""
        self._warm.append((connection, time.monotonic()))


def for_waiting(client: Client, seconds: float) -> Client:
    """A client like this one, with connections of its own, whose reads may wait; a cluster's polls."""
    if isinstance(client, RedisCluster):
        return client
    pool = client.connection_pool
    manners = {**pool.connection_kwargs, "socket_timeout": TIMEOUT + seconds}
    return redis.Redis(connection_pool=redis.ConnectionPool(pool.connection_class, **manners))


def store_time(client: Any) -> int:
    """The store's clock, in milliseconds since 1970: of a cluster's, the earliest."""
    if isinstance(client, RedisCluster):
        answer = client.time(target_nodes=RedisCluster.PRIMARIES)
        times = list(answer.values()) if isinstance(answer, dict) else [answer]
    else:
        times = [client.time()]
    return min(seconds * 1000 + micro // 1000 for seconds, micro in times)


@contextmanager
def writing() -> Iterator[None]:
    """As `reading`, for what may be stored when the connection is lost: OutcomeUnknownError then."""
    try:
        yield
    except REFUSED as refused:
        raise StoreUnavailableError(str(refused)) from refused
    except LOST as lost:
        raise OutcomeUnknownError(str(lost)) from lost


@contextmanager
def reading() -> Iterator[None]:
    """Whatever means that the store is lost, or takes nothing, becomes StoreUnavailableError."""
    try:
        yield
    except (*LOST, *REFUSED) as lost:
        raise StoreUnavailableError(str(lost)) from lost
