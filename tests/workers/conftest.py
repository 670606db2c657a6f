"""A feed, a queue and a relay over the real server; jobs run in this process when a test says so."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis
from flask.testing import FlaskClient
from rq import Queue

from domain.games import games
from domain.match.commands import CreateMatch, Seat
from service.bootstrap import dead_letters, dependencies
from service.matches.aggregate import Aggregate
from service.matches.joining import Caller, create_match
from service.matches.play import Play
from service.redis_store.client import connect
from service.redis_store.feed import Feed
from service.redis_store.journal import RedisJournal
from service.redis_store.webhooks import RedisWebhooks
from service.run.embedded import EmbeddedServer
from service.settings import settings
from tests.receivers import Receiver, receiving
from tests.workers.webhooks.hooked import Hooked
from workers.idle_matches import IdleMatchCloser
from workers.queues import BOTS, PEOPLE, Queues, queue
from workers.relay import Relay
from workers.webhooks.worker import dispatcher
from workers.worker import worker

PARTITIONS = 8


@pytest.fixture(autouse=True)
def environment(server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The settings of a worker process."""
    monkeypatch.setenv("REDIS_URL", server.url)
    monkeypatch.setenv("PARTITIONS", str(PARTITIONS))
    forget()
    yield
    forget()


def forget() -> None:
    """As in a new process."""
    for kept in (settings, dependencies, dead_letters):
        kept.cache_clear()


@pytest.fixture
def store(server: EmbeddedServer) -> Any:
    """A plain client of the empty server."""
    client: Any = redis.Redis.from_url(server.url)
    client.flushall()
    return client


@pytest.fixture
def play(store: Any, server: EmbeddedServer) -> Play:
    """The use cases, as the HTTP processes have them."""
    return Play(RedisJournal(connect(server.url), PARTITIONS))


@pytest.fixture
def queued(store: Any) -> Queue:
    """The queue of the jobs."""
    return queue(store)


@pytest.fixture
def feed(store: Any, server: EmbeddedServer) -> Feed:
    """The feed, as a relay reads it."""
    made = Feed(connect(server.url, blocking=1), PARTITIONS, "relay")
    made.prepare()
    return made


@pytest.fixture
def relay(feed: Feed, store: Any, play: Play, server: EmbeddedServer) -> Relay:
    """A relay that the test drives by hand."""
    webhooks = RedisWebhooks(connect(server.url))
    return Relay(feed, Queues(store), play, webhooks, IdleMatchCloser(play, settings().idle_days))


@pytest.fixture
def solo(play: Play) -> Callable[[], Aggregate]:
    """Makes a solo match, in which the rival is to act first."""

    def make() -> Aggregate:
        game = games()["whatnot"]
        command = CreateMatch("whatnot", "core", {}, (Seat("human", "Ada"),))
        return create_match(play, game, command, Caller(), None).loaded

    return make


@pytest.fixture
def bots_alone(play: Play) -> Callable[[], Aggregate]:
    """Makes a match that no person plays in."""

    def make() -> Aggregate:
        command = CreateMatch("whatnot", "core", {}, (Seat("bot", "random"),) * 2)
        return create_match(play, games()["whatnot"], command, Caller(), None).loaded

    return make


@pytest.fixture
def work(store: Any) -> Callable[[], None]:
    """Does all queued jobs."""

    def work() -> None:
        for name in (PEOPLE, BOTS):
            worker(store, name).work(burst=True, logging_level="ERROR")

    return work


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A receiver on this machine, which the operator allows."""
    monkeypatch.setenv("WEBHOOK_HOSTS", "elsewhere.test, LocalHost")
    forget()
    with receiving() as started:
        yield started


@pytest.fixture
def hooked(receiver: Receiver, client: FlaskClient, play: Play, relay: Relay, store: Any) -> Iterator[Hooked]:
    """Everything between a commit and a receiver."""
    started = dispatcher()
    yield Hooked(client, play, relay, store, receiver, started)
    started.close()
