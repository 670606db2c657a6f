"""Connections to Redis, Valkey or a Redis Cluster (`redis+cluster://host:port`)."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import redis
from redis.backoff import NoBackoff
from redis.cluster import RedisCluster
from redis.retry import Retry

from service.store.journal import OverloadedError

Client: TypeAlias = "redis.Redis | RedisCluster"
CLUSTER = "redis+cluster://"
WARM_S = 1.0  # seconds
TIMEOUT_S = 5.0  # seconds without an answer after which a connection counts as lost
CONNECTIONS = 100  # of a process that is not told how many requests it admits


def connect(url: str, *, blocking: float = 0.0, connections: int = CONNECTIONS) -> Client:
    """A client that never repeats what it sent, of so many connections (to each node of a cluster).

    `blocking` is the longest wait of its reads, in seconds.
    """
    manners: dict[str, Any] = {
        "max_connections": connections,
        "socket_timeout": TIMEOUT_S + blocking,
        "socket_connect_timeout": TIMEOUT_S,
        "protocol": 2,
    }
    counted = Connections()
    manners["retry"] = Retry(NoBackoff(), 0)
    client: Client
    if url.startswith(CLUSTER):
        manners["redis_connect_func"] = counted.count  # it greets by itself
        client = RedisCluster.from_url(url.replace(CLUSTER, "redis://"), **manners)
    else:
        manners["redis_connect_func"] = counted.greet
        client = redis.Redis.from_pool(WarmPool.from_url(url, **manners))
    _counted[client] = counted
    return client


class Connections:
    """How many connections a client has made: at the end of a new one may be another server."""

    def __init__(self) -> None:
        self.made = 0

    def count(self, _connection: Any) -> None:
        """One more."""
        self.made += 1

    def greet(self, connection: Any) -> None:
        """Begin a connection as the client would by itself."""
        connection.on_connect()
        self.made += 1


_counted: WeakKeyDictionary[Client, Connections] = WeakKeyDictionary()


def connections_of(client: Client) -> Connections:
    """Those of a client that `connect` has made."""
    return _counted[client]


class WarmPool(redis.ConnectionPool):
    """Hands a connection that was used a moment ago out again as it is; where none is free, waits for one.

    The look at its socket, which tells whether it still stands, costs as much as a command does; it is only
    taken at those that lay idle for longer. What is warm counts as in use.
    """

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self._warm: list[tuple[Any, float]] = []
        self._freed = threading.Condition()
        self._waiting = self._releases = 0

    def get_connection(self, *words: Any, **named: Any) -> Any:
        """The connection used last, or any other that stands; OverloadedError if none gets free in time."""
        try:
            return self._take(*words, **named)
        except redis.MaxConnectionsError:
            return self._wait_for_one(*words, **named)

    def release(self, connection: Any) -> None:
        """Keep it warm."""
        self._warm.append((connection, time.monotonic()))
        if self._waiting:
            with self._freed:
                self._releases += 1
                self._freed.notify()

    def _take(self, *words: Any, **named: Any) -> Any:
        while self._warm:
            try:
                connection, used = self._warm.pop()
            except IndexError:  # another thread was faster
                break
            if time.monotonic() - used < WARM_S:
                return connection
            super().release(connection)
        return super().get_connection(*words, **named)

    def _wait_for_one(self, *words: Any, **named: Any) -> Any:
        give_up = time.monotonic() + TIMEOUT_S
        with self._freed:
            self._waiting += 1
        try:
            while True:
                seen = self._releases
                try:
                    return self._take(*words, **named)
                except redis.MaxConnectionsError as dry:
                    if not self._wait_for_release(seen, give_up):
                        raise OverloadedError("all connections are in use") from dry
        finally:
            with self._freed:
                self._waiting -= 1

    def _wait_for_release(self, seen: int, give_up: float) -> bool:
        """Whether there was one since so many had been seen; a connection may be free, or gone again."""
        with self._freed:
            left = give_up - time.monotonic()
            return left > 0 and (self._releases != seen or self._freed.wait(left))


def for_waiting(client: Client, seconds: float) -> Client:
    """A client like this one, with connections of its own, whose reads may wait; a cluster's polls."""
    if isinstance(client, RedisCluster):
        return client
    pool = client.connection_pool
    manners = {**pool.connection_kwargs, "socket_timeout": TIMEOUT_S + seconds}
    return redis.Redis(connection_pool=redis.ConnectionPool(pool.connection_class, **manners))


def store_time(client: Any, choose: Callable[[Iterator[int]], int] = min) -> int:
    """The store's clock, in milliseconds since 1970; of a cluster's several one is chosen."""
    if isinstance(client, RedisCluster):
        answer = client.time(target_nodes=RedisCluster.PRIMARIES)
        times = list(answer.values()) if isinstance(answer, dict) else [answer]
    else:
        times = [client.time()]
    return choose(seconds * 1000 + micro // 1000 for seconds, micro in times)
