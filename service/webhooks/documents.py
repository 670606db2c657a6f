"""Webhooks and deliveries as their owner sees them, as JSON; the description is made of the shapes."""

from collections.abc import Mapping, Sequence
from typing import Annotated, TypeAlias, TypedDict

from service.clock import iso
from service.matches.documents import NextPage
from service.webhooks.model import EVENTS, PING, Delivery, Progress, Webhook

Event: TypeAlias = Annotated[str, {"enum": [*EVENTS]}]
PARTS = ("rotate", "ping", "deliveries")


class WebhookDocument(TypedDict):
    """A webhook, as its owner sees it."""

    id: str
    url: str
    match: Annotated[str | None, "null: all matches that the API key may see."]
    events: Sequence[Event]
    enabled: bool
    disabled_because: Annotated[str | None, "Why nothing is sent; null if it is enabled."]
    created_at: str
    links: Mapping[str, str]


class WebhookWithSecret(WebhookDocument):
    """A webhook with its signing secret, which is shown only once."""

    secret: Annotated[str, "`whsec_…`, in the format that Standard Webhooks libraries expect."]


class WebhookList(TypedDict):
    """Your webhooks, oldest first."""

    items: Sequence[WebhookDocument]


class DeliveryDocument(TypedDict):
    """A message to a webhook, and how its delivery is going."""

    id: Annotated[str, "Also the header `webhook-id`, the same for every attempt."]
    type: Annotated[str, {"enum": [*EVENTS, PING]}]
    match: str | None
    status: Progress
    attempts: int
    response_status: Annotated[int | None, "The status of the last attempt."]
    response: Annotated[str, "The beginning of the answer, or why there was none."]
    created_at: str
    attempted_at: str | None
    next_attempt_at: Annotated[str | None, "null: there will be no further attempt."]


class DeliveryPage(TypedDict):
    """A page of the deliveries of a webhook, newest first."""

    items: Sequence[DeliveryDocument]
    next: NextPage


def webhook_document(webhook: Webhook) -> WebhookDocument:
    """A webhook without its secrets."""
    own = f"/v1/webhooks/{webhook.id}"
    return {
        "id": webhook.id,
        "url": webhook.url,
        "match": webhook.match,
        "events": webhook.events,
        "enabled": webhook.disabled is None,
        "disabled_because": webhook.disabled,
        "created_at": iso(webhook.created),
        "links": {"self": own, **{part: f"{own}/{part}" for part in PARTS}},
    }


def delivery_document(delivery: Delivery) -> DeliveryDocument:
    """A delivery, without its body."""
    return {
        "id": delivery.id,
        "type": delivery.type,
        "match": delivery.match,
        "status": delivery.progress,
        "attempts": delivery.attempts,
        "response_status": delivery.status_code,
        "response": delivery.response,
        "created_at": iso(delivery.created),
        "attempted_at": None if delivery.attempted is None else iso(delivery.attempted),
        "next_attempt_at": None if delivery.due is None else iso(delivery.due),
    }
