"""Matches before and after a commit: webhook messages are made from the difference."""

from threading import Lock

from cachetools import LRUCache

from service.errors import MatchUnreadableError
from service.matches.aggregate import Aggregate, advance
from service.matches.history import PAGE
from service.store.journal import Journal

REMEMBERED = 512  # matches


class MatchDiffs:
    """Goes through logs commit by commit; where it was last in each is remembered, not where each began."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self._seen: LRUCache[str, Aggregate] = LRUCache(REMEMBERED)
        self._lock = Lock()

    def step(self, match: str, version: int) -> tuple[Aggregate, Aggregate, str]:
        """The match at the version before, at this one, and when that was; LookupError if it is not there."""
        try:
            return self._step(match, version)
        except MatchUnreadableError:
            with self._lock:
                remembered = self._seen.pop(match, None)
            if remembered is None:
                raise
            return self._step(match, version)  # what was remembered is of a history that the store has lost

    def _step(self, match: str, version: int) -> tuple[Aggregate, Aggregate, str]:
        with self._lock:
            seen = self._seen.get(match)
        before = Aggregate(match) if seen is None or seen.version >= version else seen
        while before.version < version - 1:
            entries = self.journal.read(match, before.version, version - 1, PAGE)
            if not entries:
                raise LookupError(f"{match} has not come to version {version}")
            before = advance(before, entries)
        entries = self.journal.read(match, version - 1, version)
        if not entries:
            raise LookupError(f"{match} has not come to version {version}")
        after = advance(before, entries)
        with self._lock:
            self._seen[match] = after
        return before, after, entries[0].whole()["at"]
