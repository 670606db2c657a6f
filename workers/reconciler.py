"""Looks for matches that wait for a job with no job alive, and hands it over again.

How long a match has waited is measured here, from when it was seen waiting: no clock but this process's own
has a say. A match that cannot be read is put aside for a while, longer each time, and holds up no other.
"""

import logging
import time
from collections import deque
from dataclasses import dataclass

from service.matches.aggregate import Aggregate
from service.matches.play import Play
from service.matches.requests import MatchNotFoundError
from service.redis_store.feed import Feed
from service.redis_store.replies import LOST
from service.store.journal import StoreUnavailableError
from workers.queues import Queues, hand_over_again

INTERVAL_S = 2.0
PATIENCE_S = 3.0  # a match that waits longer for its job is looked at
SHORTEST_REST_S, LONGEST_REST_S = 30.0, 3600.0  # for which a match that cannot be read is left alone
BUDGET_S = 0.02  # at a time
log = logging.getLogger("bricabrac.relay")


@dataclass(slots=True)
class _Waiting:
    """A match that waits: what marks its wait, when it is looked at next, and how long it rests then."""

    mark: float
    look: float
    rest: float = PATIENCE_S


class Reconciler:
    """One reconciler; `tick` it often. Times are those of `time.monotonic`."""

    def __init__(self, feed: Feed, jobs: Queues, play: Play) -> None:
        self.feed, self.jobs, self.play = feed, jobs, play
        self._waiting: dict[str, _Waiting] = {}
        self._late: deque[str] = deque()
        self._seen = float("-inf")

    def tick(self, moment: float) -> None:
        """See what waits, every now and then, and look at it a few at a time: meanwhile the feed waits."""
        if not self._late and moment - self._seen > INTERVAL_S:
            self._seen = moment
            self._see(moment)
        self._work(moment, BUDGET_S)

    def reconcile(self, moment: float) -> None:
        """Look at every match whose job should be done by now."""
        self._see(moment)
        self._work(moment, float("inf"))

    def _see(self, moment: float) -> None:
        known, self._waiting = self._waiting, {}
        for match, mark in self.feed.owed():
            waiting = known.get(match)
            if waiting is None or waiting.mark != mark:
                waiting = _Waiting(mark, moment + PATIENCE_S)
            self._waiting[match] = waiting
        late = [match for match, waiting in self._waiting.items() if waiting.look <= moment]
        self._late = deque(sorted(late, key=lambda match: self._waiting[match].look))

    def _work(self, moment: float, seconds: float) -> None:
        give_up = time.monotonic() + seconds
        while self._late and time.monotonic() < give_up:
            match = self._late.popleft()
            self._look_at(match, self._waiting[match], moment)

    def _look_at(self, match: str, waiting: _Waiting, moment: float) -> None:
        loaded = self._load(match, waiting)
        waiting.look = moment + waiting.rest
        if loaded is None:
            waiting.rest = min(2 * waiting.rest, LONGEST_REST_S)
            return
        waiting.rest = PATIENCE_S
        task, jobs = loaded.state.due_task, self.jobs.of(alone=not loaded.state.attended)
        if task and hand_over_again(jobs, match, loaded.version, task):
            log.warning("%s at version %d: queued %s again", match, loaded.version, task)

    def _load(self, match: str, waiting: _Waiting) -> Aggregate | None:
        """The match; None, with the reason logged, if it cannot be read."""
        try:
            return self.play.load(match)
        except (*LOST, StoreUnavailableError):
            raise
        except MatchNotFoundError as gone:
            self.feed.forgive(match, str(gone))
        except Exception:
            waiting.rest = max(waiting.rest, SHORTEST_REST_S)
            log.exception("could not read %s, which waits for a job; skipping it for a while", match)
        return None
