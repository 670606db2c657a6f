"""The base of every refusal and failure of the service: its HTTP status and problem code come with the class.

A subclass that names no status or no code is refused by mypy, and again when Python defines it:

    class SeatTakenError(ServiceError, status=409, code="seat_taken"):

A test holds every code against the table of problems in `service.http.protocol.problems`.
"""

from typing import ClassVar


class ServiceError(Exception):
    """What the service refuses or fails at; its message is for the operator, `detail` for the caller."""

    status: ClassVar[int]
    code: ClassVar[str]
    retry_after_s: ClassVar[int | None]

    def __init_subclass__(cls, *, status: int, code: str, retry_after_s: int | None = None) -> None:
        super().__init_subclass__()
        cls.status, cls.code, cls.retry_after_s = status, code, retry_after_s

    @property
    def detail(self) -> str:
        """What the caller reads; an error whose message names internals says something else here."""
        return str(self)


class MatchUnreadableError(ServiceError, status=503, code="match_unreadable", retry_after_s=60):
    """A match that cannot be read here: what its log needs is not installed, or its log or head is damaged.

    It concerns this match alone: what serves many (feed, lists, relay, webhooks) goes on without it.
    """

    def __init__(self, match: str, reason: str) -> None:
        super().__init__(f"{match}: {reason}")
        self.match, self.reason = match, reason

    @property
    def detail(self) -> str:
        """Names what is missing; it is no secret."""
        return f"The match cannot be read here: {self.reason}."
