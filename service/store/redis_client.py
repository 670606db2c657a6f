"""Connections to Redis, Valkey or a Redis Cluster (`redis+cluster://host:port`)."""

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
    return redis.Redis.from_url(url, retry=Retry(NoBackoff(), 0), **manners)


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
    """Whatever means that the store is lost becomes StoreUnavailableError."""
    try:
        yield
    except LOST as lost:
        raise StoreUnavailableError(str(lost)) from lost
