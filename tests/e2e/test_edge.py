"""The edge as it is run: what the server itself refuses, bodies in chunks, packed exports, its log."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.log.verify import verify
from tests.e2e.running import Service, running
from tests.e2e.speaking import spoken
from tests.servers import until

PROBLEM = "application/problem+json"
BODY = b'{"game": "whatnot", "seats": [{"name": "Ann"}, {"name": "Bob"}]}'


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("edge"), CORS_ORIGINS="*") as started:
        yield started


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"NONSENSE\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nno colon here\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 20_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 300 + b"\r\n",
    ],
)
def test_what_cannot_be_read_as_http_is_a_problem_document_like_any_other(
    service: Service, request_bytes: bytes
) -> None:
    status, headers, body = spoken(service, request_bytes)
    document = json.loads(body)
    assert 400 <= status < 600
    assert headers["Content-Type"] == PROBLEM
    assert document["status"] == status
    assert document["request_id"] == headers["X-Request-ID"]
    with service.client() as client:
        assert client.get(document["type"]).status_code == 200
    for name in ("Content-Security-Policy", "Referrer-Policy", "X-Content-Type-Options", "Cache-Control"):
        assert name in headers
    assert headers["Access-Control-Allow-Origin"] == "*"
    until(lambda: f'"{document["request_id"]}"' in service.output())


def post(path: str, *more: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: x", "Connection: close", "Content-Type: application/json", *more]
    return "\r\n".join([*lines, "", ""]).encode()


def test_a_body_in_chunks_is_taken_and_one_that_is_too_large_is_refused(service: Service) -> None:
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in BODY) + b"0\r\n\r\n"
    status, _, body = spoken(service, post("/v1/matches", "Transfer-Encoding: chunked"), chunks)
    assert (status, json.loads(body)["match"]["version"]) == (201, 1)
    large = b"10000\r\n%b\r\n" % (b" " * 65536) * 8 + b"0\r\n\r\n"
    status, headers, body = spoken(service, post("/v1/matches", "Transfer-Encoding: chunked"), large)
    assert (status, json.loads(body)["code"]) == (413, "content_too_large")
    assert headers["Content-Type"] == PROBLEM


def test_a_caller_who_waits_for_leave_to_send_gets_it_and_other_expectations_are_refused(
    service: Service,
) -> None:
    asked = post("/v1/matches", "Expect: 100-continue", f"Content-Length: {len(BODY)}")
    assert spoken(service, asked, BODY)[0] == 201
    status, headers, _ = spoken(service, post("/v1/matches", "Expect: a-miracle", "Content-Length: 2"), b"{}")
    assert 400 <= status < 500
    assert headers["Content-Type"] == PROBLEM


def test_two_slashes_at_the_beginning_of_a_path_lead_nowhere(service: Service) -> None:
    for path in (b"//livez", b"/v1//games", b"/livez/"):
        status, headers, _ = spoken(
            service, b"GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" % path
        )
        assert (status, headers["Content-Type"]) == (404, PROBLEM)


def test_the_server_tells_its_name_but_no_version(service: Service) -> None:
    with service.client() as client:
        for path in ("/livez", "/nothing"):
            assert not any(sign.isdigit() for sign in client.get(path).headers.get("Server", ""))


def test_a_packed_export_arrives_whole_and_verifies(service: Service) -> None:
    with service.client() as client:
        created = client.post("/v1/matches", content=BODY, headers={"Content-Type": "application/json"})
        path = created.headers["Location"] + "/log"
        asked = {"Accept": "application/x-ndjson", "Accept-Encoding": "gzip"}
        answer = client.get(path, headers=asked)
        assert answer.headers["Content-Encoding"] == "gzip"
        assert verify(answer.content.splitlines()) is not None
        head = client.head(path, headers=asked)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["ETag"] == answer.headers["ETag"]


def test_each_request_is_a_line_of_json_on_the_output(service: Service) -> None:
    def logged(request_id: str) -> list[dict[str, object]]:
        lines = [line for line in service.output().splitlines() if f'"{request_id}"' in line]
        return [json.loads(line) for line in lines]

    with service.client() as client:
        client.get("/v1/games", headers={"X-Request-ID": "a-read"})
        client.get("/v1/games/chess?secret", headers={"X-Request-ID": "a-refusal"})
    until(lambda: len(logged("a-read")) == len(logged("a-refusal")) == 1)
    assert [line["route"] for line in logged("a-read")] == ["/v1/games"]
    assert [line["code"] for line in logged("a-refusal")] == ["validation_error"]
    assert "chess" not in service.output()


def test_what_it_says_of_itself_can_be_set(tmp_path: Path) -> None:
    with running(tmp_path, ACCESS_LOG="false", CORS_ORIGINS="https://a.example,https://b.example") as service:
        with service.client() as client:
            for origin in ("https://a.example", "https://b.example"):
                answer = client.get("/livez", headers={"Origin": origin, "X-Request-ID": "unheard"})
                assert answer.headers["Access-Control-Allow-Origin"] == origin
            stranger = client.get("/livez", headers={"Origin": "https://c.example"})
            assert "Access-Control-Allow-Origin" not in stranger.headers
            _, headers, _ = spoken(service, b"NONSENSE\r\n\r\n")
            assert "Access-Control-Allow-Origin" not in headers
        assert "unheard" not in service.output()


@pytest.mark.parametrize("chunks", [b"zz\r\n\r\n", b"-1\r\n\r\n", b"1_0\r\n", b"2\r\n{}XX0\r\n\r\n"])
def test_a_body_in_chunks_that_are_none_is_refused_as_what_cannot_be_read(
    service: Service, chunks: bytes
) -> None:
    status, headers, body = spoken(service, post("/v1/matches", "Transfer-Encoding: chunked"), chunks)
    assert (status, headers["Content-Type"]) == (400, PROBLEM)
    assert json.loads(body)["code"] == "bad_request"
