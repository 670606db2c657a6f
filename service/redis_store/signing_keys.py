"""The history of signing keys in Redis: one hash, of which each field is written once, and the private parts.

signing_keys      hash    how many there were before → a key and when it began
signing_key:<id>  string  the private part of a key that was made here, until it is retired
"""

from collections.abc import Sequence
from typing import Any

import orjson

from service.log.public_keys import PublicKey
from service.redis_store.client import Client
from service.redis_store.durability import durably
from service.redis_store.replies import reading

NAME, PRIVATE = "signing_keys", "signing_key:"


class RedisSigningKeys:
    """`SigningKeys` over one Redis, Valkey or Redis Cluster."""

    def __init__(self, client: Client) -> None:
        self.client: Any = client

    def history(self) -> Sequence[PublicKey]:
        with reading():
            kept = self.client.hgetall(NAME)
        return [_key(kept[number]) for number in sorted(kept, key=int)]

    def private(self, id_: str) -> bytes | None:
        with reading():
            kept = self.client.get(PRIVATE + id_)
        return None if kept is None else bytes.fromhex(kept.decode())

    def add(self, number: int, key: PublicKey, private: bytes | None) -> bool:
        written = orjson.dumps({"public": key.raw.hex(), "since": key.since})
        with durably(self.client):
            if private is not None:  # first: who finds a key in the history can sign with it
                self.client.set(PRIVATE + key.id, private.hex())
            if self.client.hsetnx(NAME, number, written):
                return True
            if private is not None:
                self.client.delete(PRIVATE + key.id)
        return False

    def retire(self, id_: str, at: int) -> None:
        with durably(self.client):
            self.client.pexpireat(PRIVATE + id_, at, lt=True)


def _key(kept: bytes) -> PublicKey:
    raw = orjson.loads(kept)
    return PublicKey(bytes.fromhex(raw["public"]), raw["since"])
