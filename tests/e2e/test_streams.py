"""Streams of a real service: whatever is killed, each commit comes once; and a stop leaves nobody hanging."""

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path

import httpx
import orjson
import pytest

from tests.e2e.followers import Follower
from tests.e2e.players import Table, play_in_parallel
from tests.e2e.running import running
from tests.e2e.test_killed import killing
from tests.servers import lives, until

LINUX = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="finds processes in /proc: Linux only"
)
CROWD = 150


def opened_away(commit: object) -> object:
    """A commit without what was opened to somebody, for that depends on when he looked."""
    assert isinstance(commit, dict)
    return {name: value for name, value in commit.items() if name != "opened"}


@LINUX
@pytest.mark.parametrize(("words", "pause"), [("gunicorn", 0.7), ("valkey-server", 0.7)])
def test_whatever_is_killed_everybody_who_follows_gets_each_commit_once_and_in_order(
    tmp_path: Path, words: str, pause: float
) -> None:
    cuts = 0
    with running(tmp_path) as service, service.client() as client, ThreadPoolExecutor(20) as pool:
        with killing(service, words, pause) as killed:
            for number in range(50):
                table = Table(client, "whatnot", ["Ada", "Ben"])
                followers = [
                    Follower(service.url, f"{table.path}/log", headers)
                    for headers in ({}, table.headers(0), table.headers(1))
                    for _ in range(3)
                ]
                forms = (Follower.by_events, Follower.by_lines, Follower.by_pages)
                following = [pool.submit(forms[n % 3], one) for n, one in enumerate(followers)]
                play_in_parallel(table, number)
                log = [orjson.loads(line) for line in table.log()[1:]]
                for one in following:
                    told = list(map(opened_away, one.result(200).commits))
                    assert told == list(map(opened_away, log))
                cuts += sum(one.cuts for one in followers)
                if len(killed) >= 3:
                    break
        assert len(killed) >= 3
        assert cuts or words != "gunicorn", "somebody was cut off while he was told something"


def test_who_is_gone_takes_no_place(tmp_path: Path) -> None:
    with running(tmp_path, HTTP_WORKERS="1", STREAMS_PER_CALLER="3") as service, service.client() as client:
        table = Table(client, "whatnot", ["Ada", "Ben"])
        path, headers = f"{table.path}/log", {"Accept": "text/event-stream"}
        gone = [httpx.Client(base_url=service.url, timeout=20) for _ in range(3)]
        for one in gone:
            told = one.send(one.build_request("GET", path, headers=headers), stream=True)
            assert told.status_code == 200

        def let_in() -> bool:
            with client.stream("GET", path, headers=headers) as told:
                return told.status_code == 200

        assert not let_in()
        for one in gone:
            one.close()

        def let_in_after_a_move() -> bool:
            match = table.read()
            assert match["status"] == "playing"
            seat = match["to_act"][0]
            table.send(seat, table.legal(seat)[0], f"{seat}-{match['version']}")
            return let_in()

        until(let_in_after_a_move)


@LINUX
def test_a_ctrl_c_ends_every_stream_after_a_whole_event_and_leaves_no_process(tmp_path: Path) -> None:
    with running(tmp_path, STREAMS_PER_CALLER="1000") as service, service.client() as client:
        table = Table(client, "whatnot", ["Ada", "Ben"])
        pids = [pid for words in ("gunicorn", "workers", "valkey-server") for pid in service.pids(words)]
        ready = threading.Semaphore(0)

        def listen(accept: str, query: str) -> bytes:
            with (
                httpx.Client(base_url=service.url, timeout=60) as own,
                own.stream("GET", f"{table.path}/log{query}", headers={"Accept": accept}) as got,
            ):
                parts = got.iter_bytes()
                first = next(parts)
                ready.release()
                return b"".join(chain([first], parts))

        with ThreadPoolExecutor(CROWD) as pool:
            forms = [("text/event-stream", ""), ("application/x-ndjson", "?follow=true")]
            crowd = [pool.submit(listen, *forms[number % 2]) for number in range(CROWD)]
            for _ in crowd:
                ready.acquire()
            assert service.stop() == 0
            ends = [one.result(60) for one in crowd]
        assert all(told.endswith(b"\n") for told in ends)
        assert not [pid for pid in pids if lives(pid)]
        assert "Worker graceful timeout" not in service.output()
