"""The API keys in Redis: one hash, digest → key."""

from collections.abc import Collection, Mapping
from operator import attrgetter
from typing import Any

import orjson

from service.auth.api_keys import ApiKey
from service.redis_store.client import Client
from service.redis_store.durability import durably
from service.redis_store.replies import reading

NAME = "apikeys"


class RedisApiKeys:
    """`ApiKeys` over one Redis, Valkey or Redis Cluster."""

    def __init__(self, client: Client) -> None:
        self.client: Any = client

    def add(self, key: ApiKey, digest: str) -> None:
        kept = {"id": key.id, "name": key.name, "scopes": sorted(key.scopes), "created": key.created}
        with durably(self.client):
            self.client.hset(NAME, digest, orjson.dumps(kept))

    def find(self, digest: str) -> ApiKey | None:
        with reading():
            kept = self.client.hget(NAME, digest)
        return None if kept is None else _key(kept)

    def find_all(self, digests: Collection[str]) -> Mapping[str, ApiKey | None]:
        asked = list(digests)
        with reading():
            kept = self.client.hmget(NAME, asked) if asked else []
        return {digest: None if one is None else _key(one) for digest, one in zip(asked, kept, strict=True)}

    def every(self) -> list[ApiKey]:
        with reading():
            return sorted(map(_key, self.client.hvals(NAME)), key=attrgetter("created", "id"))

    def revoke(self, id_: str) -> bool:
        with reading():
            kept = self.client.hgetall(NAME)
            gone = [digest for digest, key in kept.items() if _key(key).id == id_]
            return bool(gone) and bool(self.client.hdel(NAME, *gone))


def _key(kept: bytes) -> ApiKey:
    raw = orjson.loads(kept)
    return ApiKey(raw["id"], raw["name"], frozenset(raw["scopes"]), raw["created"])
