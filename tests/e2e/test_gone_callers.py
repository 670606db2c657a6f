"""A caller who has gone leaves the place at once, whatever was waited for."""

import os
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from time import monotonic

import pytest

from tests.e2e.running import Service, running
from tests.e2e.speaking import dialled
from tests.e2e.speaking import request as asked
from tests.servers import until

PLACES = 4
AT_ONCE_S = 8.0  # far less than a poll, or a stream's silence before it is noticed by writing
WAITS = {
    "long poll": ("log?after=1&wait=25", "application/json"),
    "long poll until a turn": ("log?wait=25&until=turn", "application/json"),
    "legal commands": ("legal?wait=25", "application/json"),
    "events": ("log", "text/event-stream"),
    "lines": ("log?follow=true", "application/x-ndjson"),
    "long poll of the feed": ("/v1/feed?wait=25", "application/json"),
    "events of the feed": ("/v1/feed", "text/event-stream"),
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("gone")
    with running(folder, HTTP_WORKERS="1", STREAMS_PER_CALLER=str(PLACES)) as started:
        yield started


@pytest.fixture
def key(service: Service) -> str:
    """A key of the test's own: nobody else holds a place by it."""
    command = [sys.executable, "-m", "service.cli.main", "keys", "add", "a tool", "--scope", "read-all"]
    given = os.environ | {"DATA": str(service.folder / "var")}
    return subprocess.run(command, env=given, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("how", ["closed", "half closed", "reset"])
@pytest.mark.parametrize("wait", WAITS)
def test_a_closed_connection_frees_its_place_at_once(
    service: Service, request: pytest.FixtureRequest, wait: str, how: str
) -> None:
    part, form = WAITS[wait]
    with service.client() as client:
        made = client.post(
            "/v1/matches", json={"game": "whatnot", "seats": [{"name": "Ann"}, {"open": True}]}
        )
        url = made.headers["Location"]
        token = request.getfixturevalue("key") if "feed" in part else made.json()["tokens"]["seat:0"]
    path, who = (part if part.startswith("/") else f"{url}/{part}"), f"Authorization: Bearer {token}"
    sent = asked("GET", path, who, f"Accept: {form}")

    with ExitStack() as opened:

        def refused(line: socket.socket) -> bool:
            """Whether one more is one too many."""
            line.settimeout(1)
            line.sendall(sent)
            try:
                return line.recv(12) == b"HTTP/1.1 429"
            except TimeoutError:
                return False

        lines = [opened.enter_context(dialled(service))]
        while not refused(lines[-1]):
            lines.append(opened.enter_context(dialled(service)))
        assert len(lines) == PLACES + 1
        for line in lines:
            leave(line, how)
        began = monotonic()
        until(lambda: not refused(opened.enter_context(dialled(service))))
        assert monotonic() - began < AT_ONCE_S


def leave(line: socket.socket, how: str) -> None:
    if how == "half closed":
        line.shutdown(socket.SHUT_WR)
        return
    if how == "reset":
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()
