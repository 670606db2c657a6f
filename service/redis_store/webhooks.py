"""The webhooks in Redis, all in one slot: hooks, deliveries, and what is due, by its time.

{hooks}:all            hash    webhook id → webhook
{hooks}:owner:<owner>  set     webhook ids
{hooks}:every          set     ids of hooks for all matches of a key
{hooks}:match:<match>  set     ids of hooks for one match
{hooks}:delivery:<id>  string  a delivery, for a week
{hooks}:of:<hook>      zset    its deliveries by time
{hooks}:open:<hook>    set     those that are pending
{hooks}:pause:<hook>   hash    failures one after the other, and until when it (or an owner) is left alone
{hooks}:did:<id>       string  what a keyed request was answered first, for a day
{hooks}:due            zset    when a delivery, or news not announced yet, is taken up (again)

(One class for the one port, hence its length.)
"""

import re
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, TypeVar, cast

import msgspec

from service.redis_store.client import Client
from service.redis_store.dead_letters import DeadLetters
from service.redis_store.durability import durably
from service.redis_store.replies import reading, writing
from service.redis_store.webhook_scripts import SCRIPTS
from service.store.journal import KEPT_ANSWER_S
from service.webhooks.model import (
    MOST_DELIVERIES,
    MOST_HOOKS,
    Added,
    Delivery,
    FirstAnswer,
    RepeatedError,
    Webhook,
    unkeyed,
)

ALL, EVERY, DUE = "{hooks}:all", "{hooks}:every", "{hooks}:due"
DUE_MEMBER = re.compile(rb"([A-Za-z0-9_-]{1,200})(?:/([1-9][0-9]{0,9}))?")
Kept = TypeVar("Kept")
KEPT_S = 7 * 24 * 60 * 60


