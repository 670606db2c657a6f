"""Whoever drips holds nothing: heads and bodies have deadlines, an address has a cap, others are served."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from time import monotonic

import pytest

from tests.e2e.running import Service, running
from tests.e2e.speaking import Answer, dialled, heard, request, spoken
from tests.servers import until

HEAD_S, BODY_S = 1.0, 1.5
CAP = 40
SMALL = {  # a process that takes 1 + 20 + 2 * CAP connections and some to spare
    "HTTP_WORKERS": "1",
    "STREAMS_PER_PROCESS": "1",
    "REQUESTS_PER_PROCESS": "20",
    "UNFINISHED_PER_ADDRESS": str(CAP),
}
FLOOD = 500
HALF_A_HEAD = b"GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: "
TABLE = json.dumps({"game": "whatnot", "seats": [{"name": "Ann"}]}).encode()
SLOW_BODY = request("POST", "/v1/matches", "Content-Type: application/json", f"Content-Length: {len(TABLE)}")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    deadlines = {"HEAD_SECONDS": str(HEAD_S), "BODY_SECONDS": str(BODY_S)}
    with running(tmp_path_factory.mktemp("slow"), **SMALL, **deadlines) as started:
        yield started


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("patient"), **SMALL) as started:
        yield started


def dripped(service: Service, beginning: bytes, drops: bytes) -> tuple[float, Answer]:
    """What is answered to who sends a byte now and then, and after how long."""
    began = monotonic()  # from when the service may count
    with dialled(service) as connection:
        connection.sendall(beginning)
        connection.settimeout(0.1)
        for drop in drops:
            try:
                connection.recv(1, socket.MSG_PEEK)
                break
            except TimeoutError:
                connection.sendall(bytes([drop]))
        connection.settimeout(20)
        return monotonic() - began, heard(connection)


def test_a_head_that_drips_is_waited_for_no_longer_than_a_head(service: Service) -> None:
    seconds, (status, headers, body) = dripped(service, HALF_A_HEAD, b"x" * 200)
    document = json.loads(body)
    assert (status, document["code"]) == (408, "request_timeout")
    assert headers["Content-Type"] == "application/problem+json"
    assert HEAD_S <= seconds < 15


def test_a_body_that_drips_is_waited_for_no_longer_than_a_body_and_nothing_is_done(service: Service) -> None:
    with service.client() as client:
        before = client.get("/v1/matches").json()
        seconds, (status, headers, body) = dripped(service, SLOW_BODY, TABLE[:-1] * 5)
        assert (status, json.loads(body)["code"]) == (408, "request_timeout")
        assert headers["Connection"] == "close"
        assert BODY_S <= seconds < 15
        assert client.get("/v1/matches").json() == before


def test_a_connection_that_is_kept_may_be_silent_between_two_requests(service: Service) -> None:
    kept = request("GET", "/livez").replace(b"Connection: close\r\n", b"")
    with dialled(service) as connection:
        connection.sendall(kept)
        until(lambda: b"alive" in connection.recv(65536, socket.MSG_PEEK))
        connection.recv(65536)
        dripped(service, HALF_A_HEAD, b"x" * 200)  # longer than a head may take
        connection.sendall(request("GET", "/livez"))
        assert heard(connection)[0] == 200


def test_who_connects_and_says_nothing_is_not_waited_for(service: Service) -> None:
    with dialled(service) as connection:
        assert connection.recv(1) == b""


@pytest.mark.parametrize("beginning", [HALF_A_HEAD, SLOW_BODY, b""], ids=["heads", "bodies", "nothing"])
def test_one_address_that_finishes_nothing_does_not_hold_the_process(
    service: Service, beginning: bytes
) -> None:
    with ExitStack() as opened:
        for number in range(FLOOD):
            connection = opened.enter_context(dialled(service))
            connection.sendall(beginning)
            if number % 50 == 49:
                assert spoken(service, request("GET", "/livez"))[0] == 200


@pytest.mark.parametrize("beginning", [HALF_A_HEAD, SLOW_BODY], ids=["head", "body"])
def test_the_oldest_gives_way_and_is_told_why(patient: Service, beginning: bytes) -> None:
    with ExitStack() as opened:
        lines = []
        for _ in range(2 * CAP):
            lines.append(opened.enter_context(dialled(patient)))
            lines[-1].sendall(beginning)
        told = [ended(line) for line in lines[:CAP]]
        refused = [answer for answer in told if answer is not None]
        assert refused, "but for those whose beginning was not even read"
        for status, headers, body in refused:
            assert (status, json.loads(body)["code"]) == (429, "too_many_unfinished")
            assert int(headers["Retry-After"]) >= 1
        assert spoken(patient, request("GET", "/livez"))[0] == 200
        lines[-1].settimeout(0.1)
        with pytest.raises(TimeoutError):
            lines[-1].recv(1)  # it is still waited for


def ended(connection: socket.socket) -> Answer | None:
    """What is answered; None where the connection was just closed."""
    try:
        return heard(connection)
    except (ConnectionResetError, IndexError):
        return None
