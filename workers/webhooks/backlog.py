"""Deliveries taken up and not sent yet: fair between the accounts that are charged for the time they take.

Everybody begins with one attempt at a time. Who answers fast and well earns another with each answer; who is
slow, or fails, is back to one. News of one match come to one webhook in order. A dispatcher takes up no more
of anybody than it can begin within seconds: the rest stays where all dispatchers find it.
"""

from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from cachetools import LRUCache

MOST_AT_ONCE = 8  # attempts of one account
HOLD_S = 8.0  # what cannot be begun within so long is not held
FIRST_GUESS_S = 0.1  # an attempt of who is not known yet
LEAST_HELD, MOST_HELD = 2, 500
MEMORY = 0.8  # the share of what was known before in what is taken for typical
REMEMBERED = 10_000  # accounts


@dataclass(slots=True)
class _Account:
    waiting: deque[str] = field(default_factory=deque)
    under_way: int = 0
    allowed: int = 1
    typical_s: float = FIRST_GUESS_S

    @property
    def holds(self) -> int:
        """How many may wait here."""
        return int(min(max(self.allowed * HOLD_S / self.typical_s, LEAST_HELD), MOST_HELD))


class Backlog:
    """The deliveries that one dispatcher holds, by account."""

    def __init__(self) -> None:
        self._known: LRUCache[str, _Account] = LRUCache(REMEMBERED)
        self._busy: OrderedDict[str, _Account] = OrderedDict()  # that have something waiting or under way
        self._lanes = set[str]()
        self._held = set[str]()

    def __len__(self) -> int:
        return len(self._held)

    def add(self, account: str, delivery: str) -> bool:
        """Hold a delivery; False if its account has as many here as can be begun soon."""
        if delivery in self._held:
            return True
        of = self._busy.get(account) or self._known.get(account) or _Account()
        if len(of.waiting) >= of.holds:
            return False
        self._busy[account] = self._known[account] = of
        of.waiting.append(delivery)
        self._held.add(delivery)
        return True

    def begin(self, most: int) -> Iterator[tuple[str, str]]:
        """At most so many deliveries, each with its account, that may be sent now: one of each in turn."""
        resting = 0
        while most > 0 and resting < len(self._busy):
            account, of = next(iter(self._busy.items()))
            self._busy.move_to_end(account)
            delivery = self._next(of)
            if delivery is None:
                resting += 1
                continue
            most, resting = most - 1, 0
            yield account, delivery

    def ended(self, account: str, delivery: str, took_s: float | None, *, well: bool) -> None:
        """An attempt is over; `took_s` is None where none was made."""
        of = self._busy[account]
        of.under_way -= 1
        self._lanes.discard(_lane(delivery))
        self._held.discard(delivery)
        if took_s is not None:
            of.typical_s = MEMORY * of.typical_s + (1 - MEMORY) * max(took_s, 0.001)
            of.allowed = min(of.allowed + 1, MOST_AT_ONCE) if well else 1
        if not of.waiting and not of.under_way:
            del self._busy[account]

    def clear(self) -> list[str]:
        """Let go of all that has not begun."""
        waiting = [delivery for of in self._busy.values() for delivery in of.waiting]
        for account, of in list(self._busy.items()):
            of.waiting.clear()
            if not of.under_way:
                del self._busy[account]
        self._held.difference_update(waiting)
        return waiting

    def _next(self, of: _Account) -> str | None:
        if of.under_way >= of.allowed:
            return None
        for delivery in of.waiting:
            if _lane(delivery) not in self._lanes:
                of.waiting.remove(delivery)
                of.under_way += 1
                self._lanes.add(_lane(delivery))
                return delivery
        return None


def _lane(delivery: str) -> str:
    """What comes in order: `<hook>-<match>` of `<hook>-<match>-<version>-<type>`."""
    return delivery.rsplit("-", 2)[0]
