"""Commits as a spectator sees them: read once, however many followers in this process get them."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock

from cachetools import LRUCache

from service.errors import MatchUnreadableError
from service.live.feed_window import Pointer
from service.matches.play import Play
from service.matches.requests import MatchNotFoundError
from service.matches.unreadable import left_out
from service.matches.views import lines

KEPT = 2048  # lines
log = logging.getLogger("bricabrac.live")


class SpectatorView:
    """The lines of commits, by their entries in the feed: a store that was restored has other entries."""

    def __init__(self, play: Play) -> None:
        self._play, self._lock = play, Lock()
        self._lines: LRUCache[Pointer, bytes] = LRUCache(KEPT)

    def lines(self, pointers: Sequence[Pointer]) -> list[bytes]:
        """The lines of these commits; those of a match that cannot be read are left out."""
        found: dict[Pointer, bytes] = {}
        for match, some in _by_match(pointers).items():
            with self._lock:
                found |= self._of_match(match, some)
        return [line for pointer in pointers if (line := found[pointer])]

    def _of_match(self, match: str, pointers: Sequence[Pointer]) -> Mapping[Pointer, bytes]:
        """A line for each commit; empty if the commit cannot be read."""
        known = {pointer: self._lines.get(pointer) for pointer in pointers}
        missing = [pointer for pointer, line in known.items() if line is None]
        read = self._read(match, [pointer.version for pointer in missing]) if missing else {}
        new = {pointer: read.get(pointer.version, b"") for pointer in missing}
        self._lines.update(new)
        return {pointer: new[pointer] if line is None else line for pointer, line in known.items()}

    def _read(self, match: str, versions: Sequence[int]) -> dict[int, bytes]:
        """Read consecutive versions; none of a match that cannot be read."""
        try:
            loaded = self._play.load(match)
            last = min(versions[-1], loaded.version)  # what the store has lost is not in the log
            entries = self._play.history.commits(match, versions[0] - 1, last, len(versions))
            written = lines(entries, loaded, None)
        except (MatchUnreadableError, MatchNotFoundError) as why:
            left_out(log, "the feed of all matches", match, why)
            return {}
        return {entry.version: line for entry, line in zip(entries, written, strict=True)}


def _by_match(pointers: Iterable[Pointer]) -> dict[str, list[Pointer]]:
    found: dict[str, list[Pointer]] = {}
    for pointer in pointers:
        found.setdefault(pointer.match, []).append(pointer)
    return found
