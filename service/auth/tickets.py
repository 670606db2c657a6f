"""Tickets: for 60 seconds and one stream a ticket stands for a token or an API key, which no URL may hold.

Only a ticket's SHA-256 is kept, and of the token what is kept of it anyhow.
"""

from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Protocol

from service.auth.tokens import digest

PREFIX = "bricabrac_ticket_"
LIFETIME_S = 60


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a ticket stands for: whose token (`seat:0`, `host`, or an API key's: empty), by its digest.

    `place` is the path that it opens.
    """

    place: str
    actor: str
    holder: str


class Tickets(Protocol):
    """The port of the tickets that nobody has used yet."""

    def keep(self, digest: str, ticket: Ticket, seconds: int) -> None:
        """Keep a ticket for so long."""

    def take(self, digest: str) -> Ticket | None:
        """The ticket, which is used up from now on; None if it is unknown or was removed."""


def new_ticket(tickets: Tickets, ticket: Ticket) -> str:
    """What is shown of a fresh ticket."""
    shown = PREFIX + token_urlsafe(32)
    tickets.keep(digest(shown), ticket, LIFETIME_S)
    return shown


def redeem(tickets: Tickets, shown: str) -> Ticket | None:
    """What a ticket stands for, once; None where it is unknown, used or too old."""
    return tickets.take(digest(shown)) if shown.startswith(PREFIX) else None
