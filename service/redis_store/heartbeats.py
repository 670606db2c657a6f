"""The heartbeats in Redis: one sorted set of the parts by when (ms, the store's clock) they are overdue."""

from typing import Any

from service.redis_store.client import Client
from service.redis_store.refusals import asking
from service.store.heartbeat import Part

NAME = "heartbeats"
NOW = "local t = redis.call('TIME') local now = t[1] * 1000 + math.floor(t[2] / 1000)"
BEAT = f"""#!lua
{NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
"""
ALIVE = f"""#!lua flags=no-writes
{NOW}
return redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. string.format('%.0f', now), '+inf')
"""


class RedisHeartbeats:
    """Heartbeats over one Redis, Valkey or Redis Cluster."""

    def __init__(self, client: Client) -> None:
        self.client: Any = client
        self._beat, self._alive = map(self.client.register_script, (BEAT, ALIVE))

    def beat(self, part: Part, allowance_s: float) -> None:
        with asking():
            self._beat([NAME], [f"{part.name}/{part.pid}/{part.host}", int(allowance_s * 1000)])

    def alive(self) -> list[Part]:
        with asking():
            members = self._alive([NAME])
        return [_part(*member.decode().split("/", 2)) for member in members]


def _part(name: str, pid: str, host: str) -> Part:
    return Part(name, int(pid), host)
