"""Subscriptions to one match: each is at a version, polls for newer commits, and moves on."""

import logging
import time
from collections.abc import Callable, Sequence
from typing import TypeAlias

from domain.game import Viewer
from service.errors import MatchUnreadableError
from service.live.broadcaster import Broadcaster
from service.matches.aggregate import Aggregate
from service.matches.requests import MatchNotFoundError
from service.matches.unreadable import left_out
from service.store.journal import StoreUnavailableError

log = logging.getLogger("bricabrac.live")
Line: TypeAlias = tuple[int, bytes]
RETRY_DELAY_S = 2.0  # seconds until a lost store is tried again; the reader tells at once when it is back


class MatchSubscription:
    """A subscription to a match, from a version on; always close it.

    `holds` says whether he still may see what he is about to be sent: it is asked each time.
    """

    def __init__(
        self, live: Broadcaster, match: str, after: int, viewer: Viewer, holds: Callable[[Aggregate], bool]
    ) -> None:
        self.version, self.viewer = after, viewer
        self.done = False  # nothing more will come, for whatever reason
        self.stands: Aggregate | None = None  # the match after the commits given; None while there are more
        self.end: Aggregate | None = None  # the match, if it is over and everything of it was given
        self._holds, self._live = holds, live
        self._history: int | None = None
        self._listener = live.listen(match)
        self.close = self._listener.close

    def news(self, seconds: float) -> Sequence[Line]:
        """The commits that follow, as soon as there are any; none if there are none within so long."""
        give_up = time.monotonic() + seconds
        while True:
            found, patience = self._look()
            left = give_up - time.monotonic()
            if found or self.done or left <= 0:
                return found
            self._listener.wait(min(left, patience))

    def wait_until(self, enough: Callable[[Aggregate], bool], seconds: float) -> None:
        """Wait until the match is as it is waited for, for so long at most."""
        give_up = time.monotonic() + seconds
        while not self.done and (left := give_up - time.monotonic()) > 0:
            self.news(left)
            if self.stands is not None and enough(self.stands):
                return

    def stop(self) -> None:
        """The client is gone: nothing more is waited for."""
        self.done = True
        self._listener.tell()

    def _look(self) -> tuple[Sequence[Line], float]:
        """What is there, and how long it is to be waited for more at most."""
        channel = self._listener.channel
        assert channel is not None  # it listens to a match
        if self.done or self._live.closing:
            self.done = True
            return (), 0
        try:
            loaded = channel.newest()
            self._history = channel.history if self._history is None else self._history
            if self._history != channel.history or not self._holds(loaded):
                self.done = True
                return (), 0
            found = channel.after(loaded, self.version, self.viewer)
        except StoreUnavailableError:
            return (), RETRY_DELAY_S
        except (MatchUnreadableError, MatchNotFoundError) as why:
            left_out(log, "a stream", channel.match, why)
            self.done = True
            return (), 0
        self.version = found[-1][0] if found else self.version
        self.stands = loaded if self.version >= loaded.version else None
        if loaded.state.over and self.stands is not None:
            self.done, self.end = True, loaded
        return found, float("inf")
