"""The deliveries of webhooks in Redis, and what is due, by its time; `webhooks.py` lists the keys."""

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

import msgspec

from service.redis_store.client import Client
from service.redis_store.dead_letters import DeadLetters
from service.redis_store.durability import durably
from service.redis_store.replies import reading, writing
from service.redis_store.webhook_scripts import CLAIM, DELIVER, SETTLE
from service.store.journal import KEPT_ANSWER_S
from service.webhooks.model import MOST_DELIVERIES, Delivery, FirstAnswer
from service.webhooks.port import Added

DUE = "{hooks}:due"
DUE_MEMBER = re.compile(rb"([A-Za-z0-9_-]{1,200})(?:/([1-9][0-9]{0,9}))?")
KEPT_S = 7 * 24 * 60 * 60
Kept = TypeVar("Kept")


class RedisDeliveries:
    """The part of `Webhooks` that is about deliveries."""

    def __init__(self, client: Client) -> None:
        self.client: Any = client
        self.dead = DeadLetters(client)
        made = map(self.client.register_script, (DELIVER, SETTLE, CLAIM))
        self._deliver, self._settle, self._claim = made

    def deliver(self, delivery: Delivery, due: int, first: FirstAnswer | None = None) -> Added:
        kept: list[Any] = [delivery.id, _written(delivery), delivery.created]
        arguments = [*kept, due, KEPT_S, MOST_DELIVERIES, *kept_answer(first)]
        with durably(self.client):
            return added(self._deliver([*_keys(delivery), answer_key(first)], arguments))

    def delivery(self, id_: str) -> Delivery | None:
        with reading():
            return self._read_delivery(id_.encode(), self.client.get(key_of("delivery", id_)))

    def deliveries(self, webhook: str, after: str | None, count: int) -> list[Delivery]:
        with reading():
            place = -1 if after is None else self.client.zrevrank(key_of("of", webhook), after)
            if place is None:
                raise LookupError(after)
            ids = self.client.zrevrange(key_of("of", webhook), place + 1, place + count)
            kept = self.client.mget([key_of("delivery", id_.decode()) for id_ in ids]) if ids else []
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
            pipe.hincrby(key_of("pause", webhook), "failures", 1)
            pipe.hsetnx(key_of("pause", webhook), "since", now)
            pipe.hget(key_of("pause", webhook), "since")
            pipe.expire(key_of("pause", webhook), KEPT_S)
            failures, _, since, _ = pipe.execute()
        return int(failures), int(since)

    def pause(self, webhook: str, until: int) -> None:
        with writing(), self.client.pipeline(transaction=True) as pipe:
            pipe.hset(key_of("pause", webhook), "until", until)
            pipe.expire(key_of("pause", webhook), KEPT_S)
            pipe.execute()

    def paused(self, *whose: str) -> int:
        with reading(), self.client.pipeline(transaction=False) as pipe:
            for each in whose:
                pipe.hget(key_of("pause", each), "until")
            return max(int(until) if until and until.isdigit() else 0 for until in pipe.execute())

    def resume(self, webhook: str) -> None:
        with writing():
            self.client.delete(key_of("pause", webhook))

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

    def _read_delivery(self, id_: bytes, kept: bytes | None) -> Delivery | None:
        key = b"{hooks}:delivery:" + id_
        return self.read_kept(kept, Delivery, ("{hooks}:delivery", id_), lambda: self.client.delete(key))

    def read_kept(
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
        beyond = self.client.zrange(key_of("of", webhook), 0, -MOST_DELIVERIES - 1)
        if not beyond:
            return
        pending = self.client.smembers(key_of("open", webhook))
        gone = [id_.decode() for id_ in beyond if id_ not in pending]
        if gone:
            with self.client.pipeline(transaction=True) as pipe:
                pipe.zrem(key_of("of", webhook), *gone)
                pipe.delete(*(key_of("delivery", id_) for id_ in gone))
                pipe.execute()


def key_of(kind: str, of: str) -> str:
    """The key of a kind, of one webhook, match, owner or delivery."""
    return f"{{hooks}}:{kind}:{of}"


def answer_key(first: FirstAnswer | None) -> str:
    """Where an answer is kept; without one, where there never is any."""
    return key_of("did", first.id if first else "")


def kept_answer(first: FirstAnswer | None) -> tuple[bytes, int]:
    """An answer as a script keeps it, and for how many seconds; nothing without one."""
    return msgspec.json.encode(first) if first else b"", KEPT_ANSWER_S


def added(reply: bytes) -> Added:
    """What a script that adds has answered."""
    return cast("Added", reply.decode())


def _keys(delivery: Delivery) -> list[str]:
    return [key_of("delivery", delivery.id), key_of("of", delivery.hook), key_of("open", delivery.hook), DUE]


def _due(claimed: tuple[str, int]) -> str:
    name, version = claimed
    return f"{name}/{version}" if version else name


def _written(delivery: Delivery) -> bytes:
    return msgspec.json.encode(delivery)
