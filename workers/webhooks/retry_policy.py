"""The retry policy of deliveries: done, again later, or given up. Time and dice are arguments."""

from dataclasses import replace

from service.webhooks.model import PING, Delivery
from workers.webhooks.attempt import Outcome

SECOND, MINUTE, HOUR = 1000, 60_000, 3_600_000
SCHEDULE = (  # ms before each attempt; about three days
    0,
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
)
JITTER = 0.2  # a wait is longer by up to this share
MAX_RETRY_AFTER_MS = 24 * HOUR  # that a receiver may ask for
MAX_PAUSE_MS = 15 * MINUTE
MAX_SILENCE_MS = int(sum(SCHEDULE) * (1 + JITTER))  # a webhook that took nothing for so long is given up
GONE = 410


def after(delivery: Delivery, outcome: Outcome, now: int, dice: float) -> tuple[Delivery, str | None]:
    """The delivery after an attempt, and why to disable its webhook, if it is time to; `dice` in [0, 1)."""
    tried = replace(
        delivery,
        attempts=delivery.attempts + 1,
        tries=delivery.tries + 1,
        attempted=now,
        status_code=outcome.status,
        response=outcome.snippet,
        due=None,
    )
    if outcome.taken:
        return replace(tried, progress="delivered"), None
    if outcome.status == GONE:
        return replace(tried, progress="failed"), "The receiver answered 410 Gone."
    if delivery.type == PING:
        return replace(tried, progress="failed"), None
    if tried.tries >= len(SCHEDULE):
        return replace(tried, progress="failed"), f"{tried.tries} attempts at one delivery failed."
    wait = int(SCHEDULE[tried.tries] * (1 + JITTER * dice))
    return replace(tried, due=now + max(wait, min(outcome.wait_ms, MAX_RETRY_AFTER_MS))), None


def pause(failures: int) -> int:
    """How long (ms) a webhook is left alone after so many failures in a row, whatever is to be sent.

    Each attempt may cost a worker its whole patience: a receiver that is down must not use up everybody's.
    """
    return min(5 * SECOND << min(failures - 1, 20), MAX_PAUSE_MS)


def silent(failures: int, since: int, now: int) -> str | None:
    """Why a webhook is to be disabled at which so many attempts failed one after the other, if it is.

    Where much waits, no single delivery comes to its last attempt: it is asked for one thing at a time.
    """
    if failures < len(SCHEDULE) or now - since <= MAX_SILENCE_MS:
        return None
    return f"The receiver has accepted nothing for {MAX_SILENCE_MS // HOUR} hours."


def postponed(delivery: Delivery, until: int, dice: float) -> Delivery:
    """The delivery that waits until a webhook's pause is over; no attempt was made."""
    return replace(delivery, due=until + int(5 * SECOND * dice))


def given_up(delivery: Delivery, why: str) -> Delivery:
    """The delivery that is not tried any more."""
    return replace(delivery, progress="failed", response=why, due=None)
