"""How many streams may be open: of one caller, and in one process."""

import threading
from collections import Counter
from dataclasses import dataclass

from service.errors import ServiceError


class CallerFullError(ServiceError, status=429, code="too_many_streams", retry_after_s=15):
    """The caller has as many streams open as one may have."""


class ProcessFullError(ServiceError, status=503, code="streams_full", retry_after_s=15):
    """The process has as many streams open as it may have."""


@dataclass(frozen=True, slots=True)
class StreamLimits:
    """What is allowed of streams: how many, how long (about so many seconds), and how long in silence."""

    per_caller: int = 32
    per_process: int = 3000
    seconds: float = 600.0
    silence: float = 12.0


USUAL = StreamLimits()


class StreamSlots:
    """How many streams are open, by caller, up to the limits."""

    def __init__(self, limits: StreamLimits) -> None:
        self.limits = limits
        self._taken: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def taken(self) -> int:
        """How many streams are open."""
        return self._taken.total()

    def take(self, caller: str) -> "StreamSlot":
        """A slot for one more stream, to be freed; CallerFullError, ProcessFullError."""
        with self._lock:
            if self._taken[caller] >= self.limits.per_caller:
                raise CallerFullError(f"{self.limits.per_caller} streams are open already.")
            if self.taken >= self.limits.per_process:
                raise ProcessFullError("All places for streams are taken.")
            self._taken[caller] += 1
        return StreamSlot(self, caller)

    def free(self, caller: str) -> None:
        """One slot is free again."""
        with self._lock:
            self._taken[caller] -= 1
            if self._taken[caller] <= 0:
                del self._taken[caller]


class StreamSlot:
    """The slot of one open stream."""

    def __init__(self, slots: StreamSlots, caller: str) -> None:
        self._slots, self._caller, self._held = slots, caller, True

    def free(self) -> None:
        """The stream is closed; harmless when repeated."""
        if self._held:
            self._held = False
            self._slots.free(self._caller)
