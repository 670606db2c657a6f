"""Subscriptions to all matches that an API key may see: each is at a position in the feed and moves on.

What is in the feed comes at least once; (match, version) tells doubles. A follower who is up to date reads
nothing alone: the process reads the feed, the lines of commits and the keys once for all followers, and
decides here what each may see. A follower who is behind reads the feed in portions. The place also moves past
what the key may not see: a cursor is sealed and shows nothing of it.
"""

import time
from collections.abc import Sequence

from service.auth.api_keys import ApiKey, ApiKeys, sees
from service.live.broadcaster import Broadcaster, Listener
from service.live.feed_window import Pointer, PositionGoneError, Positions, in_time, moved
from service.live.key_lookup import ApiKeyLookup
from service.live.spectator_view import SpectatorView
from service.matches.play import Play
from service.store.journal import StoreUnavailableError

BATCH_INTERVAL_S = 0.05  # seconds between two looks: a busy feed is read in batches
RETRY_DELAY_S = 2.0  # seconds until a lost store is tried again; the reader tells at once when it is back
PORTION = 1000  # commits, about, that a follower who is behind looks through at a time, visible or not
OVERTIME_S = 10.0  # after which something is sent, though nothing was found yet in a long past


class FeedSubscriptions:
    """What all feed subscriptions of a process share."""

    def __init__(self, live: Broadcaster, keys: ApiKeys, play: Play) -> None:
        self.live, self.keys = live, keys
        self.holders, self.spectated = ApiKeyLookup(keys), SpectatorView(play)


class FeedSubscription:
    """A subscription to all matches for an API key (its digest), from a position on; always close it.

    It gets at most `most` commits at a time. The key is looked up each time; once it is revoked nothing more
    comes. A `bounded` follower looks through one portion of the past only: its client comes again.
    """

    def __init__(
        self,
        shared: FeedSubscriptions,
        holder: str,
        positions: Positions,
        most: int,
        *,
        bounded: bool = False,
    ) -> None:
        self.positions = positions
        self.done = False  # nothing more will come, for whatever reason
        self.gone = False  # because some of it is not kept any more
        self._shared, self._live, self._latest = shared, shared.live, shared.live.latest
        self._holder, self._most, self._bounded = holder, most, bounded
        self._number: int | None = None  # of what comes next in the window of the latest; None while behind
        self._outages = shared.live.outages
        self._listener: Listener | None = None

    def news(self, seconds: float) -> Sequence[bytes]:
        """Commits that follow, as lines, as soon as there are any; none if there are none within so long."""
        give_up = time.monotonic() + seconds
        if not self._bounded:
            self._listen()
        while True:
            found, patience, looked = self._look()
            left = give_up - time.monotonic()
            if found or self.done or self._ends(left, patience, looked):
                return found
            if self._listener is None:
                self._listen()  # and look once more, for what came in between
            else:
                self._rest(self._listener, min(left, patience))

    def stop(self) -> None:
        """The client is gone: nothing more is waited for."""
        self.done = True
        if self._listener is not None:
            self._listener.tell()

    def _ends(self, left: float, patience: float, looked: int) -> bool:
        """Whether to come back with nothing; a long past is read a while beyond the time given."""
        if self._bounded:
            return left <= 0 or looked >= PORTION // 2
        return left <= 0 and (patience > 0 or self._number is not None or left < -OVERTIME_S)

    def close(self) -> None:
        """Follow no more."""
        if self._listener is not None:
            self._shared.holders.leave(self._holder)
            self._listener.close()
            self._listener = None

    def _listen(self) -> None:
        """Hear of what comes, from now on."""
        if self._listener is None:
            self._shared.holders.enter(self._holder)
            self._listener = self._live.listen(None)

    def _rest(self, listener: Listener, seconds: float) -> None:
        """Wait for what comes, for so long at most; a breath in any case."""
        if seconds > 0:
            listener.wait(seconds)
        time.sleep(BATCH_INTERVAL_S)

    def _look(self) -> tuple[Sequence[bytes], float, int]:
        """What there is, how long to wait for more at most, and how much of the past was looked through."""
        try:
            if self.done or self._live.closing or self._history_lost():
                self.done = True
                return (), 0, 0
            pointers, key, past = self._pointers()
            if key is None:
                self.done = True
                return (), 0, 0
            taken, seen = self._portion(pointers, key)
            lines = self._shared.spectated.lines(seen)
        except StoreUnavailableError:
            self._outages = -1  # look, as soon as it is back, whether it is the same
            return (), RETRY_DELAY_S, 0
        except PositionGoneError:
            self.done = self.gone = True
            return (), 0, 0
        self.positions = moved(self.positions, filter(self._is_news, taken))
        if self._number is not None:
            self._number += len(taken)
        return lines, 0 if pointers else float("inf"), past

    def _history_lost(self) -> bool:
        """Whether the store has come back without what was read; who comes again is told so."""
        outages = self._live.outages
        if outages == self._outages:
            return False
        if self._live.tail.lost(self.positions):
            return True
        self._outages = outages
        return False

    def _pointers(self) -> tuple[Sequence[Pointer], ApiKey | None, int]:
        """What follows, the key as it is after that, and how much was read from the past."""
        if self._listener is not None:
            number = self._latest.join(self.positions) if self._number is None else self._number
            latest = None if number is None else self._latest.since(number)
            if number is not None and latest is not None:
                self._number = number
                return latest, self._shared.holders.find(self._holder, number + len(latest)), 0
        self._number = None
        past = in_time(self._live.tail.read(self.positions, PORTION))
        return past, self._shared.keys.find(self._holder), len(past)

    def _portion(self, pointers: Sequence[Pointer], key: ApiKey) -> tuple[list[Pointer], list[Pointer]]:
        """What is taken of these at a time, and what of it the key may see."""
        taken, seen = list[Pointer](), list[Pointer]()
        for pointer in pointers:
            if len(seen) == self._most:
                break
            taken.append(pointer)
            if pointer.match and sees(key, pointer.seen_by) and self._is_news(pointer):
                seen.append(pointer)
        return taken, seen

    def _is_news(self, pointer: Pointer) -> bool:
        return pointer.comes_after(self.positions)
