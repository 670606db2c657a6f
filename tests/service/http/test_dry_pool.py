"""All connections to the store are in use: requests wait for one, and are told if nothing was done."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Timer
from typing import Any

import pytest
from flask import Flask

from service.bootstrap import bootstrap
from service.http.app import create_app
from service.matches.play import Play
from service.redis_store.client import connect
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from tests.service.http.limited import limit
from tests.service.http.table import lay, named, post, problem

TABLE = {"game": "whatnot", "seats": named("Ann", "Bob")}


@pytest.fixture
def narrow(server: EmbeddedServer, journal: RedisJournal) -> Iterator[Flask]:
    """An application with one connection to the store."""
    client: Any = connect(server.url, connections=1)
    yield create_app(bootstrap(client, play=Play(RedisJournal(client))))
    client.close()


def pool_of(app: Flask) -> Any:
    return app.extensions["dependencies"].keys.client.connection_pool


def test_many_take_turns_with_one_connection(narrow: Flask) -> None:
    with ThreadPoolExecutor(20) as threads:
        made = threads.map(lambda _: post(narrow.test_client(), "/v1/matches", TABLE).status_code, range(60))
        assert set(made) == {201}


def test_who_waits_gets_the_connection_as_soon_as_it_is_free(narrow: Flask) -> None:
    held = pool_of(narrow).get_connection()
    Timer(0.3, pool_of(narrow).release, [held]).start()
    assert post(narrow.test_client(), "/v1/matches", TABLE).status_code == 201


def test_want_of_a_connection_is_neither_unknown_nor_a_way_past_the_limits(
    narrow: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = narrow.test_client()
    table = lay(client, narrow.extensions["dependencies"].play)
    monkeypatch.setattr("service.redis_store.client.TIMEOUT_S", 0.1)
    held = pool_of(narrow).get_connection()
    for answer in (post(client, "/v1/matches", TABLE), table.send({}, "seat:0"), table.get()):
        problem(answer, 503, "overloaded")
        assert int(answer.headers["Retry-After"]) >= 1
    limit(narrow, reads=5, failures=5)
    for path in ("/v1/games", "/v1/nothing", table.url):
        problem(client.get(path), 503, "overloaded")
    problem(client.get("/v1/games", headers={"Authorization": "Bearer x"}), 503, "overloaded")
    pool_of(narrow).release(held)
    assert client.get("/v1/games").status_code == 200
    assert table.version == 1
