"""Nothing is acknowledged before this process has found the store to be durable.

It asks when a connection was made, for another server may be at its other end, and every few seconds, for
settings change. The answer holds for all who write: a flood of them asks no more often.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from weakref import WeakKeyDictionary

from service.redis_store.client import Client, Connections, connections_of
from service.redis_store.replies import writing
from service.redis_store.requirements import durability
from service.store.journal import OutcomeUnknownError, StoreNotDurableError, StoreUnavailableError

RECHECK_INTERVAL_S = 5.0
REFUSED_FOR_S = 1.0  # until a store that is not durable is asked again


class Durability:
    """What is known of the store that a client is connected to."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._asking = Lock()
        self._made, self._due = -1, 0.0  # connections when it was asked; when it is asked again
        self._refusal: tuple[type[StoreUnavailableError], str] | None = None

    def check(self, client: Client) -> None:
        """StoreNotDurableError names the setting by which it is not; StoreUnavailableError: not known yet."""
        if self._outdated():
            with self._asking:
                if self._outdated():
                    self._ask(client)
        if self._refusal is not None:
            kind, words = self._refusal
            raise kind(words)

    def confirm(self, client: Client) -> None:
        """OutcomeUnknownError if what was just written may have gone to another store, not durable."""
        if self._made != self._connections.made:
            try:
                self.check(client)
            except StoreUnavailableError as why:
                raise OutcomeUnknownError(str(why)) from why

    def _outdated(self) -> bool:
        return self._made != self._connections.made or time.monotonic() >= self._due

    def _ask(self, client: Client) -> None:
        made = self._connections.made  # before it is asked: one that is made meanwhile may lead elsewhere
        try:
            found = durability(client)
        except StoreUnavailableError as lost:
            if made != self._made:  # otherwise its settings are as known: the write finds out for itself
                self._refusal = type(lost), str(lost)
        else:
            self._refusal = None if found == "ok" else (StoreNotDurableError, found)
        self._made = made
        self._due = time.monotonic() + (RECHECK_INTERVAL_S if self._refusal is None else REFUSED_FOR_S)


_known: WeakKeyDictionary[Client, Durability] = WeakKeyDictionary()


def check_durable(client: Client) -> None:
    """StoreUnavailableError where the store has not been found durable."""
    _of(client).check(client)


@contextmanager
def durably(client: Client) -> Iterator[None]:
    """As `writing`, to a store that was found durable before, and still is when it has answered."""
    known = _of(client)
    known.check(client)
    with writing():
        yield
    known.confirm(client)


def _of(client: Client) -> Durability:
    return _known.get(client) or _known.setdefault(client, Durability(connections_of(client)))
