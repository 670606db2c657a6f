"""A writer who never stops, whatever becomes of his server."""

from threading import Event, Thread
from typing import Self

from service.redis_store.journal import RedisJournal
from service.store.journal import Accepted, Done, Head, OutcomeUnknownError, StoreUnavailableError
from tests.servers import until
from tests.service.redis_store.appends import appending, head_after


class Writer:
    """Appends without a pause, and again with the same key whenever the outcome is unknown."""

    def __init__(self, journal: RedisJournal, match: str) -> None:
        self.journal, self.match = journal, match
        self.acknowledged: list[tuple[int, bytes]] = []
        self.lost = 0
        self.failure: BaseException | None = None
        self._stop = Event()
        self._thread = Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End with what is acknowledged by now."""
        self._stop.set()
        self._thread.join()

    def wait_for(self, more: int) -> None:
        """Wait until so many commits more are acknowledged."""
        wanted = len(self.acknowledged) + more
        until(lambda: len(self.acknowledged) >= wanted or self.failure is not None)

    def _run(self) -> None:
        try:
            head, number = Head(), 0
            while not self._stop.is_set():
                append = appending(
                    self.match, head, count=1 + number % 3, key=f"{number}", answer=f"{number}"
                )
                try:
                    answer = self.journal.append(append)
                except (OutcomeUnknownError, StoreUnavailableError):
                    self.lost += 1
                    self._stop.wait(0.005)
                    continue
                assert answer in (Accepted(), Done(f"{number}")), answer
                self.acknowledged += [(entry.version, entry.record) for entry in append.entries]
                head, number = head_after(append), number + 1
        except Exception as failure:  # noqa: BLE001  whatever it is, the test says it
            self.failure = failure
