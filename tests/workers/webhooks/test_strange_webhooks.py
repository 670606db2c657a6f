"""What stands among the webhooks and was not written by us is put aside, and the rest goes on."""

from itertools import pairwise
from typing import Any

import pytest

from service.clock import now
from service.redis_store.dead_letters import DeadLetters
from tests.workers.webhooks.hooked import Hooked
from workers.webhooks.dispatcher import LEASE_MS, MOST_FAILURES

ALL, EVERY, DUE = "{hooks}:all", "{hooks}:every", "{hooks}:due"


@pytest.fixture
def told(hooked: Hooked) -> Any:
    """Checks that news still arrive, and how much was put aside."""
    key = hooked.key()
    hooked.register(key, events=["match.started"])

    def check(letters: int) -> None:
        hooked.lay()
        hooked.deliver()
        hooked.deliver(later=LEASE_MS)
        assert hooked.receiver.types() == ["match.started"]
        found = DeadLetters(hooked.store).newest()
        assert len(found) == letters
        assert all(letter.source and letter.why for letter in found)

    return check


@pytest.mark.parametrize("kept", [b"\xff", b"no JSON", b"[]", b'{"id": "h_a"}'])
def test_a_webhook_that_cannot_be_read(hooked: Hooked, told: Any, kept: bytes) -> None:
    hooked.store.hset(ALL, "h_broken", kept)
    hooked.store.sadd(EVERY, "h_broken", b"\xff", "h_gone")
    told(letters=1)
    assert not hooked.store.hexists(ALL, "h_broken")


@pytest.mark.parametrize("kept", [b"\xff", b"no JSON", b"[]", b'{"id": "h_a-ping-1"}'])
def test_a_delivery_that_cannot_be_read(hooked: Hooked, told: Any, kept: bytes) -> None:
    hooked.store.set("{hooks}:delivery:h_a-ping-1", kept)
    hooked.store.zadd(DUE, {"h_a-ping-1": 0})
    told(letters=1)
    assert hooked.store.zscore(DUE, "h_a-ping-1") is None


@pytest.mark.parametrize("member", [b"\xff\xfe", b"", b"m_a/0", b"m_a/x", b"m_a/1/2", b"x y"])
def test_something_due_that_is_nothing(hooked: Hooked, told: Any, member: bytes) -> None:
    hooked.store.zadd(DUE, {member: 0})
    told(letters=1)
    assert hooked.store.zscore(DUE, member) is None


def test_a_delivery_that_is_gone_is_not_due_any_more(hooked: Hooked, told: Any) -> None:
    hooked.store.zadd(DUE, {"h_gone-m_a-1-turn": 0})
    told(letters=0)
    assert hooked.store.zcard(DUE) == 0


def test_a_pause_that_is_no_time(hooked: Hooked, told: Any) -> None:
    for hook in hooked.store.hkeys(ALL):
        hooked.store.hset(b"{hooks}:pause:" + hook, mapping={"until": "soon", "failures": "many"})
    told(letters=0)


def test_news_of_a_match_that_can_never_be_read_are_tried_less_and_less_often_and_then_put_aside(
    hooked: Hooked, told: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = [now()]
    monkeypatch.setattr("workers.webhooks.dispatcher.now", lambda: moments[-1])
    broken = hooked.lay()
    (log,) = hooked.store.scan_iter(f"*{broken.id}:log")
    hooked.store.xadd(log, {"foo": "bar"})
    hooked.relay.relay(hooked.relay.feed.new(0.1))
    while (due := hooked.store.zscore(DUE, f"{broken.id}/1")) is not None:
        moments.append(max(int(due), moments[-1]))
        hooked.dispatcher.look(moments[-1])
    waits = [after - before for before, after in pairwise(moments[1:])]
    assert len(waits) == MOST_FAILURES - 1
    assert waits[0] == LEASE_MS
    assert waits == sorted(waits)
    assert sum(waits) > 4 * 3_600_000, "hours, for an operator to mend it"
    monkeypatch.undo()
    (letter,) = DeadLetters(hooked.store).newest()
    assert letter.name == f"{broken.id}/1"
