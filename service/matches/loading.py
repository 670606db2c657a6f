"""The matches of a journal, as a process knows them: cached, loaded, and at any of their versions."""

import logging
from dataclasses import replace
from threading import Lock

from cachetools import LRUCache

from service.errors import MatchUnreadableError
from service.matches.aggregate import Aggregate, advance, restore, snapshot
from service.matches.history import History, catch_up
from service.matches.requests import MatchNotFoundError, VersionNotFoundError
from service.store.journal import Conflict, Journal

CACHED_MATCHES = 2048
SNAPSHOT_EVERY = 64  # commits folded on a cold load that are worth a snapshot
log = logging.getLogger("bricabrac.play")


class Matches:
    """Loads matches. What is cached is a baseline: it is brought to its log's end each time."""

    def __init__(self, journal: Journal) -> None:
        self.journal, self.history = journal, History(journal)
        self._cache: LRUCache[str, Aggregate] = LRUCache(CACHED_MATCHES)
        self._lock = Lock()

    def peek(self, match: str) -> Aggregate:
        """The match as this process saw it last, or at its newest version; MatchNotFoundError."""
        return self._cache.get(match) or self.load(match)

    def load(self, match: str) -> Aggregate:
        """The match at its newest version; MatchNotFoundError, MatchUnreadableError."""
        cached = self._cache.get(match)
        if cached is not None:
            try:
                return self._remember(catch_up(self.journal, cached))
            except MatchUnreadableError as why:
                self._forget(cached, why)  # what was seen may be of a lost history: the log alone counts
        return self._remember(self._load_cold(match))

    def at(self, match: str, version: int) -> Aggregate:
        """The match at a version; MatchNotFoundError, VersionNotFoundError."""
        return self.past(self.load(match), version)

    def past(self, newest: Aggregate, version: int) -> Aggregate:
        """As `at`, for a match that was loaded just now."""
        if not 1 <= version <= newest.version:
            raise VersionNotFoundError(f"{newest.id} is at version {newest.version}.")
        if version == newest.version:
            return newest
        return replace(self.history.at(newest, version), fields=newest.fields)

    def catch_up_after(self, base: Aggregate, conflict: Conflict) -> Aggregate:
        """The match as it is now, after an append to `base` has met with other commits."""
        if base.version == 0:
            return base
        try:
            newest = replace(advance(base, conflict.missing), fields=conflict.fields)
            if newest.version > base.version:
                return self._remember(newest)
        except MatchUnreadableError as why:
            log.warning("%s at version %d no longer matches its log: %s", base.id, base.version, why)
        self._forget(base, "the head is another one")
        return self.load(base.id)

    def _load_cold(self, match: str) -> Aggregate:
        head, kept = self.journal.open(match)
        if head.version == 0:
            raise MatchNotFoundError(f"There is no match {match}.")
        restored = restore(match, kept, head.fields) if kept else None
        if restored is not None:
            try:
                return self._keep_snapshot(restored, catch_up(self.journal, restored))
            except MatchUnreadableError as why:
                log.warning("ignoring the snapshot at version %d: %s", restored.version, why)
        nothing = Aggregate(match, fields=head.fields)
        return self._keep_snapshot(nothing, catch_up(self.journal, nothing))

    def _keep_snapshot(self, base: Aggregate, loaded: Aggregate) -> Aggregate:
        if loaded.version - base.version >= SNAPSHOT_EVERY:
            self.journal.save_snapshot(loaded.id, snapshot(loaded))
        return loaded

    def _forget(self, loaded: Aggregate, why: object) -> None:
        """Drop what this process has seen of a match that is not in the store (any more)."""
        log.warning("reading %s again: %s", loaded.id, why)
        with self._lock:
            self._cache.pop(loaded.id, None)
        self.history.forget(loaded.id)

    def _remember(self, loaded: Aggregate) -> Aggregate:
        with self._lock:
            cached = self._cache.get(loaded.id)
            if cached is None or cached.version <= loaded.version:
                self._cache[loaded.id] = loaded
        return loaded
