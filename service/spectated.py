"""Commits as a spectator sees them: read once, however many followers in this process get them."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock

from cachetools import LRUCache

from service.asking import MatchNotFoundError
from service.latest import Pointer
from service.loaded import QuarantinedError
from service.play import Play
from service.views import revealed

KEPT = 2048  # lines
log = logging.getLogger("bricabrac.live")


class Spectated:
    """The lines of commits, by match and version."""

    def __init__(self, play: Play) -> None:
        self._play, self._lock = play, Lock()
        self._lines: LRUCache[tuple[str, int], bytes] = LRUCache(KEPT)

    def lines(self, pointers: Sequence[Pointer]) -> list[bytes]:
        """The lines of these commits; those of a match that cannot be read are left out."""
        found: dict[tuple[str, int], bytes] = {}
        for match, versions in _by_match(pointers).items():
            with self._lock:
                found |= self._of_match(match, versions)
        return [line for pointer in pointers if (line := found[pointer.match, pointer.version])]

    def _of_match(self, match: str, versions: Sequence[int]) -> Mapping[tuple[str, int], bytes]:
        """A line for each version, empty where there is none."""
        known = {(match, version): self._lines.get((match, version)) for version in versions}
        missing = [version for (_, version), line in known.items() if line is None]
        read = self._read(match, missing) if missing else {}
        self._lines.update(read)
        return {key: read.get(key, b"") if line is None else line for key, line in known.items()}

    def _read(self, match: str, versions: Sequence[int]) -> dict[tuple[str, int], bytes]:
        """Read consecutive versions."""
        try:
            loaded = self._play.load(match)
        except (QuarantinedError, MatchNotFoundError):
            log.exception("the feed leaves out %s", match)
            return {(match, version): b"" for version in versions}
        entries = self._play.journal.read(match, versions[0] - 1, versions[-1], len(versions))
        opened = revealed(loaded)
        return {(match, entry.version): entry.line(None, revealed=opened) for entry in entries}


def _by_match(pointers: Iterable[Pointer]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for pointer in pointers:
        found.setdefault(pointer.match, []).append(pointer.version)
    return found
