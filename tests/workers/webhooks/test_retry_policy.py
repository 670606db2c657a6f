"""What follows from an attempt at a delivery, at any time and with any dice."""

from email.utils import formatdate

import pytest
import requests

from service.webhooks.model import PING, Delivery
from workers.webhooks.attempt import Outcome
from workers.webhooks.retry_policy import (
    HOUR,
    JITTER,
    MAX_PAUSE_MS,
    MAX_SILENCE_MS,
    SCHEDULE,
    after,
    pause,
    silent,
)
from workers.webhooks.sender import asked_wait

NOW = 1_800_000_000_000
NEWS = Delivery("h_a-m_b-1-turn", "h_a", "match.turn", "{}", NOW)


def tried(times: int, outcome: Outcome, dice: float = 0.0) -> tuple[Delivery, list[str | None]]:
    """The delivery after so many attempts that went alike, and why its hook was to be disabled after each."""
    delivery, reasons = NEWS, list[str | None]()
    for _ in range(times):
        delivery, reason = after(delivery, outcome, delivery.due or NOW, dice)
        reasons.append(reason)
    return delivery, reasons


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_any_2xx_is_success_and_the_last_attempt(status: int) -> None:
    done, reason = after(NEWS, Outcome(status, "ok"), NOW, 0)
    assert (done.progress, done.attempts, done.due, reason) == ("delivered", 1, None, None)


@pytest.mark.parametrize(
    "status", [100, 199, 300, 301, 302, 304, 307, 400, 401, 404, 418, 429, 500, 503, None]
)
def test_everything_else_is_tried_again(status: int | None) -> None:
    done, reason = after(NEWS, Outcome(status, "no"), NOW, 0)
    assert (done.progress, done.due, reason) == ("pending", NOW + 5000, None)


def test_it_is_tried_ten_times_within_days_and_then_the_webhook_is_disabled_and_says_so() -> None:
    waits, delivery = [], NEWS
    for _ in range(9):
        moment = delivery.due or NOW
        delivery, reason = after(delivery, Outcome(500, ""), moment, 0)
        assert reason is None
        assert delivery.due is not None
        waits.append(delivery.due - moment)
    assert tuple(waits) == SCHEDULE[1:]
    assert 72 * HOUR <= sum(waits) <= 80 * HOUR
    done, reason = after(delivery, Outcome(500, ""), delivery.due or 0, 0)
    assert (done.progress, done.attempts, done.due) == ("failed", 10, None)
    assert reason == "10 attempts at one delivery failed."


@pytest.mark.parametrize("dice", [0.0, 0.3, 0.999])
def test_waits_are_spread_and_never_shorter_than_the_schedule_says(dice: float) -> None:
    for times in range(1, 10):
        delivery, _ = tried(times, Outcome(None, ""), dice)
        assert delivery.attempted is not None
        assert delivery.due == delivery.attempted + int(SCHEDULE[times] * (1 + JITTER * dice))


def test_a_hook_is_left_alone_for_longer_and_longer_and_never_so_long_that_a_schedule_suffers() -> None:
    pauses = [pause(failures) for failures in range(1, 5000)]
    assert pauses == sorted(pauses)
    assert pauses[0] == SCHEDULE[1]
    assert pauses[-1] == MAX_PAUSE_MS
    for tries in range(1, len(SCHEDULE)):
        assert pause(tries) <= SCHEDULE[tries]


def test_a_hook_that_took_nothing_for_days_is_given_up_however_little_of_each_delivery_was_tried() -> None:
    assert silent(10, NOW - MAX_SILENCE_MS - 1, NOW) == "The receiver has accepted nothing for 90 hours."
    assert silent(10, NOW - MAX_SILENCE_MS, NOW) is None
    assert silent(9, NOW - 1000 * HOUR, NOW) is None, "two failures long apart are no silence"
    assert sum(SCHEDULE) * (1 + JITTER) - 1 < MAX_SILENCE_MS


def test_410_is_final_and_disables_at_once() -> None:
    done, reason = after(NEWS, Outcome(410, ""), NOW, 0)
    assert (done.progress, done.due, reason) == ("failed", None, "The receiver answered 410 Gone.")


def test_a_ping_is_sent_once_and_disables_nothing_unless_the_receiver_is_gone() -> None:
    ping = Delivery("h_a-ping-1", "h_a", PING, "{}", NOW)
    failed, reason = after(ping, Outcome(500, ""), NOW, 0)
    assert (failed.progress, failed.due, reason) == ("failed", None, None)
    assert after(ping, Outcome(410, ""), NOW, 0)[1] is not None


def test_a_wait_that_is_asked_for_is_honoured_and_cannot_shorten_ours_nor_last_for_ever() -> None:
    assert after(NEWS, Outcome(429, "", 60_000), NOW, 0)[0].due == NOW + 60_000
    assert after(NEWS, Outcome(503, "", 1_000), NOW, 0)[0].due == NOW + 5_000
    assert after(NEWS, Outcome(503, "", 10**15), NOW, 0)[0].due == NOW + 24 * HOUR


@pytest.mark.parametrize(
    ("status", "asked", "wait"),
    [
        (429, "120", 120_000),
        (503, "0", 0),
        (503, formatdate(NOW / 1000 + 90, usegmt=True), 90_000),
        (503, formatdate(NOW / 1000 - 90, usegmt=True), 0),
        (429, "9" * 5000, 999_999_999_000),
        (429, "soon", 0),
        (429, "-5", 0),
        (429, "", 0),
        (500, "120", 0),
        (200, "120", 0),
    ],
)
def test_retry_after_is_read_in_both_forms_and_only_where_it_counts(
    status: int, asked: str, wait: int
) -> None:
    response = requests.Response()
    response.status_code, response.headers["Retry-After"] = status, asked
    assert asked_wait(response, NOW) == wait
