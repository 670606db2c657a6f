"""What following all matches costs the store: as much for twenty as for one, whatever else happens."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from random import Random

import orjson
import pytest

from service.auth.api_keys import new_key
from service.auth.tokens import digest
from service.live.broadcaster import Broadcaster
from service.live.feed_subscription import FeedSubscription, FeedSubscriptions
from service.live.feed_window import Positions
from service.matches.play import Play
from service.redis_store.api_keys import RedisApiKeys
from service.redis_store.feed_tail import RedisFeedReader
from service.redis_store.journal import RedisJournal
from tests.servers import until
from tests.service.live.test_broadcaster import laid, step
from tests.service.redis_store.appends import appending, head_after
from tests.service.redis_store.counting import Counted, counting

CROWD = 20
PATIENCE_S = 30


@pytest.fixture
def shared(journal: RedisJournal) -> Iterator[FeedSubscriptions]:
    """What one process has."""
    play = Play(journal)
    live = Broadcaster(RedisFeedReader(journal.client, 64), play)
    yield FeedSubscriptions(live, RedisApiKeys(journal.client), play)
    live.close()
    until(lambda: live._reader is None)


@pytest.fixture
def counted(journal: RedisJournal) -> Counted:
    return counting(journal.client)


def key_of(shared: FeedSubscriptions, *scopes: str) -> str:
    """The digest of a fresh key."""
    return digest(new_key(shared.keys, "a tool", scopes, 0)[1])


def beginning(shared: FeedSubscriptions) -> Positions:
    return (b"0-0",) * shared.live.tail.partitions


def follower(shared: FeedSubscriptions, holder: str) -> FeedSubscription:
    return FeedSubscription(shared, holder, shared.live.tail.now(), 100)


@contextmanager
def crowd(shared: FeedSubscriptions, size: int) -> Iterator[Callable[[Callable[[], None], int], None]]:
    """Followers with a key each, all up to date; yields what does something and waits until all have it."""
    with ExitStack() as opened, ThreadPoolExecutor(size) as pool:
        followers = [opened.enter_context(closing(follower(shared, key_of(shared)))) for _ in range(size)]
        list(pool.map(lambda one: one.news(0.5), followers))

        def do(work: Callable[[], None], commits: int) -> None:
            waiting = [pool.submit(collect, one, commits) for one in followers]
            work()
            for one in waiting:
                one.result()

        yield do


def collect(one: FeedSubscription, commits: int) -> None:
    found: list[bytes] = []
    while len(found) < commits:
        lines = one.news(PATIENCE_S)
        assert lines, "it came to others"
        found += lines


def test_twenty_followers_cost_the_store_what_one_costs(
    shared: FeedSubscriptions, journal: RedisJournal, counted: Counted
) -> None:
    writer, dice = Play(journal), Random(1)
    matches = [laid(writer, number) for number in range(5)]

    def play_on() -> None:
        for match in matches:
            step(writer, match, dice)

    costs = []
    for size in (1, CROWD):
        with crowd(shared, size) as do:
            do(play_on, 5)  # from here on all of them are up to date
            costs.append(counted(lambda do=do: [do(play_on, 5) for _ in range(6)]))  # type: ignore[misc]
    alone, together = costs
    assert together < 1.5 * alone, costs


def test_a_follower_is_given_everything_once_from_far_behind_into_the_window_and_on(
    shared: FeedSubscriptions, journal: RedisJournal
) -> None:
    writer, dice = Play(journal), Random(3)
    matches = [laid(writer, number) for number in range(4)]
    for number in range(3):
        hidden = appending(f"m_hidden{number}", count=1500, fields={"game": "whatnot", "status": "playing"})
        journal.append(hidden)
    holder = key_of(shared)
    with closing(FeedSubscription(shared, holder, beginning(shared), 3)) as one:
        found = list(read(one, 4))
        for _ in range(12):
            for match in matches:
                step(writer, match, dice)
            found += read(one, 4)
        assert one._number is not None, "it is up to date, and reads nothing by itself"
    assert sorted(found) == sorted((match, version) for match in matches for version in range(1, 14))


def read(one: FeedSubscription, commits: int) -> Sequence[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    while len(found) < commits:
        lines = [orjson.loads(line) for line in one.news(PATIENCE_S)]
        assert 0 < len(lines) <= 3
        found += [(line["match"], line["version"]) for line in lines]
    return found


def test_a_look_over_thousands_of_hidden_commits_costs_a_few_commands(
    shared: FeedSubscriptions, journal: RedisJournal, counted: Counted
) -> None:
    match = laid(Play(journal))
    for number in range(3):
        journal.append(appending(f"m_{number}", count=2000, fields={"game": "whatnot", "status": "open"}))
    one = FeedSubscription(shared, key_of(shared), beginning(shared), 1, bounded=True)
    found, looks = list[bytes](), 0
    while shared.live.tail.read(one.positions, 1):
        assert counted(lambda: found.extend(one.news(0))) <= 12
        looks += 1
        assert looks < 10, "six thousand commits are looked through by the thousand"
    assert [orjson.loads(line)["match"] for line in found] == [match]


def test_a_follower_comes_back_in_time_however_much_happens_that_its_key_may_not_see(
    shared: FeedSubscriptions, journal: RedisJournal
) -> None:
    stop = threading.Event()

    def keep_on() -> None:
        append = appending("m_hidden", fields={"game": "whatnot", "status": "playing"})
        while not stop.is_set():
            journal.append(append)
            append = appending("m_hidden", head_after(append))

    busy = threading.Thread(target=keep_on)
    with closing(follower(shared, key_of(shared))) as one, ThreadPoolExecutor(1) as pool:
        busy.start()
        try:
            assert pool.submit(one.news, 0.5).result(PATIENCE_S) == []
            assert one._number is not None
        finally:
            one.done = True
            stop.set()
            busy.join()


def test_after_a_key_is_revoked_its_followers_are_given_nothing_more(
    shared: FeedSubscriptions, journal: RedisJournal
) -> None:
    writer = Play(journal)
    match = laid(writer)
    key, shown = new_key(shared.keys, "a tool", [], 0)
    with closing(follower(shared, digest(shown))) as one:
        one.news(0.5)
        step(writer, match, Random(1))
        assert len(one.news(PATIENCE_S)) == 1
        shared.keys.revoke(key.id)
        step(writer, match, Random(1))
        assert one.news(PATIENCE_S) == ()
        assert one.done


def test_keys_see_what_is_theirs_also_in_what_is_read_for_all(
    shared: FeedSubscriptions, journal: RedisJournal
) -> None:
    mine, other, every = (new_key(shared.keys, "a tool", scopes, 0) for scopes in ([], [], ["read-all"]))
    sees = {digest(shown): key for key, shown in (mine, other, every)}
    with ExitStack() as opened:
        followers = [opened.enter_context(closing(follower(shared, holder))) for holder in sees]
        for one in followers:
            one.news(0.3)
        own = appending("m_own", fields={"game": "whatnot", "status": "open", "owner": mine[0].id})
        hidden = appending("m_hidden", fields={"game": "whatnot", "status": "open"})
        for append in (own, hidden, appending("m_own", head_after(own))):
            journal.append(append)
        until(lambda: len(shared.live.latest.since(shared.live.latest.end - 3) or ()) == 3)
        seen = [one._portion(*one._pointers()[:2])[1] for one in followers]  # type: ignore[arg-type]
    assert [[pointer.match for pointer in some] for some in seen] == [
        ["m_own", "m_own"],
        [],
        ["m_own", "m_hidden", "m_own"],
    ]
