"""The shapes of webhooks: what is asked, what is answered, and what receivers are sent."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from domain.match.state import STATUSES
from service.hooks import EVENTS, PING
from service.http.api import Api
from service.http.digits import Digits
from service.http.fields import Truth
from service.http.requests import Strict, said

URL = said("http or https, at a public address; no credentials, no fragment. Redirects are not followed.")
FILTER: dict[str, Any] = {"validate": [validate.Length(1, len(EVENTS)), validate.ContainsOnly(EVENTS)]}


def some_events(**more: Any) -> fields.Field[Any]:
    """A list of kinds of news."""
    kind = fields.String(validate=validate.OneOf(EVENTS))
    return fields.List(kind, metadata=said("Of what to be told; everything otherwise."), **more)


class RegisterWebhookRequest(Strict):
    """A webhook to be registered."""

    url = fields.String(required=True, validate=validate.Length(1, 500), metadata=URL)
    match = fields.String(
        metadata=said(
            "Only this match; needed with a seat's or the host's token. Otherwise all that the key may see."
        )
    )
    events = some_events(**FILTER)


class ChangeWebhookRequest(Strict):
    """What is to be changed of a webhook."""

    url = fields.String(validate=validate.Length(1, 500), metadata=URL)
    events = some_events(**FILTER)
    enabled = Truth(metadata=said("true: send again after it was disabled; false: send nothing more."))

    @validates_schema
    def something(self, given: dict[str, Any], **_: Any) -> None:
        """At least one thing is to be changed."""
        if not given:
            raise ValidationError("Must name what to change: url, events or enabled.")


class OwnWebhooksQuery(Strict):
    """Whose webhooks."""

    match = fields.String(metadata=said("The match of the token; not needed with an API key."))


class DeliveriesQuery(Strict):
    """Which deliveries."""

    limit = Digits(load_default=50, validate=validate.Range(1, 200), metadata=said("The most in a page."))
    cursor = fields.String(
        validate=validate.Length(max=150), metadata=said("From `next` of the page before.")
    )


class WebhookDocument(Schema):
    """A webhook, as only whoever registered it may see it."""

    id = fields.String(required=True)
    url = fields.String(required=True)
    match = fields.String(required=True, allow_none=True, metadata=said("null: all that the key may see."))
    events = fields.List(fields.String(validate=validate.OneOf(EVENTS)), required=True)
    enabled = fields.Boolean(required=True)
    disabled_because = fields.String(required=True, allow_none=True, metadata=said("Why nothing is sent."))
    created_at = fields.String(required=True)
    links = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class WebhookWithSecret(WebhookDocument):
    """A webhook with its signing secret, which is shown this once."""

    secret = fields.String(
        required=True, metadata=said("`whsec_…`, as the libraries of Standard Webhooks take it.")
    )


class WebhookList(Schema):
    """The caller's webhooks, oldest first."""

    items = fields.List(fields.Nested(WebhookDocument), required=True)


class DeliveryDocument(Schema):
    """News on their way to a webhook."""

    id = fields.String(
        required=True, metadata=said("Also the header `webhook-id`, the same at every attempt.")
    )
    type = fields.String(required=True, validate=validate.OneOf([*EVENTS, PING]))
    match = fields.String(required=True, allow_none=True)
    status = fields.String(required=True, validate=validate.OneOf(["pending", "delivered", "failed"]))
    attempts = fields.Integer(required=True)
    response_status = fields.Integer(required=True, allow_none=True, metadata=said("Of the last attempt."))
    response = fields.String(
        required=True, metadata=said("The beginning of what was answered, or why there was no answer.")
    )
    created_at = fields.String(required=True)
    attempted_at = fields.String(required=True, allow_none=True)
    next_attempt_at = fields.String(required=True, allow_none=True, metadata=said("null: none is to come."))


class DeliveryPage(Schema):
    """A page of the deliveries of a webhook, newest first."""

    items = fields.List(fields.Nested(DeliveryDocument), required=True)
    next = fields.String(required=True, allow_none=True, metadata=said("The cursor of the next page."))


class MatchNews(Schema):
    """What has happened to a match; no more than a spectator sees."""

    match = fields.String(required=True)
    version = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    to_act = fields.List(fields.Integer(), required=True, metadata=said("The seats that owe a decision."))
    seats = fields.List(fields.Integer(), metadata=said("Of `match.turn`: the seats that owe one newly."))
    link = fields.String(required=True, metadata=said("Where the match is at this version."))


class PingNews(Schema):
    """Of a test."""

    webhook = fields.String(required=True)


class MatchMessage(Schema):
    """The body of news about a match."""

    type = fields.String(required=True, validate=validate.OneOf(EVENTS))
    timestamp = fields.String(required=True, metadata=said("When it happened."))
    data = fields.Nested(MatchNews, required=True)


class PingMessage(Schema):
    """The body of a test."""

    type = fields.String(required=True, validate=validate.Equal(PING))
    timestamp = fields.String(required=True)
    data = fields.Nested(PingNews, required=True)


TOLD = {
    "match.started": "All seats are taken: a match has started.",
    "match.turn": "A seat has come to owe a decision.",
    "match.finished": "A match is scored.",
    "match.closed": "A match was closed before its end.",
    PING: "Somebody tests a webhook.",
}
RECEIVED = "messages"  # a tag of their own: generators make a file a tag, one of the calls and one of these
SIGNED = ("webhook-id", "webhook-timestamp", "webhook-signature")


def describe_messages(api: Api) -> None:
    """The section `webhooks` of the description: what receivers are sent."""
    for name, schema in (("MatchMessage", MatchMessage), ("PingMessage", PingMessage)):
        api.spec.components.schema(name, schema=schema)
    api.spec.tag({"name": RECEIVED, "description": "What receivers of webhooks are sent."})
    api.spec.options["webhooks"] = {name: {"post": _message(name)} for name in TOLD}


def _message(name: str) -> dict[str, Any]:
    shape = "PingMessage" if name == PING else "MatchMessage"
    headers = [
        {"in": "header", "name": told, "required": True, "schema": {"type": "string"}} for told in SIGNED
    ]
    return {
        "operationId": "receive" + name.title().replace(".", ""),
        "summary": TOLD[name],
        "description": "Signed as Standard Webhooks 1.0 says; `webhook-id` is the same at every attempt.",
        "tags": [RECEIVED],
        "parameters": headers,
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{shape}"}}},
        },
        "responses": {
            "2XX": {"description": "Taken; anything else is tried again."},
            "410": {"description": "Send nothing more: the webhook is disabled."},
        },
    }
