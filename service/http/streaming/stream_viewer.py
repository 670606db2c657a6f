"""Stream viewers: whose eyes a stream has, by token, API key or ticket, checked again with each commit."""

from collections.abc import Callable
from dataclasses import dataclass

from domain.game import Viewer
from service.auth.api_keys import ApiKeys
from service.auth.tickets import Ticket, redeem
from service.auth.tokens import holder_of
from service.http.judgement.callers import actor, api_key, credential, dependencies, principal, shown_digest
from service.http.protocol.problems import Problem, unauthorized
from service.matches.aggregate import Aggregate
from service.matches.views import viewer_of


@dataclass(frozen=True, slots=True)
class StreamViewer:
    """The viewer, the caller who is counted, and a check that they may still watch."""

    viewer: Viewer
    caller: str
    holds: Callable[[Aggregate], bool]


def of_caller(loaded: Aggregate) -> StreamViewer:
    """By the header Authorization, or as a spectator without one."""
    viewer, shown, keys = viewer_of(actor(loaded)), credential(), dependencies().keys
    if shown is None:
        return StreamViewer(viewer, principal(), lambda _: True)
    holder = shown.digest
    if shown.is_api_key:
        return StreamViewer(viewer, principal(), _by_key(keys, holder))
    return StreamViewer(viewer, principal(), _by_token(holder, holder_of(holder, loaded.fields)))


def of_ticket(loaded: Aggregate, shown: str, place: str) -> StreamViewer:
    """By a ticket for this place, which is used up; 401 if it is not valid, or no longer."""
    ticket = redeemed(shown, place)
    holds = (
        _by_token(ticket.holder, ticket.actor)
        if ticket.actor
        else _by_key(dependencies().keys, ticket.holder)
    )
    if not holds(loaded):
        raise ticket_invalid()
    return StreamViewer(viewer_of(ticket.actor), f"token:{ticket.holder[:32]}", holds)


def redeemed(shown: str, place: str) -> Ticket:
    """The rights of a ticket; 401 if it is not valid for this place, or no longer."""
    ticket = redeem(dependencies().tickets, shown)
    if ticket is None or ticket.place != place:
        raise ticket_invalid()
    return ticket


def needed_key() -> str:
    """The digest of the caller's API key; 401 without one."""
    if api_key() is None:
        raise unauthorized("token_missing", "Send an API key: Authorization: Bearer <key>.")
    return shown_digest()


def ticket_invalid() -> Problem:
    """The refusal of a ticket, which does not say why."""
    return unauthorized("ticket_invalid", "The ticket is unknown, used, expired or for another stream.")


def _by_token(holder: str, who: str | None) -> Callable[[Aggregate], bool]:
    return lambda loaded: holder_of(holder, loaded.fields) == who


def _by_key(keys: ApiKeys, holder: str) -> Callable[[Aggregate], bool]:
    return lambda _: keys.find(holder) is not None
