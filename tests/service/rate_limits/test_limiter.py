"""Quotas: never exceeded, counted together by all processes, whole again in the next window."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import sleep

import pytest

from service.rate_limits.limiter import Limiter
from service.rate_limits.policy import Policy, policy_of
from service.redis_store.client import connect
from service.redis_store.counters import RedisCounters
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer

NOON = 1_796_040_000_000  # a full minute, in milliseconds since 1970


@dataclass
class Watch:
    """A clock that a test sets."""

    moment: int = NOON

    def __call__(self) -> int:
        return self.moment


@pytest.fixture
def tally(journal: RedisJournal) -> RedisCounters:
    """The counts on a real server."""
    return RedisCounters(journal.client)


def limiter(tally: RedisCounters, quota: int, window: int = 60, clock: Watch | None = None) -> Limiter:
    return Limiter(tally, {"writes": Policy("writes", quota, window)}, clock or Watch())


def admitted(by: Limiter, times: int, who: str = "Ann") -> int:
    return sum(bool(taken and taken.admitted) for taken in (by.take("writes", who) for _ in range(times)))


@pytest.mark.parametrize("quota", [1, 5, 199, 1000])
def test_a_quota_is_admitted_to_the_last_request_and_not_one_more(tally: RedisCounters, quota: int) -> None:
    one = limiter(tally, quota)
    assert admitted(one, quota) == quota
    refused = one.take("writes", "Ann")
    assert refused is not None
    assert (refused.admitted, refused.remaining) == (False, 0)
    assert admitted(one, 10) == 0


@pytest.mark.parametrize("used", [1, 3, 5, 999])
def test_of_the_last_portion_so_much_is_admitted_as_is_left(tally: RedisCounters, used: int) -> None:
    """A quota of which others have used an odd part: the last portion is neither whole nor nothing."""
    one = limiter(tally, 1000)  # in portions of five
    tally.add(f"writes/Ann/{NOON // 60_000}", used, 60)
    assert admitted(one, 2000) == 1000 - used


def test_what_is_left_falls_by_one_a_request(tally: RedisCounters) -> None:
    one = limiter(tally, 1000)
    left = [taken.remaining for taken in (one.take("writes", "Ann") for _ in range(1000)) if taken]
    assert left == list(range(999, -1, -1))


def test_every_caller_has_a_quota_of_his_own(tally: RedisCounters) -> None:
    one = limiter(tally, 3)
    assert (admitted(one, 9, "Ann"), admitted(one, 9, "Bob")) == (3, 3)


def test_in_the_next_window_the_quota_is_whole_again(tally: RedisCounters) -> None:
    watch = Watch(NOON + 59_001)
    one = limiter(tally, 3, clock=watch)
    assert admitted(one, 9) == 3
    refused = one.take("writes", "Ann")
    assert refused is not None
    assert refused.reset == 1, "the wait is never told too short"
    watch.moment += 999
    assert admitted(one, 9) == 3


def test_processes_share_a_small_quota_exactly(tally: RedisCounters) -> None:
    processes = [limiter(tally, 10) for _ in range(4)]
    turns = [process.take("writes", "Ann") for _ in range(10) for process in processes]
    assert [bool(turn and turn.admitted) for turn in turns] == [True] * 10 + [False] * 30


def test_processes_never_admit_more_than_a_large_quota_and_hardly_less(tally: RedisCounters) -> None:
    processes = [limiter(tally, 4000) for _ in range(4)]
    through = sum(admitted(process, 1) for _ in range(2000) for process in processes)
    assert 4000 - 3 * 20 <= through <= 4000


def test_threads_of_a_process_share_a_quota_exactly(tally: RedisCounters) -> None:
    one = limiter(tally, 1000)
    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(lambda _: admitted(one, 200), range(8))) == 1000


def test_a_portion_that_comes_after_the_news_that_there_are_no_more_is_not_lost(
    journal: RedisJournal,
) -> None:
    """The answers of the store may overtake one another: the last portions are slow, what follows is not."""

    class Slow(RedisCounters):
        def add(self, count: str, amount: int, seconds: int) -> int:
            found = super().add(count, amount, seconds)
            if 380 < found <= 400:
                sleep(0.05)
            return found

    one = limiter(Slow(journal.client), 400)
    with ThreadPoolExecutor(64) as pool:
        assert sum(pool.map(lambda _: admitted(one, 1), range(1000))) == 400


def test_most_requests_cost_no_trip_and_refusals_none(tally: RedisCounters, journal: RedisJournal) -> None:
    one = limiter(tally, 1000)
    journal.client.config_resetstat()
    assert admitted(one, 1500) == 1000
    assert journal.client.info("commandstats")["cmdstat_incrby"]["calls"] == 201


def test_where_a_caller_stands_is_told_without_counting(tally: RedisCounters) -> None:
    one, other = limiter(tally, 1000), limiter(tally, 1000)
    admitted(one, 3)
    for _ in range(5):
        assert one.standing("writes", "Ann").remaining == 997
    assert other.standing("writes", "Ann").remaining == 995, "another process knows of whole portions"
    assert one.standing("writes", "Bob").remaining == 1000


def test_what_cannot_be_counted_is_admitted_and_counted_again_as_soon_as_it_can_be(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path) as server, closing(connect(server.url)) as client:
        watch = Watch()
        one = limiter(RedisCounters(client), 1, clock=watch)
        server.stop()
        assert [one.take("writes", "Ann") for _ in range(50)] == [None] * 50
        server.start()
        watch.moment += 1000
        assert admitted(one, 5) == 1


def test_a_policy_that_is_off_counts_nothing(tally: RedisCounters) -> None:
    assert limiter(tally, 1).take("reads", "Ann") is None


def test_counts_go_away_by_themselves(tally: RedisCounters, journal: RedisJournal) -> None:
    limiter(tally, 5).take("writes", "Ann")
    (name,) = journal.client.scan_iter()
    assert 0 < journal.client.ttl(name) <= 60


def test_a_store_that_is_full_counts_nothing_and_says_so(tally: RedisCounters, journal: RedisJournal) -> None:
    journal.client.config_set("maxmemory", 1)
    try:
        assert limiter(tally, 1).take("writes", "Ann") is None
    finally:
        journal.client.config_set("maxmemory", 0)


@pytest.mark.parametrize(
    ("notation", "quota", "window"),
    [("6000/minute", 6000, 60), ("20 per 5 minutes", 20, 300), ("1/second", 1, 1), ("7 per day", 7, 86_400)],
)
def test_a_limit_is_written_as_it_is_said(notation: str, quota: int, window: int) -> None:
    assert policy_of("writes", notation) == Policy("writes", quota, window)


@pytest.mark.parametrize("notation", ["many", "0/minute", "5", "5/fortnight", "5/minute;7/hour", "-1/minute"])
def test_what_is_no_limit_is_refused(notation: str) -> None:
    with pytest.raises(ValueError):
        policy_of("writes", notation)
