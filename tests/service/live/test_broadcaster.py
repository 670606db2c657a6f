"""News within a process: one reader, everybody told, nothing lost and nothing twice in any outage."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random

import orjson
import pytest

from domain.games import games
from domain.match.commands import CreateMatch, Seat
from service.live import broadcaster as live_module
from service.live import channel as channel_module
from service.live.broadcaster import Broadcaster
from service.live.match_subscription import MatchSubscription
from service.log.record import Entry
from service.matches.joining import Caller, create_match
from service.matches.play import Play
from service.matches.requests import Request
from service.redis_store.client import Client, connect
from service.redis_store.feed_tail import RedisFeedReader
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from service.store.journal import Head, OutcomeUnknownError, StoreUnavailableError
from tests.servers import until


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedServer]:
    """A real server that the test may stop and start."""
    with EmbeddedServer(tmp_path) as started:
        yield started


@pytest.fixture
def live(store: EmbeddedServer) -> Iterator[Broadcaster]:
    """What one process has."""
    client = connect(store.url)
    made = Broadcaster(RedisFeedReader(client, 64), Play(RedisJournal(client)))
    yield made
    made.close()
    until(lambda: made._reader is None)


@pytest.fixture
def writer(store: EmbeddedServer) -> Play:
    """Another process, which writes."""
    return Play(RedisJournal(connect(store.url)))


def laid(play: Play, number: int = 0) -> str:
    """A new match."""
    game = games()["whatnot"]
    command = CreateMatch(game.name, game.default_edition, {}, (Seat("human", "Ann"), Seat("human", "Bob")))
    return create_match(play, game, command, Caller(f"test/{number}", secret=bytes(32)), bytes(32)).loaded.id


def step(play: Play, match: str, dice: Random) -> None:
    """A random move, or the job that the match waits for."""
    loaded = play.load(match)
    if loaded.state.due_task:
        play.run(match, loaded.version, loaded.state.due_task)
        return
    seat = loaded.state.to_act[0]
    command = dice.choice(list(loaded.state.game.legal(loaded.state.position, seat))[:50])
    play.do(loaded, [command], Request(f"seat:{seat}", key=f"{match}-{loaded.version}"))


def following(live: Broadcaster, match: str, after: int = 0) -> MatchSubscription:
    return MatchSubscription(live, match, after, None, lambda _: True)


def read_to_the_end(live: Broadcaster, match: str) -> list[int]:
    """The versions that one is given who follows a match to its end."""
    versions: list[int] = []
    with closing(following(live, match)) as one:
        while not one.done:
            versions += [version for version, _ in one.news(60)]
    return versions


def read_up_to(one: MatchSubscription, version: int) -> list[int]:
    """The versions that one is given until he has this one."""
    found: list[int] = []
    while one.version < version:
        news = one.news(10)
        assert news, f"after {one.version} nothing came"
        found += [each for each, _ in news]
    return found


def finish(play: Play, match: str) -> None:
    dice = Random(7)
    while not play.load(match).state.over:
        step(play, match, dice)


def blocked(store: EmbeddedServer) -> int:
    with closing(connect(store.url)) as client:
        waiting: int = client.info("clients")["blocked_clients"]  # type: ignore[index]
    return waiting


def test_however_many_listen_the_store_sees_one_reader(
    live: Broadcaster, writer: Play, store: EmbeddedServer
) -> None:
    matches = [laid(writer, number) for number in range(5)]
    assert blocked(store) == 0, "nobody listens, nothing is read"
    crowd = [following(live, match) for match in matches for _ in range(50)]
    everybody = [live.listen(None) for _ in range(20)]
    for one in crowd:
        assert [version for version, _ in one.news(20)] == [1]
    until(lambda: blocked(store) == 1)
    step(writer, matches[0], Random(1))
    for one in crowd[:50]:
        assert [version for version, _ in one.news(20)] == [2]
    until(lambda: blocked(store) == 1)
    for one in (*crowd, *everybody):
        one.close()


def test_everybody_gets_every_commit_once_and_in_order_while_another_process_writes(
    live: Broadcaster, writer: Play
) -> None:
    matches = [laid(writer, number) for number in range(3)]
    with ThreadPoolExecutor(40) as pool:
        early = [pool.submit(read_to_the_end, live, match) for match in matches for _ in range(8)]
        playing = [pool.submit(finish, writer, match) for match in matches]
        late = [pool.submit(read_to_the_end, live, match) for match in matches for _ in range(4)]
        for played in playing:
            played.result(120)
        ends = {match: writer.load(match).version for match in matches}
        for crowd, size in ((early, 8), (late, 4)):
            for number, reader in enumerate(crowd):
                assert reader.result(60) == list(range(1, ends[matches[number // size]] + 1))


def test_an_outage_of_the_store_loses_nothing_and_doubles_nothing(
    live: Broadcaster, writer: Play, store: EmbeddedServer
) -> None:
    match = laid(writer)
    with ThreadPoolExecutor(10) as pool:
        readers = [pool.submit(read_to_the_end, live, match) for _ in range(8)]
        dice, outages = Random(7), iter((5, 12, 20))
        outage = next(outages, 0)
        while True:
            try:
                loaded = writer.load(match)
                if loaded.state.over:
                    break
                if loaded.version == outage:
                    outage = next(outages, 0)
                    store.process.kill()
                    store.process.wait()
                    store.start()
                step(writer, match, dice)
            except (StoreUnavailableError, OutcomeUnknownError):
                threading.Event().wait(0.05)
        for reader in readers:
            assert reader.result(60) == list(range(1, loaded.version + 1))


def test_what_is_new_is_written_once_for_all_who_see_the_same(live: Broadcaster, writer: Play) -> None:
    match = laid(writer)
    crowd = [following(live, match) for _ in range(5)]
    for one in crowd:
        one.news(20)
    step(writer, match, Random(1))
    lines = [one.news(20)[0][1] for one in crowd]
    assert orjson.loads(lines[0])["version"] == 2
    assert all(line is lines[0] for line in lines)
    for one in crowd:
        one.close()


def test_who_falls_far_behind_gets_it_all_in_the_end(live: Broadcaster, writer: Play) -> None:
    match = laid(writer)
    with closing(following(live, match)) as slow, closing(following(live, match)) as quick:
        assert slow.news(20)
        finish(writer, match)
        while not quick.done:
            quick.news(20)
        found = [1]
        while not slow.done:
            found += [version for version, _ in slow.news(20)]
    assert found == list(range(1, writer.load(match).version + 1))


def test_the_reader_ends_when_nobody_has_listened_for_a_while_and_begins_anew_with_the_next(
    live: Broadcaster, writer: Play, store: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "IDLE_TIMEOUT_S", 0.1)
    match = laid(writer)
    for version in (1, 2, 3):
        with closing(following(live, match, version - 1)) as one:
            assert [found for found, _ in one.news(20)] == [version]
            step(writer, match, Random(version))
            assert [found for found, _ in one.news(20)] == [version + 1]
        until(lambda: live._reader is None)
        assert blocked(store) == 0


def test_a_burst_that_is_read_in_pages_leaves_no_hole_for_who_comes_after(
    live: Broadcaster, writer: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel_module, "PAGE", 3)
    match = laid(writer)
    with closing(following(live, match, 1)) as slow, closing(following(live, match, 1)) as quick:
        slow.news(0.5)
        for seed in range(9):
            step(writer, match, Random(seed))
        read_up_to(quick, 10)
        step(writer, match, Random(9))
        read_up_to(quick, 11)
        assert read_up_to(slow, 11) == list(range(2, 12))


class Interrupted(RedisJournal):
    """A journal in which something happens just after a match was read."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.meanwhile: Callable[[], None] | None = None

    def catch_up(self, match: str, after: int, count: int = 500) -> tuple[Head, list[Entry]]:
        found = super().catch_up(match, after, count)
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            meanwhile()
        return found


