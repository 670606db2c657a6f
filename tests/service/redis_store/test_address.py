"""A wrong address of the store is told in one sentence, soon, and never with its password."""

import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from service.redis_store.address import StoreAddressError, reach, read
from service.redis_store.client import connect
from tests.servers import HOST, TcpServer

SECRET = "geheim"


@dataclass
class StreamSlots:
    """Where something answers, or does not."""

    plain: str
    guarded: str
    web: str
    silent: str


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StreamSlots]:
    folder = tmp_path_factory.mktemp("places")
    with (
        TcpServer(folder / "plain") as plain,
        TcpServer(folder / "guarded") as guarded,
        socket.create_server((HOST, 0)) as web,
        socket.create_server((HOST, 0)) as silent,
    ):
        client: Any = connect(guarded.url)
        client.config_set("requirepass", SECRET)
        Thread(target=_serve_pages, args=(web,), daemon=True).start()
        ports = plain.port, guarded.port, web.getsockname()[1], silent.getsockname()[1]
        yield StreamSlots(*(f"{HOST}:{port}" for port in ports))
        connect(guarded.url.replace("//", f"//:{SECRET}@")).config_set("requirepass", "")  # type: ignore[no-untyped-call, unused-ignore]


def _serve_pages(listener: socket.socket) -> None:
    while True:
        try:
            caller, _ = listener.accept()
        except OSError:
            return
        with caller:
            caller.recv(1000)
            caller.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def refusal(url: str) -> str:
    began = time.monotonic()
    with pytest.raises(StoreAddressError) as refused:
        reach("REDIS_URL", url)
    assert time.monotonic() - began < 10
    said = str(refused.value)
    assert said.startswith("REDIS_URL")
    assert said.endswith(".")
    assert "\n" not in said
    assert SECRET not in said
    return said


@pytest.mark.parametrize(
    ("url", "cause"),
    [
        ("redis://{guarded}", "does not accept the user or the password"),
        ("redis://:wrong@{guarded}", "does not accept the user or the password"),
        (f"redis://:{SECRET}@{{plain}}", "asks for no password"),
        ("redis://{plain}/99", "has no database of that number"),
        ("redis://{plain}/first", "a database that is not a number"),
        ("redis://{plain}?db=first", "a database that is not a number"),
        ("redis+cluster://{plain}/1", "a cluster has only the first"),
        ("redis+cluster://{plain}", "Cluster mode is not enabled"),
        ("rediss://{plain}", "speaks TLS"),
        ("redis://{web}", "is not a Redis or Valkey"),
        ("redis://{silent}", "does not answer"),
        (f"redis://:{SECRET}@127.0.0.1:1", "does not answer: Connection refused"),
        (f"redis+cluster://:{SECRET}@127.0.0.1:1", "does not answer: Connection refused"),
        (f"redis://:{SECRET}@nowhere.invalid", "nowhere.invalid:6379 does not answer"),
        ("unix:///nowhere/valkey.sock", "/nowhere/valkey.sock does not answer: No such file"),
        ("redis://{plain}?colour=red", "has an option that is not known"),
        ("redis://{plain}?socket_timeout=long", "has an option whose value is wrong"),
    ],
)
def test_what_is_wrong_is_named_with_the_host(places: StreamSlots, url: str, cause: str) -> None:
    said = refusal(url.format(**vars(places)))
    assert cause in said
    assert any(host in said for host in (*vars(places).values(), "127.0.0.1:1", "nowhere"))


@pytest.mark.parametrize(
    "url",
    [
        f"http://x:{SECRET}@host",
        f"x:{SECRET}@host:6379",
        "localhost:6379",
        f"redis://x:ge/{SECRET}@host:6379",
        f"redis://:123#{SECRET}@host",
        f"redis://:12?{SECRET}@host",
        f"redis://:{SECRET}@[::1",
        f"redis://:{SECRET}@host:port",
        "unix://",
        "redis:",
    ],
)
def test_what_is_no_address_is_refused_without_a_word_of_it(url: str) -> None:
    assert "redis://" in refusal(url)


def test_a_right_address_is_right(places: StreamSlots) -> None:
    reach("REDIS_URL", f"redis://{places.plain}")
    reach("REDIS_URL", f"redis://:{SECRET}@{places.guarded}/3")
    assert read("REDIS_URL", f"redis://:{SECRET}@{places.guarded}/3").shown == f"redis://{places.guarded}"


def test_a_store_that_is_just_starting_is_waited_for(tmp_path: Path) -> None:
    with TcpServer(tmp_path) as server:
        server.stop()
        began = Thread(target=reach, args=("REDIS_URL", server.url, 8.0))
        began.start()
        server.start()
        began.join()
        reach("REDIS_URL", server.url)
