"""The parts that a service needs besides HTTP, as the store sees them while they are at work."""

from typing import Any

from service.heartbeat import NEEDED, Part
from service.store.feed import GROUP
from service.store.redis_heartbeats import RedisHeartbeats
from service.store.redis_journal import RedisJournal

LONG_S = 600.0


def all_at_work(journal: RedisJournal, *missing: str) -> None:
    """Every part has spoken, but for those; the relay has handed over all commits so far."""
    client: Any = journal.client
    for name in (name for name in NEEDED if name not in missing):
        RedisHeartbeats(client).beat(Part(name, 1, "elsewhere"), LONG_S)
    for feed in journal.keys.every("feed"):
        client.xgroup_create(feed, GROUP, id="$", mkstream=True)
