"""What reading costs the store, in commands: a page of the lobby, a poll of the feed, followers of the feed.

Counts, not times: they are the same on every machine. Each is taken in a small store and in a large one.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from threading import Event
from typing import Any

import httpx

from bench.crowd import match_id
from bench.matches import SEATS, lay, over
from bench.stage import Http, Stage
from domain.match.actors import HOST
from domain.match.commands import RotateToken
from service.auth.api_keys import new_key
from service.clock import now
from service.live import feed_cursor
from service.log.record import Entry
from service.matches.requests import Request
from service.redis_store.api_keys import RedisApiKeys
from service.redis_store.client import connect
from service.redis_store.deployment import RedisDeployment
from service.redis_store.key_names import Keys
from service.store.journal import Append, Head, Journal, place_of

MANY, FEW = 3000, 30  # matches, and commits that the reader may not see
OPEN = 20  # of the matches, the oldest
HIDDEN = 10  # commits of one private match
CROWD = 20
COMMITS = 20  # that the followers wait for
PARTITIONS = 64
PATIENCE = 30.0  # seconds


def measure(stage: Stage) -> dict[str, float]:
    """Everything in a small store and in a large one; the followers in the small one."""
    small, large = (Reading(stage, size) for size in (FEW, MANY // 10 if stage.quick else MANY))
    lobby = {reading: reading.lobby_page() for reading in (small, large)}
    poll = {reading: reading.poll() for reading in (small, large)}
    nobody, one, crowd = (small.followed_by(size) for size in (0, 1, CROWD))
    return {
        "lobby_page_store_commands": lobby[large],
        "lobby_page_store_commands_3000_over_30": lobby[large] / lobby[small],
        "feed_poll_store_commands": poll[large],
        "feed_poll_store_commands_3000_over_30": poll[large] / poll[small],
        "feed_follower_store_commands": (one - nobody) / COMMITS,
        "feed_followers_store_commands_20_over_1": (crowd - nobody) / (one - nobody),
    }


class Reading:
    """A service with so much in its store, and a key that reads it."""

    def __init__(self, stage: Stage, size: int) -> None:
        store = stage.store()
        self.play = over(store)
        self.client: Any = connect(store.url)
        self.http: Http = stage.http("service.wsgi:app", store, 1)
        _fill(self.play.journal, self.client, size)
        shown = new_key(RedisApiKeys(self.client), "bench", [], now())[1]
        self.key = {"Authorization": f"Bearer {shown}"}
        self.watched = lay(self.play, SEATS, 0, "reads").result.loaded.id

    def lobby_page(self) -> int:
        """Commands for the open matches, which are the oldest of all."""
        return self._asked("/v1/matches?status=open", {})

    def poll(self) -> int:
        """Commands for a poll of one commit, with nothing before it that the key may see."""
        secret = RedisDeployment(self.client).secret()
        start = feed_cursor.written((b"0-0",) * PARTITIONS, now(), secret)
        return self._asked(f"/v1/feed?limit=1&cursor={start}", self.key)

    def followed_by(self, size: int) -> int:
        """Commands for some commits, writing them included, with so many followers."""
        with _followers(self.http.port, self.key, size) as wait:
            self._commit()
            wait(1)  # from here on all of them are up to date
            before = self._commands()
            for number in range(COMMITS):
                self._commit()
                wait(2 + number)
            return self._commands() - before

    def _commit(self) -> None:
        self.play.do(self.play.load(self.watched), [RotateToken()], Request(HOST))

    def _asked(self, path: str, headers: dict[str, str]) -> int:
        """The second time, when every connection is made."""
        for _ in range(2):
            before = self._commands()
            url = f"http://127.0.0.1:{self.http.port}{path}"
            httpx.get(url, headers={"Accept": "application/json", **headers}).raise_for_status()
            after = self._commands()
        return after - before

    def _commands(self) -> int:
        """How many commands the store has done, those of scripts included, but for this one."""
        done = self.client.info("commandstats")
        return sum(row["calls"] for name, row in done.items() if name != "cmdstat_info")


def _fill(journal: Journal, client: Any, size: int) -> None:
    """Public matches, a few of them open, and commits of private matches; none of them can be played."""
    for number in range(size):
        match, status = match_id(f"{number}"), "open" if number < OPEN else "finished"
        fields = {"game": "whatnot", "status": status, "place": place_of(match, number)}
        journal.append(_bare(match, fields, 1))
    for number in range(size // HIDDEN):
        journal.append(_bare(match_id(f"hidden {number}"), {"game": "whatnot", "status": "playing"}, HIDDEN))
    for feed in Keys(PARTITIONS).every("feed"):  # what is public here cannot be read: it is not for the feed
        for id_, entry in client.xrange(feed):
            if entry[b"seen_by"] == b"*":
                client.xdel(feed, id_)


def _bare(match: str, fields: dict[str, str], commits: int) -> Append:
    entries = [Entry(version, b"{}", b"") for version in range(1, commits + 1)]
    return Append(match=match, expected=Head(), entries=entries, hash="0" * 64, fields=fields)


@contextmanager
def _followers(port: int, key: dict[str, str], size: int) -> Iterator[Callable[[int], None]]:
    """Followers of the feed; what is yielded waits until each has had so many commits."""
    counts, ended = [0] * size, Event()

    def follow(number: int, stream: httpx.Response) -> None:
        for line in stream.iter_lines():
            counts[number] += line == "event: commit"
            if ended.is_set():
                return

    def wait(commits: int) -> None:
        give_up = now() + PATIENCE * 1000
        while not all(count >= commits for count in counts):
            if now() > give_up:
                raise TimeoutError(f"the followers have {counts} of {commits} commits")
            ended.wait(0.005)

    with ExitStack() as opened, ThreadPoolExecutor(max(size, 1)) as pool:
        client = opened.enter_context(
            httpx.Client(timeout=PATIENCE, limits=httpx.Limits(max_connections=None))
        )
        headers = {"Accept": "text/event-stream", **key}
        for number in range(size):
            url = f"http://127.0.0.1:{port}/v1/feed"
            stream = opened.enter_context(client.stream("GET", url, headers=headers)).raise_for_status()
            pool.submit(follow, number, stream)
        yield wait
        ended.set()
        opened.close()
