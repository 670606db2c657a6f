"""Listens to the heartbeats, beside the loop that acts on them: a store that hangs must not stop that."""

import os
import socket
import time
from threading import Event, Thread

from service.data_folder import info
from service.embedded import EmbeddedServer
from service.heartbeat import Heartbeats, Part
from service.store.journal import OutcomeUnknownError, StoreUnavailableError

INTERVAL_S = 1.0
ALLOWANCE_S = 12.0


class Watch(Thread):
    """Looks once a second: who lives on this machine, and does the embedded server answer."""

    def __init__(self, heartbeats: Heartbeats, store: EmbeddedServer | None, stop: Event) -> None:
        super().__init__(name="watch", daemon=True)
        self.heartbeats, self.store, self._stop_event = heartbeats, store, stop
        self.living: frozenset[int] | None = None  # None: nobody knows
        self.answered = time.monotonic()

    def run(self) -> None:
        """Look until the service stops."""
        while not self._stop_event.wait(INTERVAL_S):
            if self.store is not None and info(self.store.folder) is not None:
                self.answered = time.monotonic()
            self.living = self._listen()

    def _listen(self) -> frozenset[int] | None:
        """The processes that have spoken in time; None where the store takes no heartbeats, as our own."""
        here = socket.gethostname()
        try:
            self.heartbeats.beat(Part("serve", os.getpid(), here), ALLOWANCE_S)
            return frozenset(part.pid for part in self.heartbeats.alive() if part.host == here)
        except (StoreUnavailableError, OutcomeUnknownError):
            return None
