"""Closes matches that nobody has touched for days, a few at a time.

Several housekeepers at once do no harm, and one that is killed leaves nothing half done: what is idle is read
from the store each time, and a match is closed at the version that was found idle or not at all.
"""

import logging

import redis

from service.matches.idle import DAY_MS, close_idle
from service.matches.play import Play
from service.store.journal import OutcomeUnknownError, StoreUnavailableError

MANY = 10  # matches closed in one run: jobs that somebody waits for come first
SOON_S, LATER_S = 1.0, 30.0  # until the next run, where more may be left to do, and where nothing is
log = logging.getLogger("bricabrac.relay")


class IdleMatchCloser:
    """Closes matches without a commit for so many days; with 0 days, none."""

    def __init__(self, play: Play, days: int) -> None:
        self.play, self.days = play, days
        self._next_run = 0.0

    def tick(self, moment: float) -> None:
        """Run, every now and then, by the monotonic clock."""
        if self.days and moment >= self._next_run:
            self._next_run = moment + (SOON_S if self.run() == MANY else LATER_S)

    def run(self) -> int:
        """Close some idle matches; how many were looked at."""
        journal = self.play.journal
        found = journal.idle(self.days * DAY_MS, MANY)
        for match in found:
            try:
                close_idle(self.play, match, self.days)
            except (redis.RedisError, StoreUnavailableError, OutcomeUnknownError):
                raise
            except Exception:  # a match that cannot be closed must not stand in the way of others
                log.exception("could not close the idle match %s; retrying in a day", match)
                journal.leave_idle(match, (self.days - 1) * DAY_MS)
        return len(found)
