"""The webhooks in Redis, all in one slot: hooks, deliveries, and what is due, by its time.

{hooks}:all            hash    hook id → hook
{hooks}:owner:<owner>  set     hook ids
{hooks}:every          set     ids of hooks for all matches of a key
{hooks}:match:<match>  set     ids of hooks for one match
{hooks}:delivery:<id>  string  a delivery, for a week
{hooks}:of:<hook>      zset    its deliveries by time
{hooks}:open:<hook>    set     those that are pending
{hooks}:pause:<hook>   hash    failures one after the other, and until when it (or an owner) is left alone
{hooks}:did:<id>       string  what a keyed request was answered first, for a day
    {hooks}:due            zset    when a delivery, or news not told yet, is taken up (again)

(One class for the one port, hence its length.)
"""

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, cast

import msgspec

from service.hooks import (
    MOST_DELIVERIES,
    MOST_HOOKS,
    Added,
    Delivery,
    FirstAnswer,
    Hook,
    RepeatedError,
    unkeyed,
)
from service.store.hook_scripts import SCRIPTS
from service.store.journal import KEPT_ANSWER_SECONDS
from service.store.redis_client import Client, reading, writing

ALL, EVERY, DUE = "{hooks}:all", "{hooks}:every", "{hooks}:due"
DID = "{hooks}:did:"
KEPT_SECONDS = 7 * 24 * 60 * 60


