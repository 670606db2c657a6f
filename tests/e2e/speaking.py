"""Bytes on a connection to a running service, and what is answered to them."""

import socket
from urllib.parse import urlsplit

import httpx

from tests.e2e.running import Service

Answer = tuple[int, httpx.Headers, bytes]


def dialled(service: Service, timeout: float = 20) -> socket.socket:
    """A connection to a service."""
    where = urlsplit(service.url)
    return socket.create_connection((where.hostname or "", where.port or 0), timeout=timeout)


def heard(connection: socket.socket) -> Answer:
    """What is answered until the service closes the connection."""
    answered = b""
    while more := connection.recv(65536):
        answered += more
    while answered.startswith(b"HTTP/1.1 1"):
        answered = answered.partition(b"\r\n\r\n")[2]
    head, _, body = answered.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    return int(status.split()[1]), httpx.Headers([line.split(": ", 1) for line in lines]), body  # type: ignore[misc]


def spoken(service: Service, *parts: bytes, hang_up: bool = False) -> Answer:
    """What is answered to bytes on a connection, whatever they are; `hang_up` says that no more will come."""
    with dialled(service) as connection:
        for part in parts:
            connection.sendall(part)
        if hang_up:
            connection.shutdown(socket.SHUT_WR)
        return heard(connection)


def request(method: str, path: str, *lines: str, body: bytes = b"", host: str = "Host: x\r\n") -> bytes:
    """A request after which the service closes the connection."""
    written = "".join(f"{line}\r\n" for line in lines)
    return f"{method} {path} HTTP/1.1\r\n{host}Connection: close\r\n{written}\r\n".encode() + body
