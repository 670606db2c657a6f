"""On what a stream stands: whose eyes, by which token, key or ticket; asked again each time there is news."""

from collections.abc import Callable
from dataclasses import dataclass

from domain.game import Viewer
from service.http.callers import actor, api_key, credential, principal, side
from service.http.problems import Problem, unauthorized
from service.keys import KeyRing
from service.loaded import Loaded
from service.tickets import Ticket, redeem
from service.tokens import holder_of
from service.views import viewer_of


@dataclass(frozen=True, slots=True)
class Standing:
    """Who looks, who is counted, and whether he still may look."""

    viewer: Viewer
    caller: str
    holds: Callable[[Loaded], bool]


def of_caller(loaded: Loaded) -> Standing:
    """By the header Authorization, or without one as a spectator."""
    viewer, holder, keys = viewer_of(actor(loaded)), credential(), side().keys
    if holder is None:
        return Standing(viewer, principal(), lambda _: True)
    if api_key() is not None:
        return Standing(viewer, principal(), _by_key(keys, holder))
    return Standing(viewer, principal(), _by_token(holder, holder_of(holder, loaded.fields)))


def of_ticket(loaded: Loaded, shown: str, place: str) -> Standing:
    """By a ticket for this place, which is used by this; 401 where it is none, or none any more."""
    ticket = redeemed(shown, place)
    holds = _by_token(ticket.holder, ticket.actor) if ticket.actor else _by_key(side().keys, ticket.holder)
    if not holds(loaded):
        raise ticket_invalid()
    return Standing(viewer_of(ticket.actor), f"token:{ticket.holder[:32]}", holds)


def redeemed(shown: str, place: str) -> Ticket:
    """What a ticket stands for; 401 where it is none for this place, or none any more."""
    ticket = redeem(side().tickets, shown)
    if ticket is None or ticket.place != place:
        raise ticket_invalid()
    return ticket


def needed_key() -> str:
    """The digest of the API key that calls; 401 without one."""
    holder = credential()
    if holder is None or api_key() is None:
        raise unauthorized("token_missing", "An API key is needed: Authorization: Bearer <key>.")
    return holder


def ticket_invalid() -> Problem:
    """The refusal of a ticket, which does not say why."""
    return unauthorized("ticket_invalid", "This ticket is unknown, used, too old, or for something else.")


def _by_token(holder: str, who: str | None) -> Callable[[Loaded], bool]:
    return lambda loaded: holder_of(holder, loaded.fields) == who


def _by_key(keys: KeyRing, holder: str) -> Callable[[Loaded], bool]:
    return lambda _: keys.find(holder) is not None
