"""The book of the webhooks, on one server and on a cluster: each thing once, nothing lost or left over."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from service.redis_store.client import connect
from service.redis_store.journal import RedisJournal
from service.redis_store.webhook_deliveries import KEPT_S
from service.redis_store.webhooks import RedisWebhooks
from service.run.embedded import EmbeddedServer
from service.store.journal import OutcomeUnknownError, StoreUnavailableError
from service.webhooks.model import EVENTS, MOST_DELIVERIES, MOST_HOOKS, Delivery, Secret, Webhook, turn_secret

MATCH = "m_one"
HOUR = 3_600_000


@pytest.fixture
def book(stored_journal: RedisJournal) -> RedisWebhooks:
    """An empty book on each kind of store."""
    return RedisWebhooks(stored_journal.client)


def hook(name: str, match: str | None = MATCH, owner: str = "key:k_a") -> Webhook:
    return Webhook(f"h_{name}", "https://a.test/", owner, "d", "", match, EVENTS, (Secret("whsec_x"),), 7)


def delivery(number: int, name: str = "a", **more: Any) -> Delivery:
    return Delivery(f"h_{name}-{MATCH}-{number}-turn", f"h_{name}", "match.turn", "{}", number, **more)


def test_a_hook_comes_back_as_it_was_kept(book: RedisWebhooks) -> None:
    kept = replace(hook("a"), secrets=(Secret("whsec_new"), Secret("whsec_old", 99)), disabled="why \u2603")
    assert book.add(kept) == "added"
    assert book.find("h_a") == kept
    assert book.of_owner("key:k_a") == [kept]
    assert book.watching(MATCH) == [kept]
    assert book.find("h_b") is None


def test_only_matches_that_somebody_may_want_to_hear_of_are_watched(book: RedisWebhooks) -> None:
    assert book.watched([]) == set()
    assert book.watched([MATCH, "m_two"]) == set()
    book.add(hook("a"))
    assert book.watched([MATCH, "m_two", MATCH]) == {MATCH}
    every = hook("b", match=None)
    book.add(every)
    assert book.watched([MATCH, "m_two"]) == {MATCH, "m_two"}
    assert {one.id for one in book.watching(MATCH)} == {"h_a", "h_b"}
    assert {one.id for one in book.watching("m_two")} == {"h_b"}
    assert book.remove(every)
    assert not book.remove(every)
    assert book.watched([MATCH, "m_two"]) == {MATCH}


def test_a_hook_is_kept_once_and_an_owner_has_no_more_than_the_most(book: RedisWebhooks) -> None:
    for number in range(MOST_HOOKS):
        assert book.add(hook(f"{number}")) == "added"
    assert book.add(hook("0")) == "known"
    assert book.add(hook("more")) == "full"
    assert book.add(hook("more", owner="key:k_b")) == "added"


def test_changes_at_the_same_time_are_all_made(book: RedisWebhooks) -> None:
    book.add(hook("a"))
    with ThreadPoolExecutor(8) as threads:
        for number in range(40):
            threads.submit(
                book.change, "h_a", lambda known, n=number: replace(known, events=(*known.events, str(n)))
            )
    kept = book.find("h_a")
    assert kept is not None
    assert sorted(kept.events) == sorted([*EVENTS, *map(str, range(40))])
    assert book.change("h_b", lambda known: known) is None


def test_a_delivery_made_again_is_the_first_one_whatever_became_of_it(book: RedisWebhooks) -> None:
    first = delivery(1, due=5)
    assert book.deliver(first, 5) == "added"
    assert book.deliver(replace(first, body="other"), 9) == "known"
    done = replace(first, progress="delivered", due=None)
    assert book.settle(first, done)
    assert book.deliver(first, 9) == "known"
    assert book.delivery(first.id) == done
    assert book.claim(HOUR, 2 * HOUR, 10) == [], "it is not due"


def test_of_two_who_settle_one_delivery_the_first_is_right(book: RedisWebhooks) -> None:
    first = delivery(1, due=5)
    book.deliver(first, 5)
    assert book.settle(first, replace(first, attempts=1, due=HOUR))
    assert not book.settle(first, replace(first, attempts=1, progress="failed"))
    kept = book.delivery(first.id)
    assert kept is not None
    assert (kept.attempts, kept.progress, kept.due) == (1, "pending", HOUR)
    assert book.claim(HOUR - 1, 2 * HOUR, 10) == []
    assert book.claim(HOUR, 2 * HOUR, 10) == [(first.id, 0)]


def test_what_is_due_is_claimed_by_one_and_due_again_if_it_was_not_done(book: RedisWebhooks) -> None:
    book.owe([(MATCH, 3), ("m_two", 12)], 100)
    book.owe([(MATCH, 3)], 900)
    book.deliver(delivery(1), 50)
    assert book.claim(49, 1000, 10) == []
    with ThreadPoolExecutor(8) as threads:
        claimed = [one for part in threads.map(lambda _: book.claim(100, 1000, 2), range(8)) for one in part]
    assert sorted(claimed) == sorted([(MATCH, 3), ("m_two", 12), (delivery(1).id, 0)])
    book.announced(MATCH, 3)
    book.forget(delivery(1).id)
    assert book.claim(999, 2000, 10) == []
    assert book.claim(1000, 2000, 10) == [("m_two", 12)]


def test_the_oldest_deliveries_go_and_those_that_wait_never(book: RedisWebhooks) -> None:
    waiting = delivery(0, due=5)
    book.deliver(waiting, 5)
    for number in range(1, MOST_DELIVERIES + 5):
        one = delivery(number, due=5)
        assert book.deliver(one, 5) == "added"
        assert book.settle(one, replace(one, progress="delivered", due=None))
    listed = book.deliveries("h_a", None, 2 * MOST_DELIVERIES)
    assert listed[-1] == waiting
    assert len(listed) <= MOST_DELIVERIES + 1
    assert book.delivery(delivery(1).id) is None
    assert book.deliver(delivery(9999), 5) == "added"


def test_so_many_may_wait_and_no_more(book: RedisWebhooks) -> None:
    for number in range(MOST_DELIVERIES):
        book.deliver(delivery(number), 5)
    assert book.deliver(delivery(9999), 5) == "full"
    assert book.deliver(delivery(1, "b"), 5) == "added", "other hooks are not concerned"


def test_deliveries_are_kept_for_a_week_after_the_last_that_happened_to_them(book: RedisWebhooks) -> None:
    one = delivery(1)
    book.deliver(one, 5)
    keys = ("{hooks}:delivery:" + one.id, "{hooks}:of:h_a", "{hooks}:open:h_a")
    for key in keys:
        assert 0 < book.client.ttl(key) <= KEPT_S
        book.client.expire(key, 60)
    book.settle(one, replace(one, attempts=1, due=9))
    assert all(book.client.ttl(key) > 60 for key in keys)


def test_what_has_expired_is_listed_no_more_and_forgotten_when_due(book: RedisWebhooks) -> None:
    for number in (1, 2):
        book.deliver(delivery(number), 5)
    book.client.delete("{hooks}:delivery:" + delivery(1).id)
    assert [one.id for one in book.deliveries("h_a", None, 10)] == [delivery(2).id]
    with pytest.raises(LookupError):
        book.deliveries("h_a", "h_a-x", 10)


def test_failures_are_counted_and_a_pause_is_kept_until_one_succeeds(book: RedisWebhooks) -> None:
    assert book.paused("h_a") == 0
    assert [book.failed("h_a", now) for now in (5, 6, 7)] == [(1, 5), (2, 5), (3, 5)]
    book.pause("h_a", 77)
    assert (book.paused("h_a"), book.paused("h_b")) == (77, 0)
    assert book.client.ttl("{hooks}:pause:h_a") > 0
    book.resume("h_a")
    assert (book.paused("h_a"), book.failed("h_a", 9)) == (0, (1, 9))


def test_nothing_is_left_of_a_hook_that_is_removed(book: RedisWebhooks) -> None:
    book.add(hook("a"))
    for number in range(5):
        book.deliver(delivery(number), 5)
    book.failed("h_a", 5)
    book.remove(hook("a"))
    assert list(book.client.scan_iter("{hooks}*")) == []


def test_a_store_that_is_away_says_so(tmp_path: Any) -> None:
    with EmbeddedServer(tmp_path) as server:
        book = RedisWebhooks(connect(server.url))
        book.add(hook("a"))
        server.stop()
        for read in (lambda: book.find("h_a"), lambda: book.watched([MATCH]), lambda: book.paused("h_a")):
            with pytest.raises(StoreUnavailableError):
                read()
        for write in (
            lambda: book.add(hook("b")),
            lambda: book.change("h_a", lambda known: turn_secret(known, 0)),
            lambda: book.claim(0, 1, 1),
            lambda: book.settle(delivery(1), delivery(1)),
        ):
            with pytest.raises(OutcomeUnknownError):
                write()
        server.start()
        assert book.find("h_a") == hook("a"), "what was kept is still there"
