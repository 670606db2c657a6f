"""Floods of webhooks: who is slow pays for it, and nobody else waits."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import pytest

from service.clock import now
from service.webhooks.model import Webhook
from tests.dripping import Dripping, dripping
from tests.servers import until
from tests.workers.webhooks.hooked import Hooked
from workers.webhooks import deliveries
from workers.webhooks.worker import dispatcher

HEAD = b"HTTP/1.1 2"  # a status line that never ends


@contextmanager
def working() -> Iterator[None]:
    """A dispatcher at work, as in its process."""
    stop, one = threading.Event(), dispatcher()
    running = threading.Thread(target=one.run, args=(stop, lambda: None))
    running.start()
    try:
        yield
    finally:
        stop.set()
        running.join()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Dripping]:
    monkeypatch.setattr("workers.webhooks.sender.DEADLINE_S", 3.0)
    with dripping(HEAD) as receiver:
        yield receiver


def test_dripping_receivers_of_six_anonymous_matches_keep_nobody_waiting_and_are_asked_one_at_a_time(
    hooked: Hooked, slow: Dripping
) -> None:
    for _ in range(6):
        table = hooked.lay()
        hooked.register(table.bearer("host"), match=table.id, url=slow.url)
        table.finish()
    while pointers := hooked.relay.feed.new(0):
        hooked.relay.relay(pointers)
    key = hooked.key()
    hook = hooked.register(key)
    with working():
        until(lambda: slow.due_task > 0)
        began = monotonic()
        hooked.act(hook, "ping", key)
        until(lambda: bool(hooked.receiver.got))
        assert monotonic() - began < 2.0, "before the first of the slow ones is over"
        assert slow.open == 1
    assert slow.most == 1


def test_slow_receivers_of_many_are_waited_for_all_at_the_same_time(hooked: Hooked, slow: Dripping) -> None:
    for _ in range(8):
        key = hooked.key()
        hooked.act(hooked.register(key, url=slow.url), "ping", key)
    with working():
        until(lambda: slow.open == 8)


def test_the_matches_of_one_address_are_charged_together_and_a_key_by_itself(hooked: Hooked) -> None:
    first, second, key = hooked.lay(), hooked.lay(), hooked.key()
    made = [
        hooked.register(table.bearer(actor), match=table.id)
        for table, actor in ((first, "host"), (second, "seat:0"))
    ]
    other = hooked.register(key)
    one, two, three = (hooked.side.webhooks.find(hook["id"]).account for hook in (*made, other))
    assert one == two != three
    assert one.startswith("address:")
    assert "127.0.0.1" not in one, "the address itself is not kept"
    assert three == hooked.side.webhooks.find(other["id"]).owner


def test_a_webhook_of_before_is_charged_to_its_owner() -> None:
    hook = Webhook("h_a", "", "key:k", "", "", None, (), (), 0)
    assert hook.account == "key:k"


def test_who_was_slow_in_one_match_waits_in_all_of_them(hooked: Hooked, slow: Dripping) -> None:
    first, second = hooked.lay(), hooked.lay()
    slow_one = hooked.register(first.bearer("host"), match=first.id, url=slow.url)
    other = hooked.register(second.bearer("host"), match=second.id)
    hooked.act(slow_one, "ping", first.bearer("host"))
    hooked.work()
    began = now()
    hooked.act(other, "ping", second.bearer("host"))
    hooked.work()
    assert hooked.receiver.got == []
    (waiting,) = hooked.side.webhooks.deliveries(other["id"], None, 5)
    assert waiting.attempts == 0
    assert waiting.due >= began + deliveries.SHARE * 1000, "longer than the slow one took"
    hooked.side.webhooks.remove(hooked.side.webhooks.find(slow_one["id"]))
    hooked.deliver(later=60_000)
    assert "ping" in hooked.receiver.types()


def test_many_news_for_one_fast_receiver_are_sent_at_the_same_time_and_each_matchs_in_order(
    hooked: Hooked,
) -> None:
    key = hooked.key()
    hooked.register(key)
    tables = [hooked.lay() for _ in range(6)]
    for _ in range(12):
        for table in tables:
            table.step()
    hooked.deliver()
    told = [(one["data"]["match"], one["data"]["version"]) for one in hooked.receiver.told]
    for table in tables:
        versions = [version for match, version in told if match == table.id]
        assert versions == sorted(versions)
        assert len(versions) > 3