class RedisHookBook:
    """HookBook over one Redis, Valkey or Redis Cluster."""

    def __init__(self, client: Client) -> None:
        self.client: Any = client
        made = map(self.client.register_script, SCRIPTS)
        self._add, self._change, self._deliver, self._settle, self._claim = made

    def add(self, hook: Hook, first: FirstAnswer | None = None) -> Added:
        keys = [ALL, _owner(hook.owner), _index(hook), _did(first)]
        with writing():
            return _added(self._add(keys, [hook.id, msgspec.json.encode(hook), MOST_HOOKS, *_kept(first)]))

    def first_answer(self, id_: str) -> FirstAnswer | None:
        with reading():
            kept = self.client.get(DID + id_)
        return None if kept is None else msgspec.json.decode(kept, type=FirstAnswer)

    def find(self, id_: str) -> Hook | None:
        with reading():
            kept = self.client.hget(ALL, id_)
        return None if kept is None else _hook(kept)

    def of_owner(self, owner: str) -> list[Hook]:
        with reading():
            return self._hooks(self.client.smembers(_owner(owner)))

    def change(
        self, id_: str, new: Callable[[Hook], Hook], first: Callable[[Hook], FirstAnswer | None] = unkeyed
    ) -> Hook | None:
        with writing():
            while (kept := self.client.hget(ALL, id_)) is not None:
                hook = new(_hook(kept))
                keyed, written = first(hook), msgspec.json.encode(hook)
                match self._change([ALL, _did(keyed)], [id_, kept, written, *_kept(keyed)]):
                    case 1:
                        return hook
                    case 2:
                        raise RepeatedError
        return None

    def remove(self, hook: Hook) -> bool:
        with writing():
            ids = [id_.decode() for id_ in self.client.zrange(_of(hook.id), 0, -1)]
            with self.client.pipeline(transaction=True) as pipe:
                pipe.hdel(ALL, hook.id)
                pipe.srem(_owner(hook.owner), hook.id)
                pipe.srem(_index(hook), hook.id)
                pipe.delete(_of(hook.id), _open(hook.id), _pause(hook.id), *map(_delivery, ids))
                if ids:
                    pipe.zrem(DUE, *ids)
                return bool(pipe.execute()[0])

    def watched(self, matches: Iterable[str]) -> set[str]:
        asked = sorted(set(matches))
        with reading(), self.client.pipeline(transaction=False) as pipe:
            for key in (EVERY, *map(_match, asked)):
                pipe.exists(key)
            every, *each = pipe.execute()
        return {match for match, there in zip(asked, each, strict=True) if every or there}

    def watching(self, match: str) -> list[Hook]:
        with reading():
            return self._hooks(self.client.sunion(EVERY, _match(match)))

    def deliver(self, delivery: Delivery, due: int, first: FirstAnswer | None = None) -> Added:
        kept: list[Any] = [delivery.id, _written(delivery), delivery.created]
        arguments = [*kept, due, KEPT_SECONDS, MOST_DELIVERIES, *_kept(first)]
        with writing():
            return _added(self._deliver([*_keys(delivery), _did(first)], arguments))

    def delivery(self, id_: str) -> Delivery | None:
        with reading():
            kept = self.client.get(_delivery(id_))
        return None if kept is None else msgspec.json.decode(kept, type=Delivery)

    def deliveries(self, hook: str, after: str | None, count: int) -> list[Delivery]:
        with reading():
            place = -1 if after is None else self.client.zrevrank(_of(hook), after)
            if place is None:
                raise LookupError(after)
            ids = self.client.zrevrange(_of(hook), place + 1, place + count)
            kept = self.client.mget([_delivery(id_.decode()) for id_ in ids]) if ids else []
        return [msgspec.json.decode(one, type=Delivery) for one in kept if one is not None]

    def settle(self, before: Delivery, after: Delivery) -> bool:
        due = "" if after.due is None else after.due
        arguments = [after.id, _written(before), _written(after), due, KEPT_SECONDS]
        with writing():
            settled = bool(self._settle(_keys(after), arguments))
            if settled and due == "":
                self._trim(after.hook)
        return settled

    def failed(self, hook: str, now: int) -> tuple[int, int]:
        with writing(), self.client.pipeline(transaction=True) as pipe:
            pipe.hincrby(_pause(hook), "failures", 1)
            pipe.hsetnx(_pause(hook), "since", now)
            pipe.hget(_pause(hook), "since")
            pipe.expire(_pause(hook), KEPT_SECONDS)
            failures, _, since, _ = pipe.execute()
        return int(failures), int(since)

    def pause(self, hook: str, until: int) -> None:
        with writing(), self.client.pipeline(transaction=True) as pipe:
            pipe.hset(_pause(hook), "until", until)
            pipe.expire(_pause(hook), KEPT_SECONDS)
            pipe.execute()

    def paused(self, hook: str) -> int:
        with reading():
            return int(self.client.hget(_pause(hook), "until") or 0)

    def resume(self, hook: str) -> None:
        with writing():
            self.client.delete(_pause(hook))

    def owe(self, announcements: Iterable[tuple[str, int]], due: int) -> None:
        members = {f"{match}/{version}": due for match, version in announcements}
        with writing():
            self.client.zadd(DUE, members, nx=True)

    def told(self, match: str, version: int) -> None:
        with writing():
            self.client.zrem(DUE, f"{match}/{version}")

    def claim(self, now: int, until: int, count: int) -> list[tuple[str, int]]:
        with writing():
            due = [member.decode().partition("/") for member in self._claim([DUE], [now, until, count])]
        return [(id_, int(version or 0)) for id_, _, version in due]

    def forget(self, delivery: str) -> None:
        with writing():
            self.client.zrem(DUE, delivery)

    def _hooks(self, ids: Iterable[bytes]) -> list[Hook]:
        listed = sorted(ids)
        kept = self.client.hmget(ALL, listed) if listed else []
        return sorted((_hook(one) for one in kept if one is not None), key=attrgetter("created", "id"))

    def _trim(self, hook: str) -> None:
        """Let go of the oldest deliveries beyond those that are kept; what is pending stays."""
        beyond = self.client.zrange(_of(hook), 0, -MOST_DELIVERIES - 1)
        if not beyond:
            return
        pending = self.client.smembers(_open(hook))
        gone = [id_.decode() for id_ in beyond if id_ not in pending]
        if gone:
            with self.client.pipeline(transaction=True) as pipe:
                pipe.zrem(_of(hook), *gone)
                pipe.delete(*map(_delivery, gone))
                pipe.execute()


def _did(first: FirstAnswer | None) -> str:
    """Where an answer is kept; without one, where there never is any."""
    return DID + (first.id if first else "")


def _kept(first: FirstAnswer | None) -> tuple[bytes, int]:
    return msgspec.json.encode(first) if first else b"", KEPT_ANSWER_SECONDS


def _hook(kept: bytes) -> Hook:
    return msgspec.json.decode(kept, type=Hook)


def _written(delivery: Delivery) -> bytes:
    return msgspec.json.encode(delivery)


def _added(reply: bytes) -> Added:
    return cast("Added", reply.decode())


def _owner(owner: str) -> str:
    return f"{{hooks}}:owner:{owner}"


def _match(match: str) -> str:
    return f"{{hooks}}:match:{match}"


def _index(hook: Hook) -> str:
    return EVERY if hook.match is None else _match(hook.match)


def _delivery(id_: str) -> str:
    return f"{{hooks}}:delivery:{id_}"


def _of(hook: str) -> str:
    return f"{{hooks}}:of:{hook}"


def _open(hook: str) -> str:
    return f"{{hooks}}:open:{hook}"


def _pause(hook: str) -> str:
    return f"{{hooks}}:pause:{hook}"


def _keys(delivery: Delivery) -> list[str]:
    return [_delivery(delivery.id), _of(delivery.hook), _open(delivery.hook), DUE]
