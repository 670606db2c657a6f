"""Webhooks and their deliveries, and the port that stores them.

A webhook belongs to whoever registered it: an API key, or the very token of a seat or the host. It ends with
the token or key. Secrets are kept as they are, for signing needs them. Every message to a webhook is a
delivery with an id made of what happened, so that what happened once is delivered once.
"""

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from secrets import token_bytes
from typing import Literal, Protocol, TypeAlias

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


Added: TypeAlias = Literal["added", "known", "full"]


def unkeyed(_hook: Webhook) -> None:
    """What is kept of a request without a key."""


class Webhooks(Protocol):
    """The port of the hooks, their deliveries, and what is due."""

    def add(self, webhook: Webhook, first: FirstAnswer | None = None) -> Added:
        """Keep a new webhook; `full` if its owner has MOST_HOOKS.

        `known` if its id is there, or what `first` says is answered already.
        """

    def first_answer(self, id_: str) -> FirstAnswer | None:
        """What a request was answered, for a day; it is kept in one step with what the request did."""

    def find(self, id_: str) -> Webhook | None:
        """A webhook."""

    def of_owner(self, owner: str) -> list[Webhook]:
        """All hooks of an owner, oldest first."""

    def change(
        self,
        id_: str,
        new: Callable[[Webhook], Webhook],
        first: Callable[[Webhook], FirstAnswer | None] = unkeyed,
    ) -> Webhook | None:
        """Make a webhook what `new` makes of it, undisturbed by others; None if there is none.

        RepeatedError if what `first` says of the changed webhook is answered already.
        """

    def remove(self, webhook: Webhook) -> bool:
        """Let go of a webhook and its deliveries; False if that has been done."""

    def watched(self, matches: Iterable[str]) -> set[str]:
        """Those of the matches about which anybody may want to be told."""

    def watching(self, match: str) -> list[Webhook]:
        """The webhooks that may want to be told about a match."""

    def deliver(self, delivery: Delivery, due: int, first: FirstAnswer | None = None) -> Added:
        """Keep a delivery that is tried again from `due` on; `known` if it was made, or answered, before."""

    def delivery(self, id_: str) -> Delivery | None:
        """A delivery, while it is kept."""

    def deliveries(self, webhook: str, after: str | None, count: int) -> list[Delivery]:
        """Deliveries of a webhook, newest first, after one of them; LookupError if that is gone."""

    def settle(self, before: Delivery, after: Delivery) -> bool:
        """Record how it went; False, with nothing changed, if the delivery is not as before any more."""

    def failed(self, webhook: str, now: int) -> tuple[int, int]:
        """Count a failed attempt; how many have failed one after the other, and since when."""

    def pause(self, webhook: str, until: int) -> None:
        """Nothing is to be sent to a webhook for a while."""

    def paused(self, *whose: str) -> int:
        """Until when nothing is to be sent to a webhook, or for an account: the latest of these."""

    def resume(self, webhook: str) -> None:
        """Forget failures and pause."""

    def owe(self, announcements: Iterable[tuple[str, int]], due: int) -> None:
        """Remember that what happened to a match at a version is to be announced, from `due` on."""

    def announced(self, match: str, version: int) -> None:
        """What happened is announced: all deliveries are kept."""

    def forget(self, delivery: str) -> None:
        """A delivery that is not kept any more is not due either."""

    def claim(self, now: int, until: int, count: int) -> list[tuple[str, int]]:
        """What is due, for nobody else until `until`: (match, version) to tell, (delivery, 0) to try."""

    def put_off(self, claimed: Iterable[tuple[str, int]], until: int) -> None:
        """What was claimed is due at another time."""

    def put_aside(self, claimed: tuple[str, int], why: str) -> None:
        """What was claimed is never due again: it is a dead letter."""


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
