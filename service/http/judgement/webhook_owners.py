"""The owner of a webhook, an API key or a token: only they see and change it."""

import hmac
from collections.abc import Mapping
from typing import Any

from flask import Response

from domain.match.actors import Host, Seat, read_actor
from service.http.judgement.callers import (
    api_key,
    dependencies,
    find,
    play,
    principal,
    required_actor,
    scoped,
    shown_digest,
)
from service.http.middleware.rate_limits import address, admit, recognised
from service.http.protocol.json_answers import json_response
from service.http.protocol.problems import Problem, invalid
from service.matches.visibility import may_see
from service.settings import settings
from service.webhooks.documents import WebhookWithSecret, webhook_document
from service.webhooks.model import EVENTS, SCOPE, Webhook, entitled
from service.webhooks.url_policy import refusal

PRIVATE = {"Cache-Control": "no-store"}


def owner() -> str:
    """The caller as an owner of webhooks: an API key with the scope, or a token of a match; 401, 403."""
    digest = shown_digest()
    if api_key() is None:
        return f"token:{digest}"
    id_ = scoped(SCOPE).id
    admit()
    return f"key:{id_}"


def account(by: str) -> str:
    """Whose account the receiver's time is charged to: the API key, or the caller's address.

    Anyone can get a match and its tokens. The address is kept as a keyed digest.
    """
    if by.startswith("key:"):
        return by
    secret = dependencies().deployment.secret()
    return "address:" + hmac.digest(secret, address().encode(), "sha256").hex()[:32]


def whose(match: str | None) -> tuple[str, str | None]:
    """The actor of the token (an empty string for an API key), and the match of the webhook."""
    key = api_key()
    if match is None:
        if key is None:
            raise invalid(
                (
                    "/match",
                    "Required with a token of a match, which can register webhooks for that match only.",
                )
            )
        return "", None
    loaded = find(match)
    if key is not None:
        if not may_see(key, loaded):
            raise Problem("match_not_found", f"This API key can see no match {match}.")
        return "", match
    actor = required_actor(loaded)
    if not isinstance(read_actor(actor), Host | Seat):
        raise Problem("seat_required", f"Only seats and the host can have webhooks; you are {actor}.")
    return actor, match


def check_url(given: Mapping[str, Any]) -> None:
    """422 for a URL that messages may not be sent to."""
    if "url" in given and (wrong := refusal(given["url"], settings().webhook_hosts)) is not None:
        raise invalid(("/url", wrong))


def events_of(given: Mapping[str, Any]) -> tuple[str, ...]:
    """The requested events, each once; all by default."""
    wanted = given.get("events", EVENTS)
    return tuple(kind for kind in EVENTS if kind in wanted)


def own(id_: str) -> Webhook:
    """The caller's webhook; 404 unless they registered it and still hold the key or token they used."""
    who, webhook = owner(), dependencies().webhooks.find(id_)
    if webhook is None or webhook.owner != who:
        raise not_found(id_)
    admit_owner(webhook)
    return webhook


def admit_owner(webhook: Webhook) -> None:
    """Count the owner of a webhook; 404 if they no longer hold what they registered it with."""
    head = play().journal.head(webhook.match or "").fields if webhook.actor else {}
    if not entitled(webhook, dependencies().keys, head):
        raise not_found(webhook.id)
    recognised(principal())
    admit()


def enabled(id_: str) -> Webhook:
    """The caller's webhook, as `own`; 409 if it is disabled."""
    webhook = own(id_)
    if webhook.disabled is not None:
        raise Problem("webhook_disabled", webhook.disabled)
    return webhook


def not_found(id_: str) -> Problem:
    """The 404 for a webhook that does not exist or is not the caller's."""
    return Problem("webhook_not_found", f"You have no webhook {id_[:40]}.")


def with_secret(webhook: Webhook, status: int, *, replayed: bool = False) -> Response:
    """A webhook with its current secret: the answer that shows it."""
    headers = PRIVATE | {"Location": f"/v1/webhooks/{webhook.id}"} if status == 201 else dict(PRIVATE)
    if replayed:
        headers["Idempotent-Replayed"] = "true"
    document: WebhookWithSecret = {**webhook_document(webhook), "secret": webhook.secrets[0].shown}
    return json_response(document, status, headers)
