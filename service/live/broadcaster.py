"""Broadcasts commits: one reader of the feed in each process, fanned out to all listeners.

The reader only tells that a match has gone on. Who listens continues from the version it has: nothing is
lost and nothing comes twice, whatever is cut or killed. After the reader has found its place anew (as it
begins, after an outage of the store) everybody looks.
"""

import logging
import threading
import time
from collections.abc import Iterator
from itertools import islice
from typing import Protocol

from service.live.channel import Channel
from service.live.feed_window import FeedWindow, Pointer, Positions, moved
from service.matches.play import Play
from service.store.journal import StoreUnavailableError

READER = "live"  # the name of its thread
READ_TIMEOUT_S = 1.0  # seconds of one blocking read
BATCH_INTERVAL_S = 0.005  # seconds between two reads, so that a busy feed is read in batches
RETRY_DELAY_S = 0.2  # seconds until a lost store is tried again
IDLE_TIMEOUT_S = 30.0  # seconds for which the reader reads on with nobody listening
PORTION = 50  # who listens is woken by so many at a time, with requests served in between
YIELD_S = 0.001  # seconds: long enough for a greenlet's hub to look at its sockets
log = logging.getLogger("bricabrac.live")


class FeedReader(Protocol):
    """The port of the feed, for readers that want everything from some place on."""

    @property
    def partitions(self) -> int:
        """In how many partitions it is kept."""

    def ends(self) -> Positions:
        """Where it ends now; StoreUnavailableError."""

    def now(self) -> Positions:
        """Where it stands by the store's clock, whatever came last; StoreUnavailableError."""

    def wait(self, after: Positions, seconds: float) -> list[Pointer]:
        """What comes after a place, as soon as there is any; StoreUnavailableError."""

    def lost(self, positions: Positions) -> bool:
        """Whether what was seen there is gone: the store was restored from an older copy."""

    def read(self, after: Positions, most: int) -> list[Pointer]:
        """What is there after a place, about so much of all partitions together.

        Of each partition it is what comes next; it costs a few trips at the most. PositionGoneError where not
        all that followed is kept; StoreUnavailableError.
        """

    def check(self, after: Positions) -> None:
        """PositionGoneError where not all that followed a place is kept; StoreUnavailableError."""


class Listener:
    """A listener for one match, or for all of them (channel None); always close it."""

    def __init__(self, live: "Broadcaster", channel: Channel | None) -> None:
        self.live, self.channel = live, channel
        self._told = threading.Event()

    def wait(self, seconds: float) -> None:
        """Return when there may be news, at the latest after so many seconds."""
        self._told.wait(seconds)
        self._told.clear()

    def tell(self) -> None:
        """There may be news."""
        self._told.set()

    def close(self) -> None:
        """Listen no more."""
        self.live.leave(self)


class Broadcaster:
    """All who listen in this process, and the one reader; it begins with the first of them."""

    def __init__(self, tail: FeedReader, play: Play) -> None:
        self.tail, self.play = tail, play
        self.closing = False
        self.outages = 0  # how often the store was lost: what it has seen by now may be gone
        self.latest = FeedWindow()
        self._lock = threading.Lock()
        self._channels: dict[str, Channel] = {}
        self._listeners: dict[str | None, set[Listener]] = {}
        self._reader: threading.Thread | None = None
        self._heard = 0.0  # when somebody listened last

    def listen(self, match: str | None) -> Listener:
        """Listen to one match, or to all of them."""
        with self._lock:
            channel = None
            if match is not None:
                channel = self._channels.setdefault(match, Channel(self.play, match))
            listener = Listener(self, channel)
            self._listeners.setdefault(match, set()).add(listener)
            if self._reader is None:
                self._reader = threading.Thread(target=self._run, name=READER, daemon=True)
                self._reader.start()
        return listener

    def leave(self, listener: Listener) -> None:
        """He listens no more; harmless when repeated."""
        match = None if listener.channel is None else listener.channel.match
        with self._lock:
            listeners = self._listeners.get(match, set())
            listeners.discard(listener)
            if not listeners:
                self._listeners.pop(match, None)
                self._channels.pop(match or "", None)

    def close(self) -> None:
        """The process is about to end: every stream ends after what it is sending."""
        self.closing = True
        for listener in self._everybody():
            listener.tell()

    def _run(self) -> None:
        self._heard, lost = time.monotonic(), False
        while True:
            try:
                positions = self.tail.ends()
                lost = False
                self._read_on(positions)
            except Exception as why:  # whatever it is: without a reader nobody would hear anything any more
                if not lost:
                    expected = isinstance(why, StoreUnavailableError)
                    log.warning("cannot read the feed: %s", why, exc_info=None if expected else why)
                lost = True
                self.outages += 1
                self.latest.lose()
                time.sleep(RETRY_DELAY_S)
            if self._alone() and self._ended():
                return

    def _read_on(self, positions: Positions) -> None:
        """Tell everybody to look, then of what comes after these places, while somebody listens."""
        self.latest.begin(positions)
        self._wake_all()
        while not self._alone():
            pointers = self.tail.wait(positions, READ_TIMEOUT_S)
            positions = moved(positions, pointers)
            self.latest.add(pointers)
            self._fan_out({pointer.match for pointer in pointers})
            time.sleep(BATCH_INTERVAL_S)

    def _alone(self) -> bool:
        """Whether nobody has listened for a while, or the process is about to end."""
        if self._listeners:
            self._heard = time.monotonic()
        return self.closing or time.monotonic() - self._heard > IDLE_TIMEOUT_S

    def _ended(self) -> bool:
        """Whether the reader may end: nobody came in the meantime."""
        with self._lock:
            if not self._listeners or self.closing:
                self._reader = None
                self.latest.lose()
            return self._reader is None

    def _fan_out(self, matches: set[str]) -> None:
        for match in matches:
            if channel := self._channels.get(match):
                channel.tell()
                self._wake(self._of(match))
        if matches:
            self._wake(self._of(None))

    def _wake_all(self) -> None:
        with self._lock:
            channels = list(self._channels.values())
        for channel in channels:
            channel.tell()
        self._wake(self._everybody())

    def _wake(self, listeners: list[Listener]) -> None:
        for portion in _portions(listeners):
            for listener in portion:
                listener.tell()
            if len(portion) == PORTION:
                time.sleep(YIELD_S)

    def _of(self, match: str | None) -> list[Listener]:
        with self._lock:
            return list(self._listeners.get(match, ()))

    def _everybody(self) -> list[Listener]:
        with self._lock:
            return [listener for some in self._listeners.values() for listener in some]


def _portions(listeners: list[Listener]) -> Iterator[list[Listener]]:
    rest = iter(listeners)
    while portion := list(islice(rest, PORTION)):
        yield portion
