"""The parts that a service needs besides HTTP, as the store sees them while they are at work."""

from typing import Any

from service.redis_store.feed import GROUP
from service.redis_store.heartbeats import RedisHeartbeats
from service.redis_store.journal import RedisJournal
from service.store.heartbeat import NEEDED, Part

LONG_S = 600.0


def all_at_work(journal: RedisJournal, *missing: str) -> None:
    """Every part has spoken, but for those; the relay has handed over all commits so far."""
    client: Any = journal.client
    for name in (name for name in NEEDED if name not in missing):
        RedisHeartbeats(client).beat(Part(name, 1, "elsewhere"), LONG_S)
    for feed in journal.keys.every("feed"):
        client.xgroup_create(feed, GROUP, id="$", mkstream=True)