def test_what_comes_while_the_match_is_read_is_read_next(store: EmbeddedServer, writer: Play) -> None:
    journal = Interrupted(connect(store.url))
    live, match = Broadcaster(RedisFeedReader(journal.client, 64), Play(journal)), laid(writer)
    with closing(following(live, match, 1)) as one, closing(live.listen(match)) as other:
        one.news(1)
        other.wait(1)

        def meanwhile() -> None:
            step(writer, match, Random(2))
            other.wait(20)

        step(writer, match, Random(1))
        other.wait(20)
        journal.meanwhile = meanwhile
        assert read_up_to(one, 3) == [2, 3]
    live.close()


class Counting(RedisJournal):
    """A journal that counts how often a match was read."""

    asked = 0

    def catch_up(self, match: str, after: int, count: int = 500) -> tuple[Head, list[Entry]]:
        self.asked += 1
        return super().catch_up(match, after, count)


def test_a_lost_store_is_not_asked_by_everybody_at_once(store: EmbeddedServer, writer: Play) -> None:
    journal = Counting(connect(store.url))
    live, match = Broadcaster(RedisFeedReader(journal.client, 64), Play(journal)), laid(writer)
    crowd = [following(live, match) for _ in range(50)]
    store.stop()
    assert [list(one.news(0)) for one in crowd] == [[]] * 50
    assert journal.asked <= 5
    store.start()
    for one in crowd:
        assert read_up_to(one, 1) == [1]
        one.close()
    live.close()


def test_a_reader_that_fails_begins_anew(
    live: Broadcaster, writer: Play, store: EmbeddedServer, caplog: pytest.LogCaptureFixture
) -> None:
    match = laid(writer)
    with closing(following(live, match)) as one, closing(connect(store.url)) as client:
        assert one.news(20)
        own = RedisJournal(client).keys.shared(match, "feed")
        other = next(feed for feed in RedisFeedReader(client, 64).feeds if feed != own)
        client.set(other, "no stream")
        step(writer, match, Random(1))
        until(lambda: "cannot read the feed" in caplog.text and "WRONGTYPE" in caplog.text)
        client.delete(other)
        step(writer, match, Random(2))
        assert read_up_to(one, 3) == [2, 3]


def test_a_process_that_is_about_to_end_tells_all_who_listen(live: Broadcaster, writer: Play) -> None:
    match = laid(writer)
    with ThreadPoolExecutor(5) as pool:
        crowd = [following(live, match, 1) for _ in range(5)]
        waiting = [pool.submit(one.news, 600) for one in crowd]
        live.close()
        assert [list(told.result(20)) for told in waiting] == [[]] * 5
    assert all(one.done and one.end is None for one in crowd)
