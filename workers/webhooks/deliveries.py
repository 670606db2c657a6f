"""Webhook deliveries: made from what happened, then attempted. Late, doubled or repeated work is done once.

A delivery's id is made of what happened, and an attempt has a number: what has been done before is found and
left alone.
"""

import random
import time
from dataclasses import replace

from cachetools import LRUCache

from service.bootstrap import dependencies
from service.clock import now
from service.matches.aggregate import Aggregate
from service.matches.visibility import may_see
from service.settings import settings
from service.webhooks.messages import body, news
from service.webhooks.model import Delivery, Webhook, entitled
from workers.webhooks.attempt import Outcome
from workers.webhooks.retry_policy import after, given_up, pause, postponed, silent
from workers.webhooks.sender import post

SLOW_MS = 1000  # the account of a receiver that takes longer has to wait: all share the dispatchers
SHARE = 4  # times as long as it took
OVERFULL = "Too many deliveries were waiting."
_accounts: LRUCache[str, str] = LRUCache(10_000)  # by webhook: it never changes


def announce(match: str, version: int) -> int:
    """Make and send on the deliveries of what happened to a match; how many hooks wait for it."""
    newest = dependencies().play.load(match)
    hooks = [webhook for webhook in dependencies().webhooks.watching(match) if _to_be_told(webhook, newest)]
    if hooks:
        before, there = dependencies().play.history.step(match, version)
        for type_, more in news(before.match, there.state):
            message = body(type_, there.at, there, more)
            for webhook in hooks:
                if type_ in webhook.events:
                    id_ = f"{webhook.id}-{match}-{version}-{type_.rpartition('.')[2]}"
                    _send(Delivery(id_, webhook.id, type_, message, now(), match=match))
    dependencies().webhooks.announced(match, version)
    return len(hooks)


def _to_be_told(webhook: Webhook, loaded: Aggregate) -> bool:
    """Whether a webhook is to be told about a match; one whose owner lost the token or key is removed."""
    if not entitled(webhook, dependencies().keys, loaded.fields):
        dependencies().webhooks.remove(webhook)
        return False
    key = None if webhook.actor else dependencies().keys.find(webhook.digest)
    return webhook.disabled is None and (key is None or may_see(key, loaded))


def _send(delivery: Delivery) -> None:
    webhooks, due = dependencies().webhooks, now()
    if webhooks.deliver(replace(delivery, due=due), due) == "full":
        _disable(delivery.hook, OVERFULL)


def account(delivery: str) -> str:
    """Who is charged for the time that a delivery takes; an empty string where its webhook is gone."""
    id_ = delivery.split("-", maxsplit=1)[0]
    if (known := _accounts.get(id_)) is None:
        webhook = dependencies().webhooks.find(id_)
        if webhook is None:
            return ""
        known = _accounts[id_] = webhook.account
    return known


def send(delivery: str) -> bool | None:
    """Make the next attempt at a delivery: whether it was taken; None if nothing was sent."""
    webhooks = dependencies().webhooks
    if (kept := webhooks.delivery(delivery)) is None:
        webhooks.forget(delivery)
        return None
    outcome = _attempt(kept)
    return None if outcome is None else outcome.taken


def deliver_webhook(delivery: str, attempt: int) -> Outcome | None:
    """Make one attempt at a delivery and record it; None, with nothing sent, if there is nothing to do."""
    kept = dependencies().webhooks.delivery(delivery)
    return None if kept is None or kept.attempts + 1 != attempt else _attempt(kept)


def _attempt(kept: Delivery) -> Outcome | None:
    webhooks = dependencies().webhooks
    if kept.progress != "pending":
        return None
    webhook = webhooks.find(kept.hook)
    why_not = _why_not(webhook)
    if webhook is None or why_not is not None:
        webhooks.settle(kept, given_up(kept, why_not or "The webhook is gone."))
        return None
    if (until := webhooks.paused(webhook.id, webhook.account)) > (began := now()):
        webhooks.settle(kept, postponed(kept, until, _dice()))
        return None
    started = time.monotonic()
    outcome = post(webhook, kept, settings().webhook_hosts, began)
    if (took := int(1000 * (time.monotonic() - started))) > SLOW_MS:
        webhooks.pause(webhook.account, now() + SHARE * took)
    if outcome.taken:
        webhooks.resume(webhook.id)
    else:
        _leave_alone(webhook.id, now())
    _record(kept, outcome)
    return outcome


def _leave_alone(webhook: str, moment: int) -> None:
    """Send nothing to a webhook for a while after a failure, and nothing at all after too many."""
    failures, since = dependencies().webhooks.failed(webhook, moment)
    dependencies().webhooks.pause(webhook, moment + pause(failures))
    if (why := silent(failures, since, moment)) is not None:
        _disable(webhook, why)


def _disable(webhook: str, why: str) -> None:
    dependencies().webhooks.change(webhook, lambda known: replace(known, disabled=why))


def _record(tried: Delivery, outcome: Outcome) -> None:
    """Write down how an attempt went, also if the delivery was sent on its way again in the meantime."""
    webhooks, moment, dice = dependencies().webhooks, now(), _dice()
    kept: Delivery | None = tried
    while kept is not None and kept.attempts == tried.attempts:
        done, disable = after(kept, outcome, moment, dice)
        if disable is not None:  # first of all: a worker that is killed now finds the webhook disabled
            _disable(kept.hook, disable)
        if webhooks.settle(kept, done):
            return
        kept = webhooks.delivery(tried.id)


def _dice() -> float:
    """So that what failed together does not come back together."""
    return random.random()  # noqa: S311  a jitter, not a secret


def _why_not(webhook: Webhook | None) -> str | None:
    """Why nothing may be sent to a webhook now, if so; one whose owner lost the token or key is removed."""
    if webhook is None:
        return "The webhook is gone."
    head = dependencies().play.journal.head(webhook.match).fields if webhook.match is not None else {}
    if not entitled(webhook, dependencies().keys, head):
        dependencies().webhooks.remove(webhook)
        return "Whoever registered the webhook has no right to it any more."
    return None if webhook.disabled is None else "The webhook is disabled."
