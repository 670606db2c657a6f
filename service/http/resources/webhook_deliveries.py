"""The deliveries of a webhook: list them, send one again, send a test."""

from dataclasses import replace
from secrets import token_hex
from typing import Any

from flask import Response

from service.clock import iso
from service.http.judgement.callers import dependencies, play
from service.http.judgement.sent import sent
from service.http.judgement.webhook_owners import PRIVATE, enabled, own, owner
from service.http.judgement.webhook_repeats import answered_meanwhile, first_answer, kept_for, keyed_request
from service.http.openapi.blueprint import Blueprint
from service.http.openapi.webhook_schemas import DeliveriesQuery
from service.http.protocol.json_answers import json_response
from service.http.protocol.problems import Problem, invalid
from service.webhooks.documents import DeliveryDocument, DeliveryPage, delivery_document
from service.webhooks.messages import ping_body
from service.webhooks.model import PING, Delivery, FirstAnswer

blueprint = Blueprint(
    "deliveries",
    __name__,
    url_prefix="/v1/webhooks",
    description="The deliveries of webhooks.",
)


@blueprint.route("/<webhook_id>/ping", methods=["POST"])
@blueprint.operation(
    "pingWebhook", "scope_required", "webhook_disabled", headers=["Authorization", "Idempotency-Key"]
)
@blueprint.response(202, DeliveryDocument)
def ping(webhook_id: str) -> Response:
    """Send a test to a webhook.

    It is tried once. The list of deliveries shows the result.
    """
    by = owner()
    sent().nothing()
    asked = keyed_request(by)
    if (again := first_answer(asked, _pinged_before)) is not None:
        return again
    webhook, now = enabled(webhook_id), play().clock()
    name = f"{webhook.id}-ping-{token_hex(16)}"
    delivery = Delivery(name, webhook.id, PING, ping_body(webhook.id, iso(now)), now, due=now)
    match dependencies().webhooks.deliver(delivery, now, kept_for(asked, webhook, delivery)):
        case "full":
            raise Problem("webhook_disabled", "Too many deliveries are waiting for this webhook.")
        case "known":
            return answered_meanwhile(asked, _pinged_before)
        case "added":
            return json_response(delivery_document(delivery), 202, PRIVATE)


def _pinged_before(first: FirstAnswer) -> Response:
    assert first.delivery is not None, "a ping is one"
    document = delivery_document(first.delivery)
    return json_response(document, 202, PRIVATE | {"Idempotent-Replayed": "true"})


@blueprint.route("/<webhook_id>/deliveries")
@blueprint.operation("listDeliveries", "scope_required", headers=["Authorization"])
@blueprint.arguments(DeliveriesQuery(), location="query")
@blueprint.response(200, DeliveryPage)
def list_deliveries(query: dict[str, Any], webhook_id: str) -> Response:
    """List the deliveries to a webhook.

    It shows what was sent in the last week and what is waiting, newest first.
    """
    webhook, limit = own(webhook_id), query["limit"]
    try:
        found = dependencies().webhooks.deliveries(webhook.id, query.get("cursor"), limit + 1)
    except LookupError as unknown:
        raise invalid(("/cursor", "Unknown cursor. Use `next` from the page before.")) from unknown
    following = found[limit - 1].id if len(found) > limit else None
    page: DeliveryPage = {"items": list(map(delivery_document, found[:limit])), "next": following}
    response = json_response(page, headers=PRIVATE)
    if following is not None:
        response.headers["Link"] = (
            f'</v1/webhooks/{webhook.id}/deliveries?limit={limit}&cursor={following}>; rel="next"'
        )
    return response


@blueprint.route("/<webhook_id>/deliveries/<delivery_id>/redeliver", methods=["POST"])
@blueprint.operation(
    "redeliver", "scope_required", "webhook_disabled", "outcome_unknown", headers=["Authorization"]
)
@blueprint.response(202, DeliveryDocument)
def redeliver(webhook_id: str, delivery_id: str) -> Response:
    """Send a delivery again.

    You can do this whatever its status. It is sent with the same `webhook-id`.
    """
    webhook, webhooks = enabled(webhook_id), dependencies().webhooks
    sent().nothing()
    while True:
        kept = webhooks.delivery(delivery_id)
        if kept is None or kept.hook != webhook.id:
            raise Problem("delivery_not_found", f"This webhook has no delivery {delivery_id[:150]}.")
        again = replace(kept, progress="pending", tries=0, due=play().clock())
        if webhooks.settle(kept, again):
            return json_response(delivery_document(again), 202, PRIVATE)
