"""A thousand requests at the same moment: counted to the last, and none is told that the store is lost."""

import json
import selectors
import socket
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.running import Service, running
from tests.e2e.speaking import dialled, request

CROWD = 1000
QUOTA = 400
TABLE = {"game": "whatnot", "seats": [{"name": "Ann"}, {"name": "Bob"}]}
BODY = json.dumps(TABLE).encode()
CREATE = request(
    "POST", "/v1/matches", "Content-Type: application/json", f"Content-Length: {len(BODY)}", body=BODY
)


def at_once(service: Service, sent: bytes, crowd: int = CROWD) -> Counter[tuple[int, str]]:
    """What so many callers are answered, connected first and sending at the same moment: status and code."""
    answers: dict[socket.socket, bytes] = {}
    with ExitStack() as opened, selectors.DefaultSelector() as ready:
        for _ in range(crowd):
            answers[opened.enter_context(dialled(service, 60))] = b""
        for line in answers:
            line.sendall(sent)
            ready.register(line, selectors.EVENT_READ)
        open_lines = set(answers)
        while open_lines:
            for key, _ in ready.select(60):
                line = key.fileobj
                assert isinstance(line, socket.socket)
                answers[line] += (more := line.recv(65536))
                if not more:
                    ready.unregister(line)
                    open_lines.discard(line)
    return Counter(map(told, answers.values()))


def told(answer: bytes) -> tuple[int, str]:
    head, _, body = answer.partition(b"\r\n\r\n")
    status = int(head.split()[1])
    if status == 503:
        assert b"\r\nretry-after: " in head.lower()
    return status, json.loads(body)["code"] if status >= 400 else ""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_thousand_reads_at_once_are_given_or_counted_out(tmp_path: Path, workers: str) -> None:
    with running(tmp_path, HTTP_WORKERS=workers, LIMIT_READS=f"{QUOTA}/day") as service:
        with service.client() as client:
            path = client.post("/v1/matches", json=TABLE).headers["Location"]
        answers = at_once(service, request("GET", path))
        assert answers == {(200, ""): QUOTA, (429, "rate_limited"): CROWD - QUOTA}


def test_a_thousand_writes_at_once_are_done_or_counted_out(tmp_path: Path) -> None:
    with running(tmp_path, HTTP_WORKERS="2", LIMIT_CREATIONS="300/day") as service:
        assert at_once(service, CREATE) == {(201, ""): 300, (429, "rate_limited"): 700}
        with service.client() as client:
            assert client.get("/readyz").status_code == 200


def test_past_what_a_process_takes_it_says_so_at_once_and_does_nothing(tmp_path: Path) -> None:
    with running(tmp_path, HTTP_WORKERS="1", REQUESTS_PER_PROCESS="8", LIMIT_WRITES="300/day") as service:
        answers = at_once(service, CREATE, 300)
        assert answers.keys() == {(201, ""), (503, "overloaded")}, answers
        with service.client() as client:
            rows, path = 0, "/v1/matches?limit=200"
            while path:
                page = client.get(path).json()
                rows += len(page["items"])
                path = page["next"] and f"/v1/matches?limit=200&cursor={page['next']}"
            assert rows == answers[201, ""]
            (writes,) = (
                each for each in client.get("/v1/limits").json()["items"] if each["name"] == "writes"
            )
            assert writes["remaining"] == 0, "what was refused was counted too"
