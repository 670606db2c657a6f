"""What the relay does for webhooks: it hears of commits, and sends on what is due.

First it is written down that news are owed, then the job is handed over: whoever is killed in between, the
news are due again after a while. Two relays do no harm: what is due is claimed by one of them.
"""

import logging
from collections.abc import Sequence

import redis
from rq import Queue

from service.clock import now
from service.hooks import HookBook
from service.store.feed import Pointer
from service.store.journal import OutcomeUnknownError, StoreUnavailableError
from workers.hook_queue import LEASE_MS, hand_over

LOOK_EVERY = 1.0  # seconds
MANY = 100  # taken up at once
log = logging.getLogger("bricabrac.relay")


class Crier:
    """From the feed, and from what is due, to the queue of the webhooks."""

    def __init__(self, book: HookBook, jobs: Queue) -> None:
        self.book, self.jobs = book, jobs
        self._looked = 0.0

    def hear(self, pointers: Sequence[Pointer]) -> None:
        """Have told what happened to matches that somebody watches."""
        watched = self.book.watched(pointer.match for pointer in pointers)
        owed = [(pointer.match, pointer.version) for pointer in pointers if pointer.match in watched]
        if owed:
            self.book.owe(owed, now() + LEASE_MS)
        for match, version in owed:
            self._hand_over(match, version)

    def tick(self, moment: float) -> None:
        """Look for what is due, every now and then."""
        if moment - self._looked > LOOK_EVERY:
            self._looked = moment
            self.send_on(now())

    def send_on(self, at: int) -> None:
        """Hand over what is due at a time (ms)."""
        for id_, version in self.book.claim(at, at + LEASE_MS, MANY):
            self._hand_over(id_, version)

    def _hand_over(self, id_: str, version: int) -> None:
        """What a match's version has to tell, or (version 0) a delivery's next attempt."""
        try:
            if version:
                hand_over(self.jobs, "announce", id_, version)
            elif (delivery := self.book.delivery(id_)) is None:
                self.book.forget(id_)
            else:
                hand_over(self.jobs, "deliver_webhook", id_, delivery.attempts + 1)
        except (redis.RedisError, StoreUnavailableError, OutcomeUnknownError):
            raise
        except Exception:  # what cannot be handed over must not hold up the matches; it is due again later
            log.exception("%s at %d cannot be handed over to the webhooks", id_, version)
