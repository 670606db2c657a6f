"""How much a caller may ask for: policies over fixed windows, counted in the store, a portion at a time.

A process takes a portion of a caller's quota from the store and hands it out by itself, so that hardly a
request costs a trip more. Never more than the quota is admitted in a window. A large quota may seem used up a
little early, while other processes still hold portions: each a two-hundredth of it, or one request.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol

from cachetools import LRUCache

from service.clock import Clock, now
from service.rate_limits.policy import Policy
from service.store.journal import OverloadedError, StoreUnavailableError

HELD = 20_000  # callers whose portions a process keeps
BACK_OFF_MS = 1000  # milliseconds in which counters that did not answer are not asked again
log = logging.getLogger("bricabrac.rates")


@dataclass(frozen=True, slots=True)
class LimitStatus:
    """Where a caller stands: what is left of a policy's quota, and seconds until it is whole again."""

    policy: Policy
    remaining: int
    reset: int
    admitted: bool = True


class Counters(Protocol):
    """The port of the counts that all processes share; StoreUnavailableError where it cannot be reached."""

    def add(self, count: str, amount: int, seconds: int) -> int:
        """Add to a count, which is kept for so many seconds; what it is now."""

    def read(self, count: str) -> int:
        """What a count is."""


@dataclass(slots=True)
class _Held:
    """What a process holds of a caller's quota in one window, and what the store said last."""

    window: int
    left: int = 0
    count: int = 0
    spent: bool = False  # the store has no more
    fetching: Lock = field(default_factory=Lock)  # one at a time, so that no answer overtakes another


class Limiter:
    """Counts requests by policy and caller. Where the store is lost they are admitted: the games go on.

    Where it is there, and only this process has no connection to spare, OverloadedError.
    """

    def __init__(self, counters: Counters, policies: Mapping[str, Policy], clock: Clock = now) -> None:
        self.policies = policies
        self._counters, self._clock = counters, clock
        self._held: LRUCache[tuple[str, str], _Held] = LRUCache(HELD)
        self._lock = Lock()
        self._blind_until = 0

    def take(self, name: str, who: str) -> LimitStatus | None:
        """Count a request; None where the policy is off, or nothing can be counted right now."""
        policy = self.policies.get(name)
        if policy is None:
            return None
        window, reset = self._window(policy)
        while True:
            with self._lock:
                held = self._holding(policy, who, window)
                if admitted := held.left > 0:
                    held.left -= 1
                if admitted or held.spent:
                    return LimitStatus(policy, _remaining(policy, held), reset, admitted)
            with held.fetching:
                if not held.left and not held.spent and not self._fetch(policy, who, held):
                    return None

    def standing(self, name: str, who: str) -> LimitStatus:
        """Where a caller stands by a policy that is on, with nothing counted; StoreUnavailableError."""
        policy = self.policies[name]
        window, reset = self._window(policy)
        count = self._counters.read(_count(policy, who, window))
        with self._lock:
            left = self._holding(policy, who, window).left
        return LimitStatus(policy, max(0, policy.quota - count) + left, reset)

    def _window(self, policy: Policy) -> tuple[int, int]:
        """The number of the present window, and the seconds until its end."""
        moment, length = self._clock(), 1000 * policy.window
        return moment // length, (length - moment % length + 999) // 1000

    def _holding(self, policy: Policy, who: str, window: int) -> _Held:
        held = self._held.get((policy.name, who))
        if held is None or held.window != window:
            held = self._held[policy.name, who] = _Held(window)
        return held

    def _fetch(self, policy: Policy, who: str, held: _Held) -> bool:
        """Take a portion, or what is left of one; False if the counters cannot be reached."""
        moment = self._clock()
        if moment < self._blind_until:
            return False
        try:
            count = self._counters.add(_count(policy, who, held.window), policy.portion, policy.window)
        except OverloadedError:  # the store is there: who floods the process is not let through by that
            raise
        except StoreUnavailableError as lost:
            self._blind_until = moment + BACK_OFF_MS
            log.warning("Rate limits are off for the moment: %s", lost)
            return False
        granted = max(0, policy.portion - max(0, count - policy.quota))
        with self._lock:
            held.left += granted
            held.count = max(held.count, count)
            held.spent = held.spent or granted < policy.portion
        return True


def _count(policy: Policy, who: str, window: int) -> str:
    return f"{policy.name}/{who}/{window}"


def _remaining(policy: Policy, held: _Held) -> int:
    return max(0, policy.quota - held.count) + held.left
