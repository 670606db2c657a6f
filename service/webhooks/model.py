"""Webhooks and their deliveries.

A webhook belongs to whoever registered it: an API key, or the very token of a seat or the host. It ends with
the token or key. Secrets are kept as they are, for signing needs them. Every message to a webhook is a
delivery with an id made of what happened, so that what happened once is delivered once.
"""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from secrets import token_bytes
from typing import Literal, TypeAlias

from service.auth.api_keys import ApiKeys
from service.auth.tokens import FIELD
from service.errors import ServiceError

EVENTS = ("match.started", "match.turn", "match.finished", "match.closed")
PING = "ping"
SCOPE = "webhooks"
MOST_HOOKS = 20  # of one owner
MOST_DELIVERIES = 1000  # kept of one webhook, and the most that may be waiting
GRACE_MS = 24 * 60 * 60 * 1000  # how long a secret signs on after it was replaced
MOST_SECRETS = 5  # that sign at once
Progress: TypeAlias = Literal["pending", "delivered", "failed"]


@dataclass(frozen=True, slots=True)
class Secret:
    """A signing secret (`whsec_…`); `until` is when it ends (ms), None for the current one."""

    shown: str
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Webhook:
    """A registered webhook. `owner` is `key:<id>`, or `token:<digest>` with the `actor` whose token it is.

    `match` is None where all matches are meant that the key may see. `disabled` says why nothing is sent.
    `charged` is who pays for the time that its receiver takes: a key, or the address that registered it.
    """

    id: str
    url: str
    owner: str
    digest: str
    actor: str
    match: str | None
    events: tuple[str, ...]
    secrets: tuple[Secret, ...]
    created: int
    disabled: str | None = None
    charged: str = ""

    @property
    def account(self) -> str:
        """Who pays for the time that its receiver takes."""
        return self.charged or self.owner

    def signing(self, now: int) -> list[str]:
        """The secrets that sign at this time, the current one first."""
        return [secret.shown for secret in self.secrets if secret.until is None or secret.until > now]


@dataclass(frozen=True, slots=True)
class Delivery:
    """News on their way to a webhook; `id` is also the `webhook-id`. Times are milliseconds since 1970.

    `attempts` are all that were made, `tries` those since it was last sent on its way. `status_code` and
    `response` (what was answered, or what went wrong) are of the last one.
    """

    id: str
    hook: str
    type: str
    body: str
    created: int
    progress: Progress = "pending"
    attempts: int = 0
    tries: int = 0
    attempted: int | None = None
    status_code: int | None = None
    response: str = ""
    due: int | None = None
    match: str | None = None


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """What a request with an Idempotency-Key was answered, kept for a day whatever happens to the webhook.

    `id` is made of the key and its owner, `of` of all that was asked.
    """

    id: str
    of: str
    hook: Webhook
    delivery: Delivery | None = None


class RepeatedError(ServiceError, status=503, code="outcome_unknown", retry_after_s=1):
    """The same request came at the same time and was answered first: sent again, it gets that answer."""


def new_secret() -> str:
    """A fresh signing secret: 256 random bits."""
    return "whsec_" + b64encode(token_bytes(32)).decode()


def turn_secret(webhook: Webhook, now: int) -> Webhook:
    """The webhook with a new secret; those before sign on for a day."""
    until = now + GRACE_MS
    former = [replace(secret, until=secret.until or until) for secret in webhook.secrets]
    alive = [secret for secret in former if (secret.until or 0) > now]
    secrets = (Secret(new_secret()), *alive[: MOST_SECRETS - 1])
    return replace(webhook, secrets=secrets)


def entitled(webhook: Webhook, keys: ApiKeys, head: Mapping[str, str]) -> bool:
    """Whether its owner still holds what it was registered with; `head`: the fields of its match's head."""
    if webhook.actor:
        return head.get(FIELD + webhook.actor) == webhook.digest
    key = keys.find(webhook.digest)
    return key is not None and SCOPE in key.scopes
