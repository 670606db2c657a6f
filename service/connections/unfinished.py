"""Connections that owe a request: how many one address may have, and one process.

At the cap the oldest gives way, not the newest: a request that comes whole is read in milliseconds, so who
drips a byte now and then loses the place to whoever does not, also behind one address.
"""

from typing import Protocol


class Owing(Protocol):
    """A connection whose next request has not come whole; `since` is when it began to owe it."""

    since: float

    def cut(self) -> None:
        """Wait for it no longer."""


class Unfinished:
    """Everybody in this process who owes a request. Used by one thread of greenlets, so without a lock."""

    def __init__(self, per_address: int, per_process: int) -> None:
        self.per_address, self.per_process = per_address, per_process
        self._owing: dict[Owing, str | None] = {}
        self._of: dict[str, set[Owing]] = {}

    def __len__(self) -> int:
        return len(self._owing)

    def add(self, line: Owing, address: str | None) -> None:
        """One more; the oldest of the address, or of all, gives way. A proxy (None) has no cap of its own."""
        self.remove(line)
        self._owing[line] = address
        if address is not None:
            self._of.setdefault(address, set()).add(line)
            if len(self._of[address]) > self.per_address:
                self._cut_oldest(self._of[address])
        if len(self._owing) > self.per_process:
            self._cut_oldest(self._owing)

    def remove(self, line: Owing) -> None:
        """It owes nothing any more; harmless when repeated."""
        address = self._owing.pop(line, None)
        if address is not None and (of := self._of.get(address)):
            of.discard(line)
            if not of:
                del self._of[address]

    def _cut_oldest(self, lines: "dict[Owing, str | None] | set[Owing]") -> None:
        oldest = min(lines, key=lambda line: line.since)
        self.remove(oldest)
        oldest.cut()
