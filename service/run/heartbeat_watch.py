"""Listens to the heartbeats, beside the loop that acts on them: a store that hangs must not stop that."""

import time
from threading import Event, Thread

from service.run.data_folder import info
from service.run.embedded import EmbeddedServer
from service.store.heartbeat import Heartbeats, Part, Pulse
from service.store.journal import StoreUnavailableError

INTERVAL_S = 1.0


class Watch(Thread):
    """Looks once a second: who lives on this machine, and does the embedded server answer."""

    def __init__(self, heartbeats: Heartbeats, store: EmbeddedServer | None, stop: Event) -> None:
        super().__init__(name="watch", daemon=True)
        self.heartbeats, self.store, self._stop_event = heartbeats, store, stop
        self.pulse = Pulse(heartbeats, Part("serve"))
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
        self.pulse()
        if self.pulse.refusal:
            return None
        try:
            living = self.heartbeats.alive()
        except StoreUnavailableError:
            return None
        return frozenset(part.pid for part in living if part.host == self.pulse.part.host)
