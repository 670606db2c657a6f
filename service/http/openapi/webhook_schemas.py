"""Requests about webhooks, and the section of the description on the messages that receivers get."""

from typing import Any

from apispec import APISpec
from marshmallow import ValidationError, fields, validate, validates_schema

from service.http.openapi.command_schemas import Truth
from service.http.openapi.requests import Strict, said
from service.http.openapi.response_schemas import response_schema
from service.http.protocol.integers import Digits
from service.webhooks.messages import MatchMessage, PingMessage
from service.webhooks.model import EVENTS, PING

URL = said(
    "http or https, at a public address, without credentials or fragment. Redirects are not followed. To"
    " develop on your own machine, run a service whose setting WEBHOOK_HOSTS allows your host."
)
FILTER: dict[str, Any] = {"validate": [validate.Length(1, len(EVENTS)), validate.ContainsOnly(EVENTS)]}


def some_events(**more: Any) -> fields.Field[Any]:
    """A list of event types."""
    kind = fields.String(validate=validate.OneOf(EVENTS))
    return fields.List(kind, metadata=said("The events to send; all of them by default."), **more)


class RegisterWebhookRequest(Strict):
    """A webhook to register."""

    url = fields.String(required=True, validate=validate.Length(1, 500), metadata=URL)
    match = fields.String(
        metadata=said(
            "Only this match; required with a token of a seat or the host. By default, all that the API key"
            " may see."
        )
    )
    events = some_events(**FILTER)


class ChangeWebhookRequest(Strict):
    """What to change about a webhook."""

    url = fields.String(validate=validate.Length(1, 500), metadata=URL)
    events = some_events(**FILTER)
    enabled = Truth(metadata=said("true: resume a disabled webhook. false: send nothing more."))

    @validates_schema
    def something(self, given: dict[str, Any], **_: Any) -> None:
        """Refuses a request that changes nothing."""
        if not given:
            raise ValidationError("Name at least one field to change: url, events or enabled.")


class OwnWebhooksQuery(Strict):
    """Which webhooks to list."""

    match = fields.String(metadata=said("The match of the token. Optional with an API key."))


class DeliveriesQuery(Strict):
    """Which deliveries to list."""

    limit = Digits(
        load_default=50, validate=validate.Range(1, 200), metadata=said("The maximum number in a page.")
    )
    cursor = fields.String(validate=validate.Length(max=150), metadata=said("`next` from the page before."))


TOLD = {
    "match.started": "A match started: all seats are taken.",
    "match.turn": "It is a seat's turn.",
    "match.finished": "A match finished and has its final score.",
    "match.closed": "A match was closed before its end.",
    PING: "A test message.",
}
RECEIVED = "messages"  # a tag of their own: generators make a file a tag, one of the calls and one of these
SIGNED = ("webhook-id", "webhook-timestamp", "webhook-signature")


def describe_messages(spec: APISpec) -> None:
    """The section `webhooks` of the description: the messages that receivers get."""
    for shape in (MatchMessage, PingMessage):
        spec.components.schema(shape.__name__, schema=response_schema(shape))
    spec.tag({"name": RECEIVED, "description": "The messages that webhooks send to your receiver."})
    spec.options["webhooks"] = {name: {"post": _message(name)} for name in TOLD}


def _message(name: str) -> dict[str, Any]:
    shape = PingMessage if name == PING else MatchMessage
    headers = [
        {"in": "header", "name": name, "required": True, "schema": {"type": "string"}} for name in SIGNED
    ]
    return {
        "operationId": "receive" + name.title().replace(".", ""),
        "summary": TOLD[name],
        "description": "Signed as in Standard Webhooks 1.0: [Webhooks](/docs/integrating#webhooks) shows how"
        " to check it. `webhook-id` is the same for every attempt.",
        "tags": [RECEIVED],
        "parameters": headers,
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{shape.__name__}"}}},
        },
        "responses": {
            "2XX": {"description": "Received. Any other status, except 410, is tried again."},
            "410": {"description": "Disables the webhook: nothing more is sent."},
        },
    }
