"""What the relay does for webhooks: it hears of commits, and writes down that there is something to tell.

What is written down is told by the couriers. Two relays do no harm: it is the same line.
"""

from collections.abc import Sequence

from service.clock import now
from service.redis_store.feed import Pointer
from service.webhooks.model import HookBook


class Crier:
    """From the feed to what is owed to the webhooks."""

    def __init__(self, book: HookBook) -> None:
        self.book = book

    def hear(self, pointers: Sequence[Pointer]) -> None:
        """Have told what happened to matches that somebody watches."""
        watched = self.book.watched(pointer.match for pointer in pointers)
        owed = [(pointer.match, pointer.version) for pointer in pointers if pointer.match in watched]
        if owed:
            self.book.owe(owed, now())
