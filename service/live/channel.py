"""What all subscriptions to one match share: its newest state, its last commits, and their lines."""

import threading
import time
from collections.abc import Sequence

from domain.game import Viewer
from service.log.record import Entry
from service.matches.aggregate import Aggregate
from service.matches.history import PAGE
from service.matches.play import Play
from service.matches.views import lines
from service.store.journal import StoreUnavailableError

RETRY_DELAY_S = 1.0  # seconds for which a store that was lost is not asked again, however many would
KEPT = 64  # commits that are kept at hand; who lacks more reads the journal


class Channel:
    """A match that somebody watches: what is new is read once, and written once for each viewer."""

    def __init__(self, play: Play, match: str) -> None:
        self.match = match
        self.stale = True
        self.history = 0  # how often it has turned out to be another one
        self._lost = -RETRY_DELAY_S  # when the store was lost, by the monotonic clock
        self._play = play
        self._lock = threading.Lock()
        self._loaded: Aggregate | None = None
        self._kept: list[Entry] = []
        self._lines: dict[tuple[int, Viewer, bool], bytes] = {}

    def tell(self) -> None:
        """The match may have gone on, and the store is there."""
        self._lost = -RETRY_DELAY_S
        self.stale = True

    def newest(self) -> Aggregate:
        """The match as it is; read again if it has gone on. StoreUnavailableError, MatchUnreadableError."""
        with self._lock:
            if not self.stale and self._loaded is not None:
                return self._loaded
            if time.monotonic() - self._lost < RETRY_DELAY_S:
                raise StoreUnavailableError("the store was lost a moment ago")
            self.stale = False
            try:
                self._loaded = self._read()
            except Exception as why:
                self.stale = True
                self._lost = time.monotonic() if isinstance(why, StoreUnavailableError) else self._lost
                raise
            return self._loaded

    def after(self, loaded: Aggregate, version: int, viewer: Viewer) -> list[tuple[int, bytes]]:
        """The commits that follow a version, as lines, up to `loaded`; many of them come a page at a time."""
        with self._lock:
            kept = [entry for entry in self._kept if version < entry.version <= loaded.version]
        if kept and kept[0].version == version + 1:
            return [(entry.version, self._line(entry, loaded, viewer)) for entry in kept]
        missing: Sequence[Entry] = ()
        if version < loaded.version:
            missing = self._play.history.commits(self.match, version, loaded.version)
        versions = [entry.version for entry in missing]
        return list(zip(versions, lines(missing, loaded, viewer), strict=True))

    def _read(self) -> Aggregate:
        before, now = self._loaded, self._play.load(self.match)
        if before is None or before.hash == now.hash:
            return now
        new = self._play.history.commits(self.match, before.version, now.version)
        if not new or new[0].public()["previous"] != before.hash:  # the store was restored from an older copy
            self.history += 1
            self._kept, self._lines = [], {}
            return now
        self._kept = [*self._kept, *new][-KEPT:] if len(new) < PAGE else []
        oldest = now.version - KEPT
        forgotten = before.names.keys() - now.names.keys()
        kept = {} if forgotten else self._lines
        self._lines = {key: written for key, written in kept.items() if key[0] > oldest}
        return now

    def _line(self, entry: Entry, loaded: Aggregate, viewer: Viewer) -> bytes:
        key = (entry.version, viewer, loaded.revealed)
        if (written := self._lines.get(key)) is None:
            (written,) = lines([entry], loaded, viewer)
            self._lines[key] = written
        return written
