"""Following all matches that an API key may see: who follows is at a place in the feed, and moves on from it.

What is in the feed comes at least once; (match, version) tells doubles. The place that is told moves by what
the key may see alone: whoever compares two learns nothing of what he may not.
"""

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from service.asking import MatchNotFoundError
from service.errors import MatchUnreadableError
from service.keys import ApiKey, may_see
from service.live import Listener, Live, Pointer, Positions, moved
from service.play import Play
from service.store.journal import StoreUnavailableError
from service.unreadable import left_out
from service.views import lines

BREATH = 0.05  # seconds between two looks: a busy feed is read in batches
AGAIN = 2.0  # seconds until a lost store is tried again; the reader tells at once when it is back
log = logging.getLogger("bricabrac.live")


class FollowingAll:
    """One who follows all matches, from a place on; close it, always.

    `key` finds the API key as it is now: it is asked each time, and without one nothing more comes.
    """

    def __init__(
        self, live: Live, play: Play, positions: Positions, most: int, key: Callable[[], ApiKey | None]
    ) -> None:
        self.positions, self.most = positions, most
        self._reached = positions
        self.done = False  # nothing more will come, for whatever reason
        self._live, self._play, self._key = live, play, key
        self._outages = live.outages
        self._listener: Listener | None = None

    def news(self, seconds: float) -> Sequence[bytes]:
        """Commits that follow, as lines, as soon as there are any; none if there are none within so long."""
        give_up = time.monotonic() + seconds
        while True:
            found, patience = self._look()
            left = give_up - time.monotonic()
            if found or self.done or (left <= 0 and patience):
                return found
            if self._listener is None:
                self._listener = self._live.listen(None)
            elif patience:
                self._listener.wait(min(left, patience))
                time.sleep(min(left, BREATH))

    def stop(self) -> None:
        """Nothing more is waited for: the one who follows is gone."""
        self.done = True
        if self._listener is not None:
            self._listener.tell()

    def close(self) -> None:
        """Follow no more."""
        if self._listener is not None:
            self._listener.close()

    def _look(self) -> tuple[Sequence[bytes], float]:
        """What is there, and for how long at most it is to be waited for more."""
        try:
            key = None if self.done or self._live.closing else self._key()
            if key is None or self._history_lost():
                self.done = True
                return (), 0
            pointers = sorted(self._live.tail.read(self._reached, self.most), key=_time_of)[: self.most]
            known = [pointer for pointer in pointers if pointer.match]
            found = {match: self._lines(match, some, key) for match, some in _by_match(known)}
        except StoreUnavailableError:
            self._outages = -1  # look, as soon as it is back, whether it is the same
            return (), AGAIN
        self._reached = moved(self._reached, pointers)
        self.positions = moved(self.positions, [each for each in known if found[each.match]])
        return list(chain.from_iterable(found.values())), 0 if pointers else float("inf")

    def _history_lost(self) -> bool:
        """Whether the store has come back without what was read; who comes again is told so."""
        outages = self._live.outages
        if outages == self._outages:
            return False
        if self._live.tail.lost(self._reached):
            return True
        self._outages = outages
        return False

    def _lines(self, match: str, versions: Sequence[int], key: ApiKey) -> list[bytes]:
        """Commits of one match as a spectator sees them; none where the key may not see it."""
        try:
            loaded = self._play.load(match)
            if not may_see(key, loaded):
                return []
            last = min(versions[-1], loaded.version)  # what the store has lost is not in the log
            entries = self._play.history.commits(match, versions[0] - 1, last, len(versions))
            return lines(entries, loaded, None)
        except (MatchUnreadableError, MatchNotFoundError) as why:
            left_out(log, "the feed of all matches", match, why)
            return []


def _time_of(pointer: Pointer) -> tuple[int, ...]:
    return tuple(map(int, pointer.id.split(b"-")))


def _by_match(pointers: Iterable[Pointer]) -> Iterable[tuple[str, list[int]]]:
    """The versions of each match; they follow one another, for so they stand in the feed."""
    found: dict[str, list[int]] = {}
    for pointer in pointers:
        found.setdefault(pointer.match, []).append(pointer.version)
    return found.items()
