"""Webhooks: register, list, read, change and delete them, and rotate their secrets."""

from base64 import b32encode
from collections.abc import Callable
from dataclasses import replace
from secrets import token_bytes
from typing import Any

from flask import Response

from service.http.judgement.callers import (
    dependencies,
    play,
    shown_digest,
)
from service.http.judgement.sent import sent
from service.http.judgement.webhook_owners import (
    PRIVATE,
    account,
    check_url,
    events_of,
    not_found,
    own,
    owner,
    whose,
    with_secret,
)
from service.http.judgement.webhook_repeats import answered_meanwhile, first_answer, kept_for, keyed_request
from service.http.middleware.rate_limits import admit
from service.http.openapi.blueprint import Blueprint, body_of
from service.http.openapi.webhook_schemas import (
    ChangeWebhookRequest,
    OwnWebhooksQuery,
    RegisterWebhookRequest,
)
from service.http.protocol.json_answers import json_response
from service.http.protocol.problems import Problem
from service.webhooks.documents import WebhookDocument, WebhookList, WebhookWithSecret, webhook_document
from service.webhooks.model import (
    MOST_HOOKS,
    FirstAnswer,
    RepeatedError,
    Secret,
    Webhook,
    new_secret,
    turn_secret,
)

blueprint = Blueprint(
    "webhooks", __name__, url_prefix="/v1/webhooks", description="Notifications of turns and results."
)
REGISTER, CHANGE = RegisterWebhookRequest(), ChangeWebhookRequest()
BY_OWNER = "Its owner disabled it."


@blueprint.route("", methods=["POST"])
@blueprint.operation(
    "registerWebhook",
    "scope_required",
    "seat_required",
    "match_not_found",
    "match_unreadable",
    "webhook_not_found",
    "too_many_webhooks",
    requestBody=body_of(RegisterWebhookRequest, "Where to send notifications, and which."),
    headers=["Authorization", "Idempotency-Key"],
)
@blueprint.response(201, WebhookWithSecret)
def register() -> Response:
    """Register a webhook.

    The answer contains its signing secret, which is shown only once. [Webhooks](/docs/integrating#webhooks)
    shows how to check a signature. Your receiver must have a public address; to develop without one, ask the
    operator to allow your host (the setting `WEBHOOK_HOSTS`).
    """
    by = owner()
    asked = keyed_request(by)
    if (again := first_answer(asked, _registered_before)) is not None:
        return again
    given = sent().read(REGISTER)
    actor, match = whose(given.get("match"))
    admit()
    check_url(given)
    webhook = Webhook(
        id="h_" + b32encode(token_bytes(16)).rstrip(b"=").decode().lower(),
        url=given["url"],
        owner=by,
        digest=shown_digest(),
        actor=actor,
        match=match,
        events=events_of(given),
        secrets=(Secret(new_secret()),),
        created=play().clock(),
        charged=account(by),
    )
    match dependencies().webhooks.add(webhook, kept_for(asked, webhook)):
        case "full":
            raise Problem("too_many_webhooks", f"You have {MOST_HOOKS} webhooks, which is the maximum.")
        case "known":  # the same request, at the same time
            return answered_meanwhile(asked, _registered_before)
        case "added":
            return with_secret(webhook, 201)


def _registered_before(first: FirstAnswer) -> Response:
    return with_secret(first.hook, 201, replayed=True)


@blueprint.route("")
@blueprint.operation(
    "listWebhooks", "scope_required", "match_not_found", "match_unreadable", headers=["Authorization"]
)
@blueprint.arguments(OwnWebhooksQuery(), location="query")
@blueprint.response(200, WebhookList)
def list_webhooks(query: dict[str, Any]) -> Response:
    """List your webhooks.

    With a token of a match, `match` is required.
    """
    by = owner()
    whose(query.get("match"))
    owned, match = dependencies().webhooks.of_owner(by), query.get("match")
    listed = [webhook_document(webhook) for webhook in owned if match in (None, webhook.match)]
    document: WebhookList = {"items": listed}
    return json_response(document, headers=PRIVATE)


@blueprint.route("/<webhook_id>")
@blueprint.operation("getWebhook", "scope_required", headers=["Authorization"])
@blueprint.response(200, WebhookDocument)
def get_webhook(webhook_id: str) -> Response:
    """Read a webhook.

    Its secret is not shown again.
    """
    return json_response(webhook_document(own(webhook_id)), headers=PRIVATE)


@blueprint.route("/<webhook_id>", methods=["PATCH"])
@blueprint.operation(
    "changeWebhook",
    "scope_required",
    "outcome_unknown",
    requestBody=body_of(ChangeWebhookRequest, "The fields to change. The others stay as they are."),
    headers=["Authorization"],
)
@blueprint.response(200, WebhookDocument)
def change_webhook(webhook_id: str) -> Response:
    """Change a webhook.

    You can change its URL and its events, and disable or enable it. `enabled: true` resumes a webhook that
    was disabled.
    """
    webhook = own(webhook_id)
    given = sent().read(CHANGE)
    check_url(given)

    def changed(known: Webhook) -> Webhook:
        known = replace(known, url=given.get("url", known.url))
        if "events" in given:
            known = replace(known, events=events_of(given))
        if "enabled" in given:
            known = replace(known, disabled=None if given["enabled"] else known.disabled or BY_OWNER)
        return known

    done = _changed(webhook, changed)
    if given.get("enabled"):
        dependencies().webhooks.resume(webhook.id)
    return json_response(webhook_document(done), headers=PRIVATE)


@blueprint.route("/<webhook_id>", methods=["DELETE"])
@blueprint.operation("deleteWebhook", "scope_required", "outcome_unknown", headers=["Authorization"])
@blueprint.response(204)
def delete_webhook(webhook_id: str) -> Response:
    """Delete a webhook.

    Nothing more is sent. The list of its deliveries is deleted too.
    """
    if not dependencies().webhooks.remove(own(webhook_id)):
        raise not_found(webhook_id)
    return Response(status=204)


@blueprint.route("/<webhook_id>/rotate", methods=["POST"])
@blueprint.operation("rotateWebhookSecret", "scope_required", headers=["Authorization", "Idempotency-Key"])
@blueprint.response(200, WebhookWithSecret)
def rotate(webhook_id: str) -> Response:
    """Rotate the signing secret.

    The new secret is shown only once. Older secrets sign too for 24 hours.
    """
    by = owner()
    sent().nothing()
    asked = keyed_request(by)
    if (again := first_answer(asked, _turned_before)) is not None:
        return again
    webhook, now = own(webhook_id), play().clock()
    try:
        turned = dependencies().webhooks.change(
            webhook.id, lambda known: turn_secret(known, now), lambda known: kept_for(asked, known)
        )
    except RepeatedError:
        return answered_meanwhile(asked, _turned_before)
    if turned is None:
        raise not_found(webhook.id)
    return with_secret(turned, 200)


def _turned_before(first: FirstAnswer) -> Response:
    return with_secret(first.hook, 200, replayed=True)


def _changed(webhook: Webhook, new: Callable[[Webhook], Webhook]) -> Webhook:
    changed = dependencies().webhooks.change(webhook.id, new)
    if changed is None:
        raise not_found(webhook.id)
    return changed
