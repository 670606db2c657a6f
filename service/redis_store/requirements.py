"""What a store has to be for an acknowledged commit to be safe: new enough, a primary, durable."""

from collections.abc import Iterator, Mapping
from typing import Any

import redis
from redis.cluster import RedisCluster

from service.redis_store.client import Client
from service.redis_store.refusals import asking

OLDEST = (7, 0)
DURABLE = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}


def checks(client: Client) -> dict[str, str]:
    """Each check, `ok` or what is wrong instead; what may not be asked is vouched for by the operator."""
    asked: Any = client
    with asking():
        asked.ping()
        info = list(_of_each_node(asked, "info"))
        found = list(_of_each_node(asked, "config_get", *DURABLE))
    result = {"store": "ok"}
    if info:
        result["version"] = _first(map(_version, info))
        result["role"] = _first(map(_role, info))
    if found:
        result["durability"] = _first(map(_durability, found))
    return result


def durability(client: Client) -> str:
    """`ok`, or what is wrong with the settings; what may not be asked is vouched for by the operator."""
    with asking():
        return _first(map(_durability, _of_each_node(client, "config_get", *DURABLE)))


def _of_each_node(client: Any, method: str, *words: str) -> Iterator[Mapping[str, Any]]:
    """What the server says, or each primary of a cluster; nothing where it may not be asked."""
    cluster = isinstance(client, RedisCluster)
    try:
        answer = getattr(client, method)(
            *words, **({"target_nodes": RedisCluster.PRIMARIES} if cluster else {})
        )
    except redis.ResponseError as refused:
        if isinstance(refused, redis.ConnectionError):
            raise
        return
    by_node = cluster and answer and isinstance(next(iter(answer.values())), dict)
    yield from answer.values() if by_node else [answer]


def _first(found: Iterator[str]) -> str:
    """The first thing that is wrong at any node."""
    return next((each for each in found if each != "ok"), "ok")


def _version(info: Mapping[str, Any]) -> str:
    version = str(info.get("redis_version", "7.0"))  # Valkey says there which Redis it is compatible with
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    return "ok" if numbers >= OLDEST else f"it is {version}, and must be 7.0 at least"


def _role(info: Mapping[str, Any]) -> str:
    return "ok" if info.get("role", "master") == "master" else "it is a replica, which takes no writes"


def _durability(found: Mapping[str, Any]) -> str:
    wrong = {name: found.get(name) for name, wanted in DURABLE.items() if found.get(name) != wanted}
    return "; ".join(f"{name} is {value}, not {DURABLE[name]}" for name, value in wrong.items()) or "ok"
