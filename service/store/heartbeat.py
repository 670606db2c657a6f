"""Heartbeats: each part of a deployment says, while its own loop turns, until when it will say so again.

They are kept in the store, where `bricabrac serve` and `/readyz` look for them: a part that has died, hangs
or was stopped is silent, wherever it runs. Only its own loop may speak for a part, never a thread beside it.
"""

import os
import socket
import time
from dataclasses import dataclass, field
from typing import Protocol

from service.store.journal import OutcomeUnknownError, StoreUnavailableError

HTTP, RELAY, WORKER, BOT_WORKER, HOOK_WORKER = "http", "relay", "worker", "bot_worker", "webhook_worker"
NEEDED = (RELAY, WORKER, BOT_WORKER, HOOK_WORKER)  # without them matches stand still, or nobody is told
INTERVAL_S = 2.0  # between two beats
ALLOWANCE_S = 12.0  # after which a part that does nothing but wait is missed


@dataclass(frozen=True, slots=True)
class Part:
    """A process of the deployment: what it is, and where."""

    name: str
    pid: int = field(default_factory=os.getpid)
    host: str = field(default_factory=socket.gethostname)


class Heartbeats(Protocol):
    """The port; times are those of the store's clock. StoreUnavailableError."""

    def beat(self, part: Part, allowance_s: float) -> None:
        """Be counted among the living for so long; also OutcomeUnknownError."""

    def alive(self) -> list[Part]:
        """All parts that have spoken in time."""


class Pulse:
    """The heartbeat of one part, called from its loop as often as that turns."""

    def __init__(self, heartbeats: Heartbeats, part: Part, allowance_s: float = ALLOWANCE_S) -> None:
        self.heartbeats, self.part, self.allowance_s = heartbeats, part, allowance_s
        self.refusal = ""  # why the last beat was not taken: the store is lost, or takes no writes
        self._beaten = -INTERVAL_S

    def __call__(self) -> None:
        """Beat if it is time to; a store that does not take it is remembered, and tried again."""
        if time.monotonic() - self._beaten < INTERVAL_S:
            return
        self._beaten = time.monotonic()
        try:
            self.heartbeats.beat(self.part, self.allowance_s)
        except (StoreUnavailableError, OutcomeUnknownError) as refused:
            self.refusal = str(refused) or type(refused).__name__
        else:
            self.refusal = ""
