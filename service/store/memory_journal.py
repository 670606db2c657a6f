"""The journal in memory, for simulations and tests: the same promises until its process ends."""

from collections.abc import Iterator
from threading import Lock

from service.errors import MatchUnreadableError
from service.log.record import Entry
from service.store.journal import LISTED_FIELDS, Accepted, Append, Appended, Conflict, Done, Head, Listed


class MemoryJournal:
    """Journal over dictionaries; answers and snapshots never expire."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._heads: dict[str, Head] = {}
        self._logs: dict[str, list[Entry]] = {}
        self._answers: dict[tuple[str, str], str] = {}
        self._snapshots: dict[str, bytes] = {}
        self._places: dict[str, str] = {}

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
        self._heads[match] = Head(head.version + len(append.entries), append.hash, fields)
        if append.key is not None:
            self._answers[match, append.key] = append.answer
        if append.place:
            self._places[match] = append.place

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
        yield from dict.fromkeys((*self._heads, *self._logs, *self._places))

    def listing(self, before: str | None, count: int) -> list[Listed]:
        rows = sorted(((place, match) for match, place in self._places.items()), reverse=True)
        page = [row for row in rows if before is None or row[0] < before][:count]
        return [Listed(*row, self._listed(row[1])) for row in page]

    def _listed(self, match: str) -> dict[str, str]:
        fields = self.head(match).fields
        return {name: fields[name] for name in LISTED_FIELDS} if fields.keys() >= {*LISTED_FIELDS} else {}

    def checks(self) -> dict[str, str]:
        return {"store": "ok"}
