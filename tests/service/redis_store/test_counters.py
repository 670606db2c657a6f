"""Counts in the store: one contract over a server and a cluster."""

from contextlib import closing
from typing import Any

import pytest

from service.redis_store.client import connect
from service.redis_store.counters import RedisCounters
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from service.store.journal import StoreUnavailableError


def test_a_count_is_the_sum_of_what_was_added(stored_journal: RedisJournal) -> None:
    tally = RedisCounters(stored_journal.client)
    assert tally.read("writes/Ann/7") == 0
    assert [tally.add("writes/Ann/7", amount, 60) for amount in (1, 30, 1)] == [1, 31, 32]
    assert tally.add("writes/Bob/7", 5, 60) == 5
    assert (tally.read("writes/Ann/7"), tally.read("writes/Bob/7")) == (32, 5)


def test_a_store_that_is_away_says_so(tmp_path: Any) -> None:
    with EmbeddedServer(tmp_path) as server, closing(connect(server.url)) as client:
        tally = RedisCounters(client)
        tally.add("writes/Ann/7", 1, 60)
        server.stop()
        for ask in (lambda: tally.add("writes/Ann/7", 1, 60), lambda: tally.read("writes/Ann/7")):
            with pytest.raises(StoreUnavailableError):
                ask()
