"""Deliveries go only where they may: nothing inside is reached by a name, a redirect, or a change of mind."""

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import requests
from werkzeug.wrappers import Response

from service.webhooks.model import EVENTS, Delivery, Secret, Webhook, new_secret
from service.webhooks.url_policy import refusal
from tests.receivers import Receiver, receiving
from workers.webhooks.attempt import Outcome
from workers.webhooks.sender import Guard, post

NOT_PUBLIC = Outcome(None, "The host has no public address.")
PUBLIC = "93.184.215.14"
real_resolve = socket.getaddrinfo
Resolve = Callable[..., list[str]]


@pytest.fixture
def near() -> Iterator[Receiver]:
    """A receiver on this machine, which nobody allows."""
    with receiving() as started:
        yield started


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Makes names resolve to the given addresses, one a question, the last for ever; the questions asked."""

    def answer(*addresses: str) -> list[str]:
        asked, left = list[str](), list(addresses)

        def resolve(host: Any, port: Any, *more: Any, **named: Any) -> Any:
            if not str(host).endswith(".example"):
                return real_resolve(host, port, *more, **named)
            asked.append(host)
            return real_resolve(left.pop(0) if len(left) > 1 else left[0], port, *more, **named)

        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        return asked

    return answer


@pytest.fixture
def dialled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that were to be connected to; none is."""
    addresses = list[str]()

    def connect(_: socket.socket, place: Any) -> None:
        addresses.append(place[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket.socket, "connect", connect)
    return addresses


def sent_to(url: str, *allowed: str) -> Outcome:
    """One attempt."""
    hook = Webhook("h_a", url, "key:k", "", "", None, EVENTS, (Secret(new_secret()),), 0)
    return post(hook, Delivery("h_a-ping-1", "h_a", "ping", "{}", 0), allowed, 1_800_000_000_000)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1", "0x7f000001", "2130706433", "0.0.0.0"])
def test_nothing_is_sent_to_this_machine(near: Receiver, host: str) -> None:
    assert sent_to(f"http://{host}:{near.server.port}/told") == NOT_PUBLIC
    assert near.got == []
    assert sent_to(near.url, "localhost").status == 200, "the receiver was there all the time"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "169.254.169.254",
        "100.64.0.1",
        "::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "fd00::1",
        "fe80::1",
        "fec0::1",
        "2002:7f00:1::",
        "::127.0.0.1",
        "224.0.0.1",
        "192.168.0.1",
    ],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_name_that_leads_inside_by_the_time_of_a_delivery_is_refused_then(
    answering: Callable[..., list[str]], dialled: list[str], scheme: str, address: str
) -> None:
    answering(PUBLIC, address)
    url = f"{scheme}://turncoat.example/hook"
    assert refusal(url, ()) is None, "it was public when it was registered"
    assert sent_to(url) == NOT_PUBLIC
    assert dialled == []


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_name_that_changes_between_check_and_connection_is_connected_to_where_it_was_checked(
    answering: Callable[..., list[str]], dialled: list[str], scheme: str
) -> None:
    asked = answering(PUBLIC, "127.0.0.1")
    sent_to(f"{scheme}://rebound.example/hook")
    assert dialled == [PUBLIC]
    assert asked == ["rebound.example"], "it is asked for once"


def test_a_name_that_changes_is_caught_on_the_connection_that_reaches_this_machine(
    answering: Callable[..., list[str]], near: Receiver
) -> None:
    answering(PUBLIC, "127.0.0.1")
    assert refusal(f"http://rebound.example:{near.server.port}/told", ()) is None
    assert sent_to(f"http://rebound.example:{near.server.port}/told") == NOT_PUBLIC
    assert near.got == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_a_failure_and_is_not_followed(near: Receiver, status: int) -> None:
    near.server.expect_request("/away").respond_with_handler(
        lambda _: Response("", status, {"Location": near.url})
    )
    outcome = sent_to(near.url.replace("/told", "/away"), "localhost")
    assert outcome.status == status
    assert near.got == []


def test_tls_checks_the_name_and_not_the_address_that_is_connected_to(
    answering: Callable[..., list[str]],
) -> None:
    answering(PUBLIC)
    request = requests.Request("POST", "https://named.example:8443/hook").prepare()
    guard = Guard((), is_https_proto=True)
    place, how = guard.build_connection_pool_key_attributes(request, verify=True)
    assert (place["host"], place["port"]) == (PUBLIC, 8443)
    assert how["server_hostname"] == how["assert_hostname"] == "named.example"
    assert how["cert_reqs"] == "CERT_REQUIRED"
    assert request.headers["Host"] == "named.example:8443"


def test_nothing_of_this_machines_own_goes_along(
    near: Receiver, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine localhost login ada password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert sent_to(near.url, "localhost").status == 200
    ((headers, _),) = near.got
    assert "authorization" not in headers
    assert headers["user-agent"] == "Bricabrac-Webhooks/1"


@pytest.mark.parametrize("url", ["http://localhost:1/", "http://[::1]:1/", "https://localhost:1/x"])
def test_what_cannot_be_reached_is_an_outcome_and_no_fault(url: str) -> None:
    assert sent_to(url, "localhost", "::1").status is None


def test_an_answer_that_is_no_http_is_an_outcome_and_no_fault() -> None:
    with socket.create_server(("127.0.0.1", 0)) as odd:
        from threading import Thread

        def babble() -> None:
            line, _ = odd.accept()
            line.recv(100)
            line.sendall(b"220 smtp.example ready\r\n")
            line.close()

        talking = Thread(target=babble)
        talking.start()
        outcome = sent_to(f"http://localhost:{odd.getsockname()[1]}/", "localhost")
        talking.join()
    assert outcome == Outcome(None, "There was no connection, or no answer that can be read.")
