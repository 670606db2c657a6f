"""The commits of a match without a gap, and its past versions."""

from dataclasses import replace
from threading import Lock

from cachetools import LRUCache

from service.errors import MatchUnreadableError
from service.log.record import Entry
from service.matches.aggregate import Aggregate, advance
from service.matches.revision import HistoryLostError, Revision
from service.store.journal import Journal

CACHED_MILESTONES, CACHED_STEPS = 256, 512  # matches
MILESTONE = 64  # a past version is folded from a multiple of this on
PAGE = 500  # commits read in one trip


def catch_up(journal: Journal, base: Aggregate) -> Aggregate:
    """What was seen of a match, brought to its log's end; MatchUnreadableError if that is another log."""
    loaded = base
    while True:
        head, entries = journal.catch_up(base.id, loaded.version, PAGE)
        loaded = replace(advance(loaded, entries), fields=head.fields)
        if not entries or (len(entries) < PAGE and head.version >= loaded.version):
            break  # else there is more, or the head, which is read before the log, is older than it
    if (head.version, head.hash) != (loaded.version, loaded.hash):
        raise MatchUnreadableError(
            base.id,
            f"the head is at version {head.version}, and its log leads to another one at {loaded.version}",
        )
    if loaded.match is not None:
        loaded.check_head()
    return loaded


class History:
    """What a match's log says of its past; a cached milestone counts only while the log leads on from it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._milestones: LRUCache[tuple[str, int], Aggregate] = LRUCache(CACHED_MILESTONES)
        self._steps: LRUCache[str, Aggregate] = LRUCache(CACHED_STEPS)
        self._lock = Lock()

    def commits(self, match: str, after: int, upto: int, count: int = PAGE) -> list[Entry]:
        """The first `count` commits with `after` < version <= `upto`, where the match has come to `upto`.

        MatchUnreadableError if one is missing: a page is never short without being the last.
        """
        wanted = range(after + 1, min(after + count, upto) + 1)
        entries = self._journal.read(match, after, upto, count) if wanted else []
        if [entry.version for entry in entries] != list(wanted):
            raise MatchUnreadableError(match, f"its log lacks commits between {after + 1} and {wanted[-1]}")
        return entries

    def confirm(self, newest: Aggregate, seen: Revision) -> None:
        """HistoryLostError if what somebody has seen is not in a match's log; a bare version passes."""
        if not seen.hash:
            return
        if seen.version > newest.version or not self._hash_at(newest, seen.version).startswith(seen.hash):
            raise HistoryLostError(f"The match, now at version {newest.version}, has no commit {seen}.")

    def at(self, newest: Aggregate, version: int) -> Aggregate:
        """A match at an earlier version than its newest: a replay does not fold all of it at each step."""
        try:
            return self._fold(newest, version)
        except MatchUnreadableError:
            self.forget(newest.id)  # a milestone may be of a history that the store has lost
            return self._fold(newest, version)

    def step(self, match: str, version: int) -> tuple[Aggregate, Aggregate]:
        """A match before and after a commit; whoever goes through a log in order folds each commit once."""
        try:
            return self._step(match, version)
        except MatchUnreadableError:
            self.forget(match)  # what was remembered may be of a history that the store has lost
            return self._step(match, version)

    def _step(self, match: str, version: int) -> tuple[Aggregate, Aggregate]:
        seen = self._steps.get(match)
        before = seen if seen is not None and seen.version < version else Aggregate(match)
        before = self._read_on(before, version - 1)
        after = self._read_on(before, version)
        with self._lock:
            self._steps[match] = after
        return before, after

    def forget(self, match: str) -> None:
        """Drop what is remembered of a match."""
        with self._lock:
            self._steps.pop(match, None)
            for key in [key for key in self._milestones if key[0] == match]:
                del self._milestones[key]

    def _fold(self, newest: Aggregate, version: int) -> Aggregate:
        nearest = version // MILESTONE * MILESTONE
        known = (self._milestones.get((newest.id, stone)) for stone in range(nearest, 0, -MILESTONE))
        past = next((found for found in known if found is not None), None) or Aggregate(newest.id)
        for stone in range(past.version + MILESTONE, nearest + 1, MILESTONE):
            past = self._read_on(past, stone)
            with self._lock:
                self._milestones[newest.id, stone] = past
        *rest, following = self.commits(newest.id, past.version, version + 1)
        past = advance(past, rest)
        if following.public()["previous"] != past.hash:
            raise MatchUnreadableError(newest.id, f"its log does not lead on from version {version}")
        return past

    def _read_on(self, past: Aggregate, upto: int) -> Aggregate:
        while past.version < upto:
            past = advance(past, self.commits(past.id, past.version, upto))
        return past

    def _hash_at(self, newest: Aggregate, version: int) -> str:
        if version == newest.version:
            return newest.hash
        previous: str = self.commits(newest.id, version, version + 1)[0].public()["previous"]
        return previous
