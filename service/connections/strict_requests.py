"""Requests as RFC 9112 has them: HTTP/1.1 names its host, and no coding is taken but chunks alone."""

import re

from gunicorn.http.errors import InvalidHeader, UnsupportedTransferCoding
from gunicorn.http.message import Request

HOST = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=%:\[\]-]*")  # what a host and a port are written with (RFC 3986)


class HostError(InvalidHeader):
    """The header Host is missing, or names no host."""

    def __str__(self) -> str:
        """What the caller is told."""
        return "HTTP/1.1 needs one header Host, with a host and perhaps a port."


class StrictRequest(Request):
    """A request that gunicorn has parsed, judged once more."""

    def set_body_reader(self) -> None:
        """Find out how the body comes; called when the head has been read."""
        super().set_body_reader()
        headers = list(self.headers)
        codings = [value for name, value in headers if name == "TRANSFER-ENCODING"]
        if codings and [each.strip(" \t").lower() for each in ",".join(codings).split(",")] != ["chunked"]:
            raise UnsupportedTransferCoding(", ".join(codings))
        hosts = [value for name, value in headers if name == "HOST"]
        if (self.version != (1, 0) and not hosts) or not all(map(HOST.fullmatch, hosts)):
            raise HostError("HOST")

    def should_close(self) -> bool:
        """No further request is read where it cannot be known where it begins: after half a body."""
        return super().should_close() or self._unread

    @property
    def _unread(self) -> bool:
        if self.body is None or getattr(self.body, "failed", False):
            return True
        reader = self.body.reader
        return bool(getattr(reader, "length", 0)) or getattr(reader, "parser", None) is not None
