"""From the feed to RQ: every commit that calls for a job gets one, whatever is killed.

At least once: a pointer is acknowledged after its job is enqueued, and jobs are harmless when doubled. The
reconciler looks for matches that wait for a job with no job alive, and hands it over again.
"""

import logging
import signal
import threading
import time
from collections.abc import Sequence

import redis
from rq import Queue

from service.clock import now
from service.play import Play
from service.settings import settings
from service.store.feed import Feed, Pointer
from service.store.journal import OutcomeUnknownError, StoreUnavailableError
from service.store.redis_client import connect
from service.store.redis_hooks import RedisHookBook
from service.store.redis_journal import RedisJournal
from workers.crier import Crier
from workers.hook_queue import hook_queue
from workers.housekeeping import Housekeeper
from workers.queue import connection, hand_over, hand_over_again, queue

WAIT = 1.0  # seconds of one blocking read
AGAIN = 0.2  # seconds until a lost connection is tried again
RECONCILE_EVERY = 2.0  # seconds
PATIENCE_MS = 3_000  # a match that waits longer for its job is looked at
TRIM_EVERY = 60.0  # seconds
log = logging.getLogger("bricabrac.relay")


class Relay:
    """One relay: feed in, jobs out."""

    def __init__(self, feed: Feed, jobs: Queue, play: Play, crier: Crier, housekeeper: Housekeeper) -> None:
        self.feed, self.jobs, self.play, self.crier = feed, jobs, play, crier
        self.housekeeper = housekeeper
        self._reconciled = self._trimmed = 0.0

    def run(self, stop: threading.Event) -> None:
        """Relay until told to stop; an outage is waited out, and what was under way is taken up again."""
        recover = True
        while not stop.is_set():
            try:
                if recover:
                    self.feed.prepare()
                    self.relay(self.feed.unfinished())
                    recover = False
                self.relay(self.feed.new(WAIT))
                self.tick()
            except (redis.RedisError, StoreUnavailableError, OutcomeUnknownError) as lost:
                log.warning("the store or the queue is lost: %s", lost)
                recover = True
                stop.wait(AGAIN)

    def relay(self, pointers: Sequence[Pointer]) -> None:
        """Hand over what these commits call for, then acknowledge them."""
        for pointer in pointers:
            if pointer.calls:
                hand_over(self.jobs, pointer.match, pointer.version, pointer.calls)
        if pointers:
            self.crier.hear(pointers)
            self.feed.done(pointers)

    def tick(self) -> None:
        """Send on what is due to webhooks, reconcile, close what is idle, and trim, each in its time."""
        moment = time.monotonic()
        self.crier.tick(moment)
        self.housekeeper.tick(moment)
        if moment - self._reconciled > RECONCILE_EVERY:
            self._reconciled = moment
            self.reconcile()
        if moment - self._trimmed > TRIM_EVERY:
            self._trimmed = moment
            self.feed.trim(now())

    def reconcile(self) -> None:
        """Hand over again what matches have been waiting for too long."""
        for match in self.feed.owed(now() - PATIENCE_MS):
            try:
                self.look_at(match)
            except (redis.RedisError, StoreUnavailableError):
                raise
            except Exception:  # one match that cannot be read must not hold up all others
                log.exception("%s waits for a job and cannot be read", match)

    def look_at(self, match: str) -> None:
        """Hand over again what one match waits for, unless a job is at it."""
        loaded = self.play.load(match)
        task = loaded.state.calls
        if task and hand_over_again(self.jobs, match, loaded.version, task):
            log.warning("%s at version %d: %s handed over again", match, loaded.version, task)


def main() -> None:
    """Run a relay until SIGTERM."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s relay %(levelname)s %(message)s")
    stop, set_up = threading.Event(), settings()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    feed = Feed(connect(set_up.redis_url, blocking=WAIT), set_up.partitions, set_up.relay_name)
    client, jobs = connect(set_up.redis_url), connection()
    crier = Crier(RedisHookBook(client), hook_queue(jobs))
    play = Play(RedisJournal(client, set_up.partitions))
    Relay(feed, queue(jobs), play, crier, Housekeeper(play, set_up.idle_days)).run(stop)


if __name__ == "__main__":
    main()
