"""Webhooks lead to public addresses only, however an address is written."""

import socket
from ipaddress import ip_address
from typing import Any

import pytest

from service.webhooks.url_policy import public, refusal

INSIDE = [
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a00:1::",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
]
OUTSIDE = ["1.1.1.1", "8.8.8.8", "193.0.6.139", "2606:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8"]


@pytest.mark.parametrize("address", INSIDE)
def test_an_address_that_is_nobodys_on_the_public_internet_is_not_public(address: str) -> None:
    assert not public(ip_address(address))


@pytest.mark.parametrize("address", OUTSIDE)
def test_an_address_on_the_public_internet_is_public(address: str) -> None:
    assert public(ip_address(address))


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST.",
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[0:0:0:0:0:ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "169.254.169.254",
        "0",
        "no-such-host.invalid",
        "a" * 64 + ".example",
    ],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_url_that_leads_inside_or_nowhere_is_refused_however_it_is_written(scheme: str, host: str) -> None:
    assert refusal(f"{scheme}://{host}/hook", ()) == "The host has no public address."
    assert refusal(f"{scheme}://{host}:8443/hook", ()) == "The host has no public address."


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hook",
        "//localhost/hook",
        "ftp://localhost/",
        "file:///etc/passwd",
        "gopher://localhost/",
        "http://",
        "http:///hook",
        "http://localhost:0/",
        "http://localhost:99999/",
        "http://localhost:x/",
        "http://[::1/",
        "http://ada:secret@localhost/",
        "http://ada@localhost/",
        "http://localhost/#part",
        "http://localhost/a b",
        "http://localhost\\@elsewhere/",
        "http://localhost/\r\nX: y",
        "http://l\u00f6calhost/",
    ],
)
def test_what_is_no_plain_url_is_refused_even_where_its_host_is_allowed(url: str) -> None:
    assert refusal(url, {"localhost"}) is not None


def test_a_host_that_the_operator_names_is_allowed_and_none_that_only_looks_like_it() -> None:
    allowed = {"localhost", "inner"}
    for url in ("http://localhost:8000/x", "https://LOCALHOST/", "http://inner/"):
        assert refusal(url, allowed) is None
    for url in ("http://localhost.:8000/", "http://127.0.0.1/", "http://inner.localhost/"):
        assert refusal(url, allowed) is not None


def test_a_name_with_one_public_address_and_one_inside_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(*_: Any, **__: Any) -> list[Any]:
        places = [("8.8.8.8", 443), ("10.0.0.1", 443)]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", place) for place in places]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    assert refusal("https://both.example/", ()) == "The host has no public address."
