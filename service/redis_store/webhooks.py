"""The webhooks in Redis, all in one slot: they themselves, deliveries, and what is due, by its time.

{hooks}:all            hash    webhook id → webhook
{hooks}:owner:<owner>  set     webhook ids
{hooks}:every          set     ids of those for all matches of a key
{hooks}:match:<match>  set     ids of those for one match
{hooks}:delivery:<id>  string  a delivery, for a week
{hooks}:of:<hook>      zset    its deliveries by time
{hooks}:open:<hook>    set     those that are pending
{hooks}:pause:<hook>   hash    failures one after the other, and until when it (or an owner) is left alone
{hooks}:did:<id>       string  what a keyed request was answered first, for a day
{hooks}:due            zset    when a delivery, or news not announced yet, is taken up (again)
"""

from collections.abc import Callable, Iterable
from operator import attrgetter

import msgspec

from service.redis_store.client import Client
from service.redis_store.durability import durably
from service.redis_store.replies import reading, writing
from service.redis_store.webhook_deliveries import (
    DUE,
    RedisDeliveries,
    added,
    answer_key,
    kept_answer,
    key_of,
)
from service.redis_store.webhook_scripts import ADD, CHANGE
from service.webhooks.model import MOST_HOOKS, FirstAnswer, RepeatedError, Webhook
from service.webhooks.port import Added, unkeyed

ALL, EVERY = "{hooks}:all", "{hooks}:every"


class RedisWebhooks(RedisDeliveries):
    """`Webhooks` over one Redis, Valkey or Redis Cluster."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self._add, self._change = map(self.client.register_script, (ADD, CHANGE))

    def add(self, webhook: Webhook, first: FirstAnswer | None = None) -> Added:
        keys = [ALL, key_of("owner", webhook.owner), _index(webhook), answer_key(first)]
        with durably(self.client):
            return added(
                self._add(keys, [webhook.id, msgspec.json.encode(webhook), MOST_HOOKS, *kept_answer(first)])
            )

    def first_answer(self, id_: str) -> FirstAnswer | None:
        with reading():
            kept = self.client.get(key_of("did", id_))
        return None if kept is None else msgspec.json.decode(kept, type=FirstAnswer)

    def find(self, id_: str) -> Webhook | None:
        with reading():
            return self._read_webhook(id_.encode(), self.client.hget(ALL, id_))

    def of_owner(self, owner: str) -> list[Webhook]:
        with reading():
            return self._all(self.client.smembers(key_of("owner", owner)))

    def change(
        self,
        id_: str,
        new: Callable[[Webhook], Webhook],
        first: Callable[[Webhook], FirstAnswer | None] = unkeyed,
    ) -> Webhook | None:
        with durably(self.client):
            while known := self._read_webhook(id_.encode(), kept := self.client.hget(ALL, id_)):
                webhook = new(known)
                keyed, written = first(webhook), msgspec.json.encode(webhook)
                match self._change([ALL, answer_key(keyed)], [id_, kept, written, *kept_answer(keyed)]):
                    case 1:
                        return webhook
                    case 2:
                        raise RepeatedError
        return None

    def remove(self, webhook: Webhook) -> bool:
        with writing():
            ids = [id_.decode() for id_ in self.client.zrange(key_of("of", webhook.id), 0, -1)]
            with self.client.pipeline(transaction=True) as pipe:
                pipe.hdel(ALL, webhook.id)
                pipe.srem(key_of("owner", webhook.owner), webhook.id)
                pipe.srem(_index(webhook), webhook.id)
                pipe.delete(
                    key_of("of", webhook.id),
                    key_of("open", webhook.id),
                    key_of("pause", webhook.id),
                    *(key_of("delivery", id_) for id_ in ids),
                )
                if ids:
                    pipe.zrem(DUE, *ids)
                return bool(pipe.execute()[0])

    def watched(self, matches: Iterable[str]) -> set[str]:
        asked = sorted(set(matches))
        with reading(), self.client.pipeline(transaction=False) as pipe:
            for key in (EVERY, *(key_of("match", match) for match in asked)):
                pipe.exists(key)
            every, *each = pipe.execute()
        return {match for match, there in zip(asked, each, strict=True) if every or there}

    def watching(self, match: str) -> list[Webhook]:
        with reading():
            return self._all(self.client.sunion(EVERY, key_of("match", match)))

    def _all(self, ids: Iterable[bytes]) -> list[Webhook]:
        listed = sorted(ids)
        kept = self.client.hmget(ALL, listed) if listed else []
        read = map(self._read_webhook, listed, kept)
        return sorted((one for one in read if one is not None), key=attrgetter("created", "id"))

    def _read_webhook(self, id_: bytes, kept: bytes | None) -> Webhook | None:
        return self.read_kept(kept, Webhook, (ALL, id_), lambda: self.client.hdel(ALL, id_))


def _index(webhook: Webhook) -> str:
    return EVERY if webhook.match is None else key_of("match", webhook.match)
