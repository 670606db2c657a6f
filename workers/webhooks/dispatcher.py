"""The webhook dispatcher: makes the deliveries of what happened and sends what is due, many at a time.

What is due stands in the store, and is leased to one dispatcher: what a killed one had taken up is due again
after the lease. There is no second queue beside it that could hold something else, or fall behind: RQ would
do one of these at a time, with a dozen durable writes around each.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

from cachetools import LRUCache

from service.clock import now
from service.redis_store.replies import LOST
from service.store.journal import OutcomeUnknownError, StoreUnavailableError
from service.webhooks.port import Webhooks
from workers.webhooks.backlog import Backlog

AT_ONCE = 32  # attempts
ANNOUNCED_AT_ONCE = 8  # matches
MANY = 200  # taken up at once
MOST_HELD = 2000  # beyond which nothing is taken up
POLL_INTERVAL_S = 0.1
RETRY_DELAY_S = 0.2  # until a lost store is tried again
LEASE_MS = 30_000  # after which what was taken up, and is not done, is due again
CROWDED_MS = 1000  # what cannot be held is due again after this
SLOW_S = 1.0  # an attempt that takes longer earns its account no other
MOST_REST_MS = 3_600_000
MOST_FAILURES = 12  # of ours, not of a receiver: after these (about six hours) it is put aside
REMEMBERED = 10_000
Due: TypeAlias = tuple[str, int]  # (match, version) to announce, or (delivery, 0) to send
Store = (*LOST, StoreUnavailableError, OutcomeUnknownError)
log = logging.getLogger("bricabrac.dispatcher")


class Dispatcher:
    """One of those that share the work.

    `announce` makes the deliveries of a commit; `send` makes an attempt and says whether it was taken; None
    where there was nothing to send; `account` is who is charged for a delivery.
    """

    def __init__(
        self,
        webhooks: Webhooks,
        announce: Callable[[str, int], object],
        send: Callable[[str], bool | None],
        account: Callable[[str], str],
    ) -> None:
        self.webhooks, self._announce, self._send, self._account = webhooks, announce, send, account
        self._pool = ThreadPoolExecutor(AT_ONCE, "attempt")
        self._announcers = ThreadPoolExecutor(ANNOUNCED_AT_ONCE, "announcer")
        self._backlog, self._under_way = Backlog(), 0
        self._crowded_until = 0
        self._lock, self._freed = threading.Lock(), threading.Event()
        self._failures: LRUCache[Due, int] = LRUCache(REMEMBERED)

    def run(self, stop: threading.Event, pulse: Callable[[], None]) -> None:
        """Work until told to stop, with a `pulse` a turn; what has begun is finished, the rest is left."""
        while not stop.is_set():
            pulse()
            try:
                if not self.look(now()):
                    self._freed.wait(POLL_INTERVAL_S)
                    self._freed.clear()
            except Store as lost:
                log.warning("lost the connection to the store: %s", lost)
                stop.wait(RETRY_DELAY_S)
        self.close()

    def look(self, at: int) -> bool:
        """Take up what is due at a time (ms), begin what can be begun; False if there was nothing new."""
        room = MANY if self._under_way < AT_ONCE and len(self._backlog) < MOST_HELD else 0
        claimed = self.webhooks.claim(at, at + LEASE_MS, room) if room else []
        self._take_up(name for name, version in claimed if not version)
        self._begin()
        news = groupby(sorted(due for due in claimed if due[1]), itemgetter(0))
        for announced in [self._announcers.submit(self._announce_all, list(some)) for _, some in news]:
            announced.result()
        return bool(claimed)

    def work_off(self, at: int) -> None:
        """Take up what is due at a time (ms) and all that follows from it; return when it is done."""
        self.look(at)
        while self.look(now()) or self._under_way or now() <= self._crowded_until + CROWDED_MS:
            self._freed.wait(POLL_INTERVAL_S)
            self._freed.clear()

    def close(self) -> None:
        """Finish what has begun; the rest is due at once, for others."""
        with self._lock:
            left = [(delivery, 0) for delivery in self._backlog.clear()]
        self._announcers.shutdown()
        self._pool.shutdown()
        try:
            self.webhooks.put_off(left, now())
        except Store as lost:
            log.warning("%d deliveries will be retried when their lease ends: %s", len(left), lost)

    def _announce_all(self, news: Sequence[Due]) -> None:
        """Announce the news of one match, in order."""
        for due in news:
            self._try(due, partial(self._announce, *due))

    def _take_up(self, deliveries: Iterable[str]) -> None:
        crowded = list[Due]()
        for delivery in deliveries:
            account = self._account(delivery)
            with self._lock:
                if not self._backlog.add(account, delivery):
                    crowded.append((delivery, 0))
        if crowded:
            self._crowded_until = now() + CROWDED_MS
            self.webhooks.put_off(crowded, self._crowded_until)

    def _begin(self) -> None:
        with self._lock:
            for account, delivery in self._backlog.begin(AT_ONCE - self._under_way):
                self._under_way += 1
                self._pool.submit(self._attempt, account, delivery)

    def _attempt(self, account: str, delivery: str) -> None:
        began, taken = time.monotonic(), None
        try:
            taken = self._try((delivery, 0), lambda: self._send(delivery))
        except Store as lost:
            log.warning("%s will be retried when its lease ends: %s", delivery, lost)
        finally:
            took = time.monotonic() - began
            with self._lock:
                well = bool(taken) and took < SLOW_S
                self._backlog.ended(account, delivery, None if taken is None else took, well=well)
                self._under_way -= 1
            self._begin()
            self._freed.set()

    def _try(self, due: Due, do: Callable[[], object]) -> object:
        """Do it; what cannot be done, for whatever reason, rests longer each time and holds up nothing."""
        try:
            done = do()
        except Store:
            raise
        except Exception as flaw:  # noqa: BLE001  it is logged with its reason, and put aside in the end
            self._fails(due, flaw)
            return None
        self._failures.pop(due, None)
        return done

    def _fails(self, due: Due, flaw: Exception) -> None:
        failures = self._failures[due] = self._failures.get(due, 0) + 1
        if failures >= MOST_FAILURES:
            self.webhooks.put_aside(
                due, f"{failures} attempts failed, the last with {type(flaw).__name__}: {flaw}"
            )
            return
        rest = min(LEASE_MS << (failures - 1), MOST_REST_MS)
        log.warning("could not prepare or send %s/%d; retrying in %d s", *due, rest // 1000, exc_info=flaw)
        self.webhooks.put_off([due], now() + rest)
