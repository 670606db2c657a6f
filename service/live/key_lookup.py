"""The API keys that follow the feed in this process, looked up together: one command for all of them."""

import time
from collections import Counter
from collections.abc import Mapping
from threading import Lock

from service.auth.api_keys import ApiKey, ApiKeys

FRESH_S = 5.0  # how long a lookup counts while there is no news


class ApiKeyLookup:
    """The keys of all followers, by digest.

    A key is looked up after the news it is about to be sent: after you revoke a key, no later commit goes to
    it.
    """

    def __init__(self, keys: ApiKeys) -> None:
        self._keys, self._lock = keys, Lock()
        self._counts: Counter[str] = Counter()
        self._found: Mapping[str, ApiKey | None] = {}
        self._number, self._asked = -1, -FRESH_S

    def enter(self, holder: str) -> None:
        """Count one more follower with this key."""
        with self._lock:
            self._counts[holder] += 1

    def leave(self, holder: str) -> None:
        """Count one follower less."""
        with self._lock:
            self._counts[holder] -= 1
            if self._counts[holder] <= 0:
                del self._counts[holder]

    def find(self, holder: str, number: int) -> ApiKey | None:
        """A follower's key, as it is after news `number`; None once it is revoked. StoreUnavailableError."""
        with self._lock:
            stale = number > self._number or time.monotonic() - self._asked > FRESH_S
            if stale or holder not in self._found:
                self._asked, self._found = time.monotonic(), self._keys.find_all(tuple(self._counts))
                self._number = number
            return self._found.get(holder)
