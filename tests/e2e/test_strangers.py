"""Requests of strangers: no header rewrites them, and half of one is none."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from typing import Any

import httpx
import pytest

from tests.e2e.running import Service, running
from tests.e2e.speaking import request, spoken

PROBLEM = "application/problem+json"
JSON = "Content-Type: application/json"
TABLE = {"game": "whatnot", "seats": [{"name": "Ann"}, {"name": "Bob"}]}
REWRITING = [
    "SCRIPT_NAME: /nope",
    "SCRIPT_NAME: /v1",
    "Script-Name: /v1",
    "PATH_INFO: /livez",
    "Path-Info: /livez",
    "REMOTE_USER: root",
    "Remote-User: root",
    "REMOTE_ADDR: 192.0.2.1",
    "X-HTTP-Method-Override: DELETE",
    "X-HTTP-Method: DELETE",
    "X-Method-Override: DELETE",
    "X-Original-URL: /livez",
    "X-Rewrite-URL: /livez",
    "X-Forwarded-Host: evil.example",
    "X-Forwarded-Proto: https",
    "X-Forwarded-Protocol: ssl",
    "X-Forwarded-Ssl: on",
    "X-Forwarded-Prefix: /v1",
    "X-Forwarded-Path: /livez",
    "X_Forwarded_For: 192.0.2.1",
    "Forwarded: for=192.0.2.1;host=evil.example;proto=https",
    "X-Real-IP: 192.0.2.1",
    "Proxy: http://evil.example",
    "Content_Length: 4",
    "Transfer_Encoding: chunked",
    "Upgrade: h2c",
    "wsgi.url_scheme: https",
]


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Service]]:
    """A service with so many proxies before it; each is started once, in whatever order the tests come."""
    with ExitStack() as started:

        @cache
        def with_proxies(number: str) -> Service:
            folder = tmp_path_factory.mktemp("strangers")
            return started.enter_context(
                running(folder, PROXIES=number, HTTP_WORKERS="1", LIMIT_READS="100000/day")
            )

        yield with_proxies


@pytest.fixture(params=["0", "1"], ids=["by itself", "behind a proxy"])
def service(services: Callable[[str], Service], request: pytest.FixtureRequest) -> Service:
    return services(request.param)


@pytest.fixture
def match(service: Service) -> Iterator[tuple[str, dict[str, str]]]:
    with service.client() as client:
        made = client.post("/v1/matches", json=TABLE)
        yield made.headers["Location"], made.json()["tokens"]


def version(service: Service, url: str) -> int:
    with service.client() as client:
        found: int = client.get(url).json()["version"]
        return found


@pytest.mark.parametrize("path", ["/v1/limits", "/v1/games/whatnot", "/v1/nothing", "/x/v1/limits"])
def test_no_header_rewrites_a_request(service: Service, path: str) -> None:
    status, _, body = spoken(service, request("GET", path))
    for header in REWRITING:
        told = spoken(service, request("GET", path, header))
        assert told[0] == status, header
        if status == 200 and path != "/v1/limits":
            assert told[2] == body, header


def test_what_a_proxy_says_of_an_address_is_believed_where_there_is_one(service: Service) -> None:
    def left(*headers: str) -> int:
        told = json.loads(spoken(service, request("GET", "/v1/limits", *headers))[2])
        return next(each["remaining"] for each in told["items"] if each["name"] == "reads")

    mine = left()
    spoken(service, request("GET", "/v1/games", "X-Forwarded-For: 192.0.2.77"))
    behind_a_proxy = service.environment["PROXIES"] == "1"
    assert (left() == mine) is behind_a_proxy


HALVES = {
    "a command": ("POST", "/commands", {"type": "choose_column", "column": 3}),
    "a token": ("POST", "/tokens", {}),
    "a seat that is left": ("DELETE", "/seats/0", {}),
    "a ticket": ("POST", "/tickets", {}),
}


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("coding", ["length", "chunks"])
def test_half_a_request_is_400_and_does_nothing(
    service: Service, match: tuple[str, dict[str, str]], half: str, coding: str
) -> None:
    method, part, asked = HALVES[half]
    url, tokens = match
    body, who = json.dumps(asked).encode(), f"Authorization: Bearer {tokens['seat:0']}"
    if coding == "length":
        sent = request(method, url + part, who, JSON, f"Content-Length: {len(body) + 1}", body=body)
    else:
        chunk = b"%x\r\n%b\r\n" % (len(body), body)
        sent = request(method, url + part, who, JSON, "Transfer-Encoding: chunked", body=chunk)
    status, headers, answer = spoken(service, sent, hang_up=True)
    assert (status, headers["Content-Type"], json.loads(answer)["code"]) == (400, PROBLEM, "bad_request")
    assert version(service, url) == 1
    with service.client() as client:
        mine = client.get(url, headers={"Authorization": f"Bearer {tokens['seat:0']}"})
        assert mine.json()["viewer"] == 0, "the token is still good"


def test_half_a_creation_makes_no_match(service: Service) -> None:
    body = json.dumps(TABLE).encode()
    sent = request("POST", "/v1/matches", JSON, f"Content-Length: {len(body) + 5}", body=body)
    with service.client() as client:
        before = client.get("/v1/matches").json()["items"]
        assert spoken(service, sent, hang_up=True)[0] == 400
        assert client.get("/v1/matches").json()["items"] == before


def test_half_a_read_is_refused_like_half_a_write(service: Service) -> None:
    assert (
        spoken(service, request("GET", "/v1/games", "Content-Length: 9", body=b"{"), hang_up=True)[0] == 400
    )


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (request("GET", "/livez", host=""), (400, "bad_request")),
        (request("GET", "/livez", "Host: y"), (400, "bad_request")),
        (request("GET", "/livez", host="Host: a b\r\n"), (400, "bad_request")),
        (request("GET", "/livez", host="Host: a/b\r\n"), (400, "bad_request")),
        (b"GET /livez HTTP/1.0\r\n\r\n", (200, None)),
        (request("GET", "/livez", host="Host: [::1]:8000\r\n"), (200, None)),
        (request("GET", "/livez", host="Host:\r\n"), (200, None)),
        (request("POST", "/v1/matches", "Transfer-Encoding: nonsense"), (501, "not_implemented")),
        (request("POST", "/v1/matches", "Transfer-Encoding: gzip, chunked"), (501, "not_implemented")),
        (request("POST", "/v1/matches", "Transfer-Encoding: identity, chunked"), (501, "not_implemented")),
        (
            request("POST", "/v1/matches", "Transfer-Encoding: gzip", "Transfer-Encoding: chunked"),
            (501, "not_implemented"),
        ),
        (request("POST", "/v1/matches", "Transfer-Encoding: gzip"), (400, "bad_request")),
        (request("POST", "/v1/matches", "Transfer-Encoding: chunked, chunked"), (400, "bad_request")),
        (
            request("POST", "/v1/matches", "Transfer-Encoding: chunked", "Content-Length: 2"),
            (400, "bad_request"),
        ),
        (request("POST", "/v1/matches", "Content-Length: +2"), (400, "bad_request")),
        (request("POST", "/v1/matches", "Content-Length: 1_0"), (400, "bad_request")),
    ],
)
def test_what_is_no_request_of_this_version_of_http_is_announced_as_that(
    service: Service, sent: bytes, expected: tuple[int, str | None]
) -> None:
    status, headers, body = spoken(service, sent)
    document: dict[str, Any] = json.loads(body)
    assert (status, document.get("code")) == expected
    if status >= 400:
        assert headers["Content-Type"] == PROBLEM
        told = httpx.get(service.url + document["type"]).json()
        assert told["example"]["status"] == status


def test_the_next_request_of_a_connection_is_read_where_it_begins(service: Service) -> None:
    body = json.dumps(TABLE).encode()
    first = f"POST /v1/matches HTTP/1.1\r\nHost: x\r\n{JSON}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with service.client() as client:
        assert client.post("/v1/matches", json=TABLE).status_code == 201
    status, _, answer = spoken(service, first + body + request("GET", "/livez"))
    assert status == 201
    assert b'"status":"alive"' in answer
    large = request("POST", "/v1/matches", JSON, "Content-Length: 70000", body=b" " * 70_000)
    status, headers, answer = spoken(
        service, large.replace(b"Connection: close\r\n", b"") + request("GET", "/livez")
    )
    assert (status, headers["Connection"]) == (413, "close")
    assert b"alive" not in answer
