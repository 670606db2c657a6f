"""The journal in memory, for simulations and tests: the same promises until its process ends."""

from collections.abc import Iterator
from operator import attrgetter
from threading import Lock

from service.clock import now
from service.errors import MatchUnreadableError
from service.log.record import Entry
from service.store.journal import Accepted, Append, Appended, Conflict, Done, Head, Listed, row_fields


class MemoryJournal:
    """Journal over dictionaries; answers and snapshots never expire."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._heads: dict[str, Head] = {}
        self._logs: dict[str, list[Entry]] = {}
        self._answers: dict[tuple[str, str], str] = {}
        self._snapshots: dict[str, bytes] = {}
        self._touched: dict[str, int] = {}

    def append(self, append: Append) -> Appended:
        with self._lock:
            kept = None if append.key is None else self._answers.get((append.match, append.key))
            if kept is not None:
                return Done(kept)
            head, expected = self._sound(append.match), append.expected
            if (head.version, head.hash) != (expected.version, expected.hash):
                stored = "" if head.version == 0 else head.hash
                return Conflict(head.version, stored, self.read(append.match, expected.version), head.fields)
            if not append.entries:
                raise ValueError("an append without commits")
            self._write(append, head)
            return Accepted()

    def _write(self, append: Append, head: Head) -> None:
        match = append.match
        self._logs.setdefault(match, []).extend(append.entries)
        fields = {name: value for name, value in {**head.fields, **append.fields}.items() if value}
        self._touched.pop(match, None)
        if fields.get("status") in ("open", "playing"):
            self._touched[match] = now()
        self._heads[match] = Head(head.version + len(append.entries), append.hash, fields)
        if append.key is not None:
            self._answers[match, append.key] = append.answer

    def head(self, match: str) -> Head:
        return self._heads.get(match, Head())

    def open(self, match: str) -> tuple[Head, bytes | None]:
        return self._sound(match), self._snapshots.get(match)

    def catch_up(self, match: str, after: int, count: int = 500) -> tuple[Head, list[Entry]]:
        return self._sound(match), self.read(match, after, count=count)

    def read(self, match: str, after: int, upto: int | None = None, count: int = 500) -> list[Entry]:
        return self._logs.get(match, [])[after : min(after + count, after + count if upto is None else upto)]

    def _sound(self, match: str) -> Head:
        """The head, if it is at the end of the log."""
        head, length = self.head(match), len(self._logs.get(match, ()))
        if head.version != length:
            raise MatchUnreadableError(match, f"the head is at {head.version}, the log has {length} entries")
        return head

    def answer(self, match: str, key: str) -> str | None:
        return self._answers.get((match, key))

    def save_snapshot(self, match: str, snapshot: bytes) -> None:
        self._snapshots[match] = snapshot

    def matches(self) -> Iterator[str]:
        yield from dict.fromkeys((*self._heads, *self._logs))

    def listing(
        self, before: str | None, count: int, game: str = "", status: str = "", owner: str = ""
    ) -> list[Listed]:
        listed = "created" if owner else "place"
        rows = [
            _row(match, head, head.fields[listed])
            for match, head in self._heads.items()
            if listed in head.fields and owner in ("", head.fields.get("owner"))
        ]
        wanted = [
            row
            for row in rows
            if game in ("", row.game) and status in ("", row.status) and (not before or row.place < before)
        ]
        return sorted(wanted, key=attrgetter("place"), reverse=True)[:count]

    def held(self, token: str) -> Listed | None:
        for match, head in self._heads.items():
            if any(name.startswith("token:") and kept == token for name, kept in head.fields.items()):
                return _row(match, head, "")
        return None

    def idle(self, since_ms: int, count: int) -> list[str]:
        found = sorted((time, match) for match, time in self._touched.items() if time <= now() - since_ms)
        return [match for _, match in found[:count]]

    def idle_ms(self, match: str) -> int | None:
        return now() - self._touched[match] if match in self._touched else None

    def leave_idle(self, match: str, since_ms: int) -> None:
        if match in self._touched:
            self._touched[match] = max(self._touched[match], now() - since_ms)

    def checks(self) -> dict[str, str]:
        return {"store": "ok"}


def _row(match: str, head: Head, place: str) -> Listed:
    fields = row_fields({**head.fields, "version": str(head.version)})
    return Listed(place, match, fields.get("game", ""), fields.get("status", ""), fields=fields)
