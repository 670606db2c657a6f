"""Schemathesis finds nothing unexpected in the running service: every check, every operation."""

import os
import subprocess
import sys
from pathlib import Path

import httpx

from service.auth.api_keys import SCOPES, new_key
from service.redis_store.api_keys import RedisApiKeys
from service.redis_store.client import connect
from service.run.embedded import EmbeddedServer
from tests.conformance.node import HERE, ROOT
from tests.e2e.running import Service


def test_whatever_is_sent_is_answered_as_described(
    tmp_path: Path, server: EmbeddedServer, service: Service
) -> None:
    with service.client() as client:
        solo, tokens = table(client, [{"name": "Ada"}])
        given = {
            "MATCH": solo,
            "TOKEN": tokens["seat:0"],
            "OPEN_MATCH": table(client, [{"name": "Ada"}, *[{"open": True}] * 3])[0],
            "API_KEY": new_key(RedisApiKeys(connect(server.url)), "conformance", SCOPES, 0)[1],
        }
    program = Path(sys.executable).parent / "schemathesis"
    ran = subprocess.run(
        [program, "--config-file", HERE / "schemathesis.toml", "run", f"{service.url}/openapi.yaml"],
        cwd=tmp_path,
        env=os.environ | given | {"NO_COLOR": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-20000:] + ran.stderr


def table(client: httpx.Client, seats: list[dict[str, object]]) -> tuple[str, dict[str, str]]:
    """A new match of Whatnot: its id, and the tokens."""
    created = client.post("/v1/matches", json={"game": "whatnot", "seats": seats}).json()
    return created["match"]["id"], created["tokens"]
