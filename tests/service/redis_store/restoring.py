"""Putting a store back to an older copy of itself, as a backup or a failover does."""

from collections.abc import Callable

from service.redis_store.journal import RedisJournal
from tests.service.redis_store.appends import everything_in


def copied(journal: RedisJournal) -> Callable[[], None]:
    """Copy the whole store; what puts the copy back."""
    kept = everything_in(journal)

    def put_back() -> None:
        journal.client.flushall()
        for key, value in kept.items():
            journal.client.restore(key, 0, value)

    return put_back
