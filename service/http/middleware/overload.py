"""How many requests a process works on at once; past that it says so at once, and nothing is done.

A request is admitted when it has come whole: dripping takes no place. Nor does waiting for news, in a long
poll or on a stream: streams have places of their own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from flask import Flask, current_app, g, request

from service.http.protocol.problems import Problem

ALWAYS_ANSWERED = "/livez"
RETRY_AFTER_S = 1


class Admission:
    """The requests that a process works on."""

    def __init__(self, most: int) -> None:
        self.most, self.taken = most, 0
        self._lock = Lock()

    def enter(self, *, at_any_rate: bool = False) -> bool:
        """Whether one more is admitted."""
        with self._lock:
            if self.taken >= self.most and not at_any_rate:
                return False
            self.taken += 1
            return True

    def leave(self) -> None:
        """One is done."""
        with self._lock:
            self.taken -= 1


def install(app: Flask, most: int) -> None:
    """Admit so many requests at once."""
    app.extensions["admission"] = Admission(most)
    app.before_request(_admit)
    app.teardown_request(_let_go)


@contextmanager
def stepped_aside() -> Iterator[None]:
    """The request waits for something that may take long: meanwhile another may have its place."""
    admission: Admission = current_app.extensions["admission"]
    admission.leave()
    try:
        yield
    finally:
        admission.enter(at_any_rate=True)


def _admit() -> None:
    if request.path == ALWAYS_ANSWERED:
        return
    admission: Admission = current_app.extensions["admission"]
    if not admission.enter():
        detail = f"The process works on {admission.most} requests already; nothing was done."
        raise Problem("overloaded", detail, {"Retry-After": str(RETRY_AFTER_S)})
    g.admitted = admission


def _let_go(_: BaseException | None) -> None:
    if (admission := g.pop("admitted", None)) is not None:
        admission.leave()
