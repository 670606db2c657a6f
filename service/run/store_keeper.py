"""Keeps the embedded server running, with a back-off; where nothing can be written it is read on."""

import logging
import time
from threading import Event

from service.run import disk_space
from service.run.data_folder import EmbeddedError
from service.run.embedded import EmbeddedServer

STEADY_S = 10.0  # a server that has run so long may fail again without a wait
LONGEST_WAIT_S = 5.0  # between two starts of a server that keeps failing
SILENCE_S = 20.0  # without an answer of a server that is there: it hangs, or was stopped
ROOM_INTERVAL_S = 1.0
log = logging.getLogger("bricabrac.serve")


class StoreKeeper:
    """One embedded server, looked after until `stop`."""

    def __init__(self, server: EmbeddedServer, stop: Event) -> None:
        self.server, self.stop = server, stop
        self._started = self._looked = self._tried = 0.0
        self._wait = 0.0
        self._short = ""  # why there is no room on the disk

    def start(self) -> None:
        """The first start: EmbeddedError says why not."""
        self.server.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._look_for_room(closely=True)
        self.server.start(self.stop.is_set)
        self._started = time.monotonic()

    def tick(self, answered: float) -> None:
        """Do what is due; `answered` is when the server answered last (monotonic seconds)."""
        now = time.monotonic()
        if self.server.process.poll() is not None:
            self._revive(now)
        elif now - max(answered, self._started) > SILENCE_S:
            log.warning("The store has not answered for %.0f seconds; stopping it.", SILENCE_S)
            self.server.kill()
        elif now - self._looked > ROOM_INTERVAL_S:
            self._look_for_room(closely=bool(self._short))

    def _revive(self, now: float) -> None:
        if now - self._tried < self._wait:
            return
        ran = now - self._started
        self._wait = (
            0.0
            if self._tried < self._started and ran > STEADY_S
            else min(LONGEST_WAIT_S, 2 * self._wait or 0.2)
        )
        log.warning("The store exited with status %d; restarting it.", self.server.process.returncode)
        self._look_for_room(closely=True)
        try:
            self.server.start(self.stop.is_set)
        except EmbeddedError as why:
            log.error("The store cannot be started: %s Trying again in %.1f seconds.", why, self._wait)  # noqa: TRY400  one sentence
        else:
            self._started = time.monotonic()
        self._tried = time.monotonic()

    def _look_for_room(self, *, closely: bool) -> None:
        """Have writes refused while there is no room: a server that cannot write its log would end."""
        self._looked = time.monotonic()
        folder = self.server.folder
        short = disk_space.missing(folder) if closely or disk_space.is_short(folder) else ""
        if bool(short) != bool(self._short):
            if short:
                log.error("%s is full: %s. The store refuses writes; reads still work.", folder, short)
            else:
                log.warning("%s has space again: the store accepts writes.", folder)
            self.server.refuse_writes(bool(short))
        self._short = short
