"""Webhooks of a whole service: real processes, a real receiver, and everything in between killed."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.wrappers import Response

from tests.e2e.players import Table, play_in_parallel
from tests.e2e.running import Service, free_port, running
from tests.receivers import Receiver, receiving
from tests.servers import until

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="finds its victims in /proc: Linux only"
)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as started:
        yield started


def watch(service: Service, receiver: Receiver, table: Table, **body: object) -> tuple[str, dict[str, str]]:
    """Register a webhook with the host's token; where its deliveries are, and how to read them."""
    host = {"Authorization": f"Bearer {table.tokens['host']}"}
    asked = {"url": receiver.url, "match": table.id, **body}
    with service.client() as client:
        made = client.post("/v1/webhooks", json=asked, headers=host)
    assert made.status_code == 201, made.text
    return made.json()["links"]["deliveries"], host


def test_whoever_is_killed_while_a_match_is_played_its_end_is_told(
    tmp_path: Path, receiver: Receiver
) -> None:
    with running(tmp_path, WEBHOOK_HOSTS="localhost") as service, service.client() as client:
        for words in ("workers.webhooks.worker", "workers.relay", "valkey-server"):
            receiver.got.clear()
            table = Table(client, "whatnot", ["Ada"])
            watch(service, receiver, table, events=["match.finished"])
            for victim in service.pids(words):
                os.kill(victim, signal.SIGKILL)
            play_in_parallel(table)
            until(lambda: len(receiver.got) > 0, 60)
            assert receiver.types() == ["match.finished"]
            assert receiver.told[0]["data"]["match"] == table.id


def test_a_delivery_that_waits_outlives_the_whole_service(tmp_path: Path, receiver: Receiver) -> None:
    receiver.answers.append(Response("not now", 503))
    port = str(free_port())
    with running(tmp_path, WEBHOOK_HOSTS="localhost", PORT=port) as service, service.client() as client:
        table = Table(client, "whatnot", ["Ada", "Ben"])
        deliveries, host = watch(service, receiver, table)
        play_in_parallel(table)
        until(lambda: len(receiver.got) > 0)
        service.process.kill()
        service.process.wait()
    refused = receiver.ids[0]
    (tmp_path / "serve.log").unlink()
    with running(tmp_path, WEBHOOK_HOSTS="localhost", PORT=port) as service, service.client() as client:

        def told() -> bool:
            listed = client.get(f"{deliveries}?limit=200", headers=host).json()["items"]
            return {one["status"] for one in listed} == {"delivered"} and "match.finished" in receiver.types()

        until(told, 60)
    assert receiver.ids.count(refused) == 2
