"""Whether a deployment is ready: the store accepts writes, and a relay and workers are running."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from service.store.heartbeat import HTTP, NEEDED, Heartbeats, Part, Pulse
from service.store.journal import Journal, StoreUnavailableError
from service.store.progress import Progress

OK = "ok"
LONGEST_LAG_MS = 60_000  # of the relay: each of its turns takes a second at most


@dataclass(frozen=True, slots=True)
class Report:
    """The result of each check, `ok` or what is wrong, and figures for people to judge."""

    checks: Mapping[str, str]
    figures: Mapping[str, int]

    @property
    def wrong(self) -> list[str]:
        """What is wrong, a phrase each."""
        return [f"{name}: {found}" for name, found in self.checks.items() if found != OK]


class Readiness:
    """Checks everything that requests, and the work they cause, need."""

    def __init__(self, journal: Journal, heartbeats: Heartbeats, progress: Progress) -> None:
        self.journal, self.heartbeats, self.progress = journal, heartbeats, progress
        # Its workers speak for the HTTP server as a whole: which of them hangs, their master sees by itself.
        self.pulse = Pulse(heartbeats, Part(HTTP, os.getppid()))

    def report(self) -> Report:
        """The current report; however often it is asked, it writes to the store only once per beat."""
        checks: dict[str, str] = {}
        try:
            checks |= self.journal.checks()
            self.pulse()
            checks["write"] = self.pulse.refusal or OK
            living = [part.name for part in self.heartbeats.alive()]
            lag, owed = self.progress.relay_lag(), self.progress.oldest_owed()
        except StoreUnavailableError as why:
            refused = [found for found in checks.values() if found != OK]
            return Report(checks if refused else {"store": str(why)}, {})
        checks |= {name: OK if name in living else "not running" for name in NEEDED}
        checks["relay_lag"] = (
            OK if lag <= LONGEST_LAG_MS else f"a commit has been waiting for {lag // 1000} seconds"
        )
        # What a match waits for is not judged: one that cannot be played must not take away all others.
        figures = {"relay_lag_ms": lag, "oldest_owed_ms": owed}
        return Report(
            checks, figures | {f"{name}_count": living.count(name) for name in sorted({*living, *NEEDED})}
        )
