"""The relay, from the feed to RQ: every commit that needs a job gets one, whatever is killed.

At least once: a pointer is acknowledged after its job is enqueued, and jobs are harmless when doubled. What a
relay has read and not acknowledged is taken over by any other, all the time. Matches that a person plays in
come first. The reconciler looks for matches that wait for a job with no job alive, and hands it over again.
"""

import logging
import signal
import threading
import time
from collections.abc import Callable, Sequence
from itertools import islice
from typing import TypeAlias

import redis

from service.bootstrap import dependencies
from service.clock import now
from service.matches.play import Play
from service.redis_store.client import connect
from service.redis_store.feed import IDLE_MS, Feed, Pointer
from service.settings import settings
from service.store.heartbeat import RELAY
from service.store.journal import OutcomeUnknownError, StoreUnavailableError
from service.webhooks.port import Webhooks
from workers.idle_matches import IdleMatchCloser
from workers.queues import Queues, connection, hand_over
from workers.reconciler import Reconciler
from workers.startup import begin

READ_TIMEOUT_S = 1.0  # seconds of one blocking read
RETRY_DELAY_S = 0.2  # seconds until a lost connection is tried again
CLAIM_INTERVAL_S = 5.0  # seconds
TRIM_INTERVAL_S = 60.0  # seconds
PORTION = 5  # jobs that nobody waits for are handed over so many at a time, with a look at the feed between
EntryId: TypeAlias = tuple[bytes, bytes]
log = logging.getLogger("bricabrac.relay")


class Relay:
    """One relay: feed in, jobs out."""

    def __init__(
        self, feed: Feed, jobs: Queues, play: Play, webhooks: Webhooks, housekeeper: IdleMatchCloser
    ) -> None:
        self.feed, self.jobs, self.webhooks, self.housekeeper = feed, jobs, webhooks, housekeeper
        self.reconciler = Reconciler(feed, jobs, play)
        self._later: dict[EntryId, Pointer] = {}  # read, and neither handed over nor acknowledged
        self._claimed = self._trimmed = 0.0

    def run(self, stop: threading.Event, pulse: Callable[[], None]) -> None:
        """Relay until told to stop, with a `pulse` a turn; outages are waited out, what was lost taken up."""
        recover = True
        while not stop.is_set():
            try:
                if recover:
                    self.recover()
                    recover = False
                self.relay(self.feed.new(0 if self._later else READ_TIMEOUT_S))
                self.tick()
                pulse()
            except (redis.RedisError, StoreUnavailableError, OutcomeUnknownError) as lost:
                log.warning("lost the connection to the store or the queue: %s", lost)
                recover = True
                stop.wait(RETRY_DELAY_S)

    def recover(self) -> None:
        """Take up again what this relay had read before it was stopped, or lost the store."""
        self._later.clear()
        self.feed.prepare()
        for pointers in self.feed.unfinished():
            self.relay(pointers)

    def relay(self, pointers: Sequence[Pointer]) -> None:
        """Hand over what these commits call for, then acknowledge them; in portions what nobody waits for."""
        if pointers:
            self.owe_announcements(pointers)
        self._later |= {(pointer.feed, pointer.id): pointer for pointer in pointers if pointer.alone}
        self._hand_over([pointer for pointer in pointers if not pointer.alone])
        portion = dict(islice(self._later.items(), PORTION))
        self._hand_over(list(portion.values()))
        for place in portion:
            del self._later[place]

    def owe_announcements(self, pointers: Sequence[Pointer]) -> None:
        """Note which of these commits the webhooks have to be told of; noted twice, they are told once."""
        watched = self.webhooks.watched(pointer.match for pointer in pointers)
        owed = [(pointer.match, pointer.version) for pointer in pointers if pointer.match in watched]
        if owed:
            self.webhooks.owe(owed, now())

    def _hand_over(self, pointers: Sequence[Pointer]) -> None:
        for pointer in pointers:
            if pointer.due_task:
                hand_over(self.jobs.of(alone=pointer.alone), pointer.match, pointer.version, pointer.due_task)
        if pointers:
            self.feed.done(pointers)

    def tick(self) -> None:
        """Take over what others left lying, reconcile, close what is idle, and trim, each in its time."""
        moment = time.monotonic()
        if moment - self._claimed > CLAIM_INTERVAL_S:
            self._claimed = moment
            for pointers in self.feed.abandoned(IDLE_MS):
                self.relay(pointers)
        self.reconciler.tick(moment)
        self.housekeeper.tick(moment)
        if moment - self._trimmed > TRIM_INTERVAL_S:
            self._trimmed = moment
            self.feed.trim()


def main() -> None:
    """Run a relay until SIGTERM."""
    pulse, stop, set_up = begin(RELAY), threading.Event(), settings()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    feed = Feed(connect(set_up.redis_url, blocking=READ_TIMEOUT_S), set_up.partitions, set_up.relay_name)
    play, webhooks = dependencies().play, dependencies().webhooks
    housekeeper = IdleMatchCloser(play, set_up.idle_days)
    Relay(feed, Queues(connection()), play, webhooks, housekeeper).run(stop, pulse)


if __name__ == "__main__":
    main()
