"""What a dispatcher holds: fair to everybody, in order for each match, and no more than can be begun soon."""

from itertools import count

from workers.webhooks.backlog import LEAST_HELD, MOST_AT_ONCE, Backlog


def begun(backlog: Backlog, most: int) -> list[str]:
    return [delivery for _, delivery in backlog.begin(most)]


def fill(backlog: Backlog, account: str, most: int) -> int:
    """Add deliveries of matches of their own until no more are held; how many that were."""
    return next(n for n in count() if n == most or not backlog.add(account, f"h_{account}-m_{n}-1-turn"))


def work(backlog: Backlog, times: int, took_s: float, *, well: bool = True) -> int:
    """Do what is held, so often; how many were done."""
    done = 0
    for _ in range(times):
        for account, delivery in list(backlog.begin(100)):
            backlog.ended(account, delivery, took_s, well=well)
            done += 1
    return done


def test_everybody_begins_with_one_attempt_at_a_time_and_takes_turns() -> None:
    backlog = Backlog()
    for account in "abc":
        fill(backlog, account, 5)
    assert begun(backlog, 100) == [f"h_{account}-m_0-1-turn" for account in "abc"]
    assert begun(backlog, 100) == []


def test_one_who_has_much_waiting_takes_no_turn_of_another() -> None:
    backlog = Backlog()
    fill(backlog, "much", 50)
    work(backlog, 10, 0.001)
    fill(backlog, "little", 2)
    assert "h_little-m_0-1-turn" in begun(backlog, 2)


def test_who_answers_fast_and_well_is_asked_more_at_a_time_and_who_does_not_one_again() -> None:
    backlog = Backlog()
    fill(backlog, "a", 75)
    work(backlog, 10, 0.001)
    several = list(backlog.begin(100))
    assert len(several) == MOST_AT_ONCE
    for account, delivery in several:
        backlog.ended(account, delivery, 2.0, well=False)
    assert len(begun(backlog, 100)) == 1


def test_of_who_is_slow_hardly_anything_is_held() -> None:
    backlog = Backlog()
    assert fill(backlog, "a", 1000) > 10
    while backlog:
        work(backlog, 1, 5.0, well=False)
    assert LEAST_HELD <= fill(backlog, "a", 1000) <= 4


def test_the_news_of_one_match_come_to_one_webhook_in_order_whoever_is_fast() -> None:
    backlog = Backlog()
    fill(backlog, "a", 20)
    work(backlog, 20, 0.001)
    assert not backlog
    for version in range(1, 4):
        assert backlog.add("a", f"h_a-m_x-{version}-turn")
        assert backlog.add("a", f"h_a-m_y-{version}-turn")
    for version in range(1, 4):
        found = list(backlog.begin(100))
        assert sorted(delivery for _, delivery in found) == [f"h_a-m_{m}-{version}-turn" for m in "xy"]
        for account, delivery in found:
            backlog.ended(account, delivery, 0.001, well=True)


def test_what_is_held_is_not_held_twice() -> None:
    backlog = Backlog()
    assert backlog.add("a", "h_a-ping-1")
    assert backlog.add("a", "h_a-ping-1")
    assert begun(backlog, 10) == ["h_a-ping-1"]
    assert backlog.add("a", "h_a-ping-1"), "it is under way"
    assert begun(backlog, 10) == []
    backlog.ended("a", "h_a-ping-1", None, well=False)
    assert not backlog


def test_what_is_let_go_of_is_what_had_not_begun() -> None:
    backlog = Backlog()
    fill(backlog, "a", 3)
    ((account, delivery),) = backlog.begin(1)
    assert backlog.clear() == ["h_a-m_1-1-turn", "h_a-m_2-1-turn"]
    backlog.ended(account, delivery, 0.1, well=True)
    assert not backlog
