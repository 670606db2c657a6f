"""Logs each unreadable match once, not each time it is met."""

from logging import Logger
from threading import Lock

from cachetools import LRUCache

from service.errors import MatchUnreadableError, ServiceError

REMEMBERED = 4096  # matches
_said: LRUCache[str, str] = LRUCache(REMEMBERED)
_lock = Lock()


def left_out(log: Logger, what: str, match: str, why: ServiceError) -> None:
    """Log that a feed, a list or a stream goes on without a match; the same reason is logged once."""
    reason = why.reason if isinstance(why, MatchUnreadableError) else str(why)
    with _lock:
        known = _said.get(match) == reason
        _said[match] = reason
    if not known:
        log.error("%s skips %s: %s", what, match, reason, exc_info=why)
