"""The tickets in Redis: each under its digest until it is taken or too old."""

from dataclasses import asdict
from typing import Any

import orjson

from service.auth.tickets import Ticket
from service.redis_store.client import Client
from service.redis_store.durability import check_durable
from service.redis_store.replies import reading


class RedisTickets:
    """Tickets over one Redis, Valkey or Redis Cluster."""

    def __init__(self, client: Client) -> None:
        self.client: Any = client

    def keep(self, digest: str, ticket: Ticket, seconds: int) -> None:
        check_durable(self.client)
        with reading():
            self.client.set(f"ticket:{digest}", orjson.dumps(asdict(ticket)), ex=seconds)

    def take(self, digest: str) -> Ticket | None:
        with reading():
            kept = self.client.getdel(f"ticket:{digest}")
        return None if kept is None else Ticket(**orjson.loads(kept))
