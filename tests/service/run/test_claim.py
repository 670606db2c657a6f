"""Each process that opens the store refuses one that was written with another number of partitions."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from service.http.middleware.store_gate import StoreGate
from service.redis_store.client import connect
from service.redis_store.deployment import RedisDeployment
from service.redis_store.journal import RedisJournal
from service.run.embedded import EmbeddedServer
from service.store.journal import StoreUnavailableError
from tests.e2e.running import free_port

GUNICORN = ("-m", "gunicorn", "-c", "python:service.run.gunicorn_conf", "service.wsgi:app")
KEYS = ("-m", "service.cli.main", "keys", "list")


@pytest.mark.parametrize(
    "command",
    [("-m", "workers.worker"), ("-m", "workers.webhooks.worker"), ("-m", "workers.relay"), GUNICORN, KEYS],
    ids=["worker", "hook_worker", "relay", "gunicorn", "cli"],
)
def test_another_number_of_partitions_refuses_to_start(
    journal: RedisJournal, server: EmbeddedServer, command: Sequence[str]
) -> None:
    RedisDeployment(journal.client).claim(64)
    given = {
        "REDIS_URL": server.url,
        "RQ_REDIS_URL": server.url,
        "PARTITIONS": "32",
        "PORT": str(free_port()),
    }
    tried = subprocess.run(
        [sys.executable, *command],
        env=os.environ | given,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert tried.returncode == 1
    (line,) = tried.stderr.strip().splitlines()
    assert line.endswith("The store was written with PARTITIONS=64 and cannot be used with 32.")


def test_a_store_that_was_away_at_the_start_is_not_touched_before_its_number_is_known(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path) as server:
        deployment = RedisDeployment(connect(server.url))
        deployment.claim(64)
        server.stop()
        right, wrong = StoreGate(deployment, 64), StoreGate(deployment, 32)
        for gate in (right, wrong):
            with pytest.raises(StoreUnavailableError):
                gate.check()
        server.start()
        right.check()
        with pytest.raises(StoreUnavailableError, match="PARTITIONS=64"):
            wrong.check()
        server.stop()
        right.check()  # once is enough