class RedisWebhooks:
    """`Webhooks` over one Redis, Valkey or Redis Cluster."""

    def __init__(self, client: Client) -> None:
        self.client: Any = client
        self.dead = DeadLetters(client)
        made = map(self.client.register_script, SCRIPTS)
        self._add, self._change, self._deliver, self._settle, self._claim = made

    def add(self, webhook: Webhook, first: FirstAnswer | None = None) -> Added:
        keys = [ALL, _key("owner", webhook.owner), _index(webhook), _did(first)]
        with durably(self.client):
            return _added(
                self._add(keys, [webhook.id, msgspec.json.encode(webhook), MOST_HOOKS, *_kept(first)])
            )

    def first_answer(self, id_: str) -> FirstAnswer | None:
        with reading():
            kept = self.client.get(_key("did", id_))
        return None if kept is None else msgspec.json.decode(kept, type=FirstAnswer)

    def find(self, id_: str) -> Webhook | None:
        with reading():
            return self._read_hook(id_.encode(), self.client.hget(ALL, id_))

    def of_owner(self, owner: str) -> list[Webhook]:
        with reading():
            return self._hooks(self.client.smembers(_key("owner", owner)))

    def change(
        self,
        id_: str,
        new: Callable[[Webhook], Webhook],
        first: Callable[[Webhook], FirstAnswer | None] = unkeyed,
    ) -> Webhook | None:
        with durably(self.client):
            while known := self._read_hook(id_.encode(), kept := self.client.hget(ALL, id_)):
                webhook = new(known)
                keyed, written = first(webhook), msgspec.json.encode(webhook)
                match self._change([ALL, _did(keyed)], [id_, kept, written, *_kept(keyed)]):
                    case 1:
                        return webhook
                    case 2:
                        raise RepeatedError
        return None

    def remove(self, webhook: Webhook) -> bool:
        with writing():
            ids = [id_.decode() for id_ in self.client.zrange(_key("of", webhook.id), 0, -1)]
            with self.client.pipeline(transaction=True) as pipe:
                pipe.hdel(ALL, webhook.id)
                pipe.srem(_key("owner", webhook.owner), webhook.id)
                pipe.srem(_index(webhook), webhook.id)
                pipe.delete(
                    _key("of", webhook.id),
                    _key("open", webhook.id),
                    _key("pause", webhook.id),
                    *(_key("delivery", id_) for id_ in ids),
                )
                if ids:
                    pipe.zrem(DUE, *ids)
                return bool(pipe.execute()[0])

    def watched(self, matches: Iterable[str]) -> set[str]:
        asked = sorted(set(matches))
        with reading(), self.client.pipeline(transaction=False) as pipe:
            for key in (EVERY, *(_key("match", match) for match in asked)):
                pipe.exists(key)
            every, *each = pipe.execute()
        return {match for match, there in zip(asked, each, strict=True) if every or there}

    def watching(self, match: str) -> list[Webhook]:
        with reading():
            return self._hooks(self.client.sunion(EVERY, _key("match", match)))

    def deliver(self, delivery: Delivery, due: int, first: FirstAnswer | None = None) -> Added:
        kept: list[Any] = [delivery.id, _written(delivery), delivery.created]
        arguments = [*kept, due, KEPT_S, MOST_DELIVERIES, *_kept(first)]
        with durably(self.client):
            return _added(self._deliver([*_keys(delivery), _did(first)], arguments))

    def delivery(self, id_: str) -> Delivery | None:
        with reading():
            return self._read_delivery(id_.encode(), self.client.get(_key("delivery", id_)))

    def deliveries(self, webhook: str, after: str | None, count: int) -> list[Delivery]:
        with reading():
            place = -1 if after is None else self.client.zrevrank(_key("of", webhook), after)
            if place is None:
                raise LookupError(after)
            ids = self.client.zrevrange(_key("of", webhook), place + 1, place + count)
            kept = self.client.mget([_key("delivery", id_.decode()) for id_ in ids]) if ids else []
            read = map(self._read_delivery, ids, kept)
            return [one for one in read if one is not None]

    def settle(self, before: Delivery, after: Delivery) -> bool:
        due = "" if after.due is None else after.due
        arguments = [after.id, _written(before), _written(after), due, KEPT_S]
        with writing():
            settled = bool(self._settle(_keys(after), arguments))
            if settled and due == "":
                self._trim(after.hook)
        return settled

    def failed(self, webhook: str, now: int) -> tuple[int, int]:
        with writing(), self.client.pipeline(transaction=True) as pipe:
            pipe.hincrby(_key("pause", webhook), "failures", 1)
            pipe.hsetnx(_key("pause", webhook), "since", now)
            pipe.hget(_key("pause", webhook), "since")
            pipe.expire(_key("pause", webhook), KEPT_S)
            failures, _, since, _ = pipe.execute()
        return int(failures), int(since)

    def pause(self, webhook: str, until: int) -> None:
        with writing(), self.client.pipeline(transaction=True) as pipe:
            pipe.hset(_key("pause", webhook), "until", until)
            pipe.expire(_key("pause", webhook), KEPT_S)
            pipe.execute()

    def paused(self, *whose: str) -> int:
        with reading(), self.client.pipeline(transaction=False) as pipe:
            for each in whose:
                pipe.hget(_key("pause", each), "until")
            return max(int(until) if until and until.isdigit() else 0 for until in pipe.execute())

    def resume(self, webhook: str) -> None:
        with writing():
            self.client.delete(_key("pause", webhook))

    def owe(self, announcements: Iterable[tuple[str, int]], due: int) -> None:
        members = {f"{match}/{version}": due for match, version in announcements}
        with writing():
            self.client.zadd(DUE, members, nx=True)

    def announced(self, match: str, version: int) -> None:
        with writing():
            self.client.zrem(DUE, f"{match}/{version}")

    def claim(self, now: int, until: int, count: int) -> list[tuple[str, int]]:
        with writing():
            claimed = self._claim([DUE], [now, until, count])
        return [found for member in claimed if (found := self._read_due(member)) is not None]

    def put_off(self, claimed: Iterable[tuple[str, int]], until: int) -> None:
        members = dict.fromkeys(map(_due, claimed), until)
        if members:
            with writing():
                self.client.zadd(DUE, members, xx=True)

    def put_aside(self, claimed: tuple[str, int], why: str) -> None:
        self.dead.put(DUE, _due(claimed), "", why)
        with writing():
            self.client.zrem(DUE, _due(claimed))

    def forget(self, delivery: str) -> None:
        with writing():
            self.client.zrem(DUE, delivery)

    def _hooks(self, ids: Iterable[bytes]) -> list[Webhook]:
        listed = sorted(ids)
        kept = self.client.hmget(ALL, listed) if listed else []
        read = map(self._read_hook, listed, kept)
        return sorted((one for one in read if one is not None), key=attrgetter("created", "id"))

    def _read_hook(self, id_: bytes, kept: bytes | None) -> Webhook | None:
        return self._read(kept, Webhook, (ALL, id_), lambda: self.client.hdel(ALL, id_))

    def _read_delivery(self, id_: bytes, kept: bytes | None) -> Delivery | None:
        key = b"{hooks}:delivery:" + id_
        return self._read(kept, Delivery, ("{hooks}:delivery", id_), lambda: self.client.delete(key))

    def _read(
        self, kept: bytes | None, kind: type[Kept], where: tuple[str, bytes], remove: Callable[[], object]
    ) -> Kept | None:
        """What is kept; None where that is nothing, or not ours: then it is put aside."""
        try:
            return None if kept is None else msgspec.json.decode(kept, type=kind)
        except msgspec.MsgspecError as flaw:
            self.dead.put(*where, kept, str(flaw))
            remove()
            return None

    def _read_due(self, member: bytes) -> tuple[str, int] | None:
        """What is due: (match, version) or (delivery, 0); what is neither is put aside."""
        if (found := DUE_MEMBER.fullmatch(member)) is not None:
            return found[1].decode(), int(found[2] or 0)
        self.dead.put(DUE, member, "", "It names neither a commit nor a delivery.")
        self.client.zrem(DUE, member)
        return None

    def _trim(self, webhook: str) -> None:
        """Let go of the oldest deliveries beyond those that are kept; what is pending stays."""
        beyond = self.client.zrange(_key("of", webhook), 0, -MOST_DELIVERIES - 1)
        if not beyond:
            return
        pending = self.client.smembers(_key("open", webhook))
        gone = [id_.decode() for id_ in beyond if id_ not in pending]
        if gone:
            with self.client.pipeline(transaction=True) as pipe:
                pipe.zrem(_key("of", webhook), *gone)
                pipe.delete(*(_key("delivery", id_) for id_ in gone))
                pipe.execute()


def _due(claimed: tuple[str, int]) -> str:
    name, version = claimed
    return f"{name}/{version}" if version else name


def _did(first: FirstAnswer | None) -> str:
    """Where an answer is kept; without one, where there never is any."""
    return _key("did", first.id if first else "")


def _kept(first: FirstAnswer | None) -> tuple[bytes, int]:
    return msgspec.json.encode(first) if first else b"", KEPT_ANSWER_S


def _written(delivery: Delivery) -> bytes:
    return msgspec.json.encode(delivery)


def _added(reply: bytes) -> Added:
    return cast("Added", reply.decode())


def _key(kind: str, of: str) -> str:
    return f"{{hooks}}:{kind}:{of}"


def _index(webhook: Webhook) -> str:
    return EVERY if webhook.match is None else _key("match", webhook.match)


def _keys(delivery: Delivery) -> list[str]:
    return [_key("delivery", delivery.id), _key("of", delivery.hook), _key("open", delivery.hook), DUE]
