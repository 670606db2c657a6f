"""Repeated writes to webhooks: with the same Idempotency-Key they get the first answer, for 24 hours.

The answer is stored in one step with the change, and is sent whatever has happened since: the webhook may
have been changed, disabled or deleted. Only a caller who still holds the same token or API key gets it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from flask import Response

from service.http.judgement.callers import dependencies, keyed_id
from service.http.judgement.sent import idempotency_key, sent
from service.http.judgement.webhook_owners import admit_owner
from service.matches.requests import KeyReusedError
from service.webhooks.model import Delivery, FirstAnswer, Webhook


@dataclass(frozen=True, slots=True)
class Keyed:
    """A request with a key: the id it is known by, and the fingerprint of what it asks."""

    id: str
    of: str


def keyed_request(by: str) -> Keyed | None:
    """The request by its key, among those of its owner; None without a key."""
    repeat = idempotency_key()
    return None if repeat is None else Keyed(keyed_id(f"webhooks/{by}/{repeat}").hex(), sent().fingerprint)


def kept_for(asked: Keyed | None, webhook: Webhook, delivery: Delivery | None = None) -> FirstAnswer | None:
    """The answer to keep for repeats, if the request has a key."""
    return None if asked is None else FirstAnswer(asked.id, asked.of, webhook, delivery)


def first_answer(asked: Keyed | None, again: Callable[[FirstAnswer], Response]) -> Response | None:
    """The answer that the same request got before, if any; KeyReusedError if it was another request.

    404 for a caller who no longer holds the token or API key they used.
    """
    known = None if asked is None else dependencies().webhooks.first_answer(asked.id)
    if asked is None or known is None:
        return None
    admit_owner(known.hook)
    if known.of != asked.of:
        raise KeyReusedError("This Idempotency-Key was used with another request.")
    return again(known)


def answered_meanwhile(asked: Keyed | None, again: Callable[[FirstAnswer], Response]) -> Response:
    """The answer to an identical request that arrived at the same time and was first."""
    found = first_answer(asked, again)
    assert found is not None, "it was kept with what was done"
    return found
