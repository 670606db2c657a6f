"""The shapes of webhooks: requests, answers, and the messages that receivers get."""

from typing import Any

from apispec import APISpec
from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from domain.match.state import STATUSES
from service.http.openapi.command_schemas import Truth
from service.http.openapi.requests import Strict, said
from service.http.protocol.integers import Digits
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


class WebhookDocument(Schema):
    """A webhook, as its owner sees it."""

    id = fields.String(required=True)
    url = fields.String(required=True)
    match = fields.String(
        required=True, allow_none=True, metadata=said("null: all matches that the API key may see.")
    )
    events = fields.List(fields.String(validate=validate.OneOf(EVENTS)), required=True)
    enabled = fields.Boolean(required=True)
    disabled_because = fields.String(
        required=True, allow_none=True, metadata=said("Why nothing is sent; null if it is enabled.")
    )
    created_at = fields.String(required=True)
    links = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class WebhookWithSecret(WebhookDocument):
    """A webhook with its signing secret, which is shown only once."""

    secret = fields.String(
        required=True, metadata=said("`whsec_…`, in the format that Standard Webhooks libraries expect.")
    )


class WebhookList(Schema):
    """Your webhooks, oldest first."""

    items = fields.List(fields.Nested(WebhookDocument), required=True)


class DeliveryDocument(Schema):
    """A message to a webhook, and how its delivery is going."""

    id = fields.String(
        required=True, metadata=said("Also the header `webhook-id`, the same for every attempt.")
    )
    type = fields.String(required=True, validate=validate.OneOf([*EVENTS, PING]))
    match = fields.String(required=True, allow_none=True)
    status = fields.String(required=True, validate=validate.OneOf(["pending", "delivered", "failed"]))
    attempts = fields.Integer(required=True)
    response_status = fields.Integer(
        required=True, allow_none=True, metadata=said("The status of the last attempt.")
    )
    response = fields.String(
        required=True, metadata=said("The beginning of the answer, or why there was none.")
    )
    created_at = fields.String(required=True)
    attempted_at = fields.String(required=True, allow_none=True)
    next_attempt_at = fields.String(
        required=True, allow_none=True, metadata=said("null: there will be no further attempt.")
    )


class DeliveryPage(Schema):
    """A page of the deliveries of a webhook, newest first."""

    items = fields.List(fields.Nested(DeliveryDocument), required=True)
    next = fields.String(
        required=True, allow_none=True, metadata=said("The cursor of the next page; null on the last page.")
    )


class MatchNews(Schema):
    """What happened to a match; no more than a spectator sees."""

    match = fields.String(required=True)
    version = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    to_act = fields.List(fields.Integer(), required=True, metadata=said("The seats whose turn it is."))
    seats = fields.List(
        fields.Integer(), metadata=said("For `match.turn`: the seats whose turn has just begun.")
    )
    link = fields.String(required=True, metadata=said("The match at this version."))


class PingNews(Schema):
    """What a test message says."""

    webhook = fields.String(required=True)


class MatchMessage(Schema):
    """The body of a message about a match."""

    type = fields.String(required=True, validate=validate.OneOf(EVENTS))
    timestamp = fields.String(required=True, metadata=said("When it happened."))
    data = fields.Nested(MatchNews, required=True)


class PingMessage(Schema):
    """The body of a test message."""

    type = fields.String(required=True, validate=validate.Equal(PING))
    timestamp = fields.String(required=True)
    data = fields.Nested(PingNews, required=True)


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
    for name, schema in (("MatchMessage", MatchMessage), ("PingMessage", PingMessage)):
        spec.components.schema(name, schema=schema)
    spec.tag({"name": RECEIVED, "description": "The messages that webhooks send to your receiver."})
    spec.options["webhooks"] = {name: {"post": _message(name)} for name in TOLD}


def _message(name: str) -> dict[str, Any]:
    shape = "PingMessage" if name == PING else "MatchMessage"
    headers = [
        {"in": "header", "name": told, "required": True, "schema": {"type": "string"}} for told in SIGNED
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
            "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{shape}"}}},
        },
        "responses": {
            "2XX": {"description": "Received. Any other status, except 410, is tried again."},
            "410": {"description": "Disables the webhook: nothing more is sent."},
        },
    }
