"""The end of an operation, announced: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), then 410.

Ready for the day it is needed; no operation of today is on its way out.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from wsgiref.handlers import format_date_time

from flask import Response, g
from http_sf import ser

from service.http.protocol.problems import Problem

DOCUMENTATION = "/docs"


@dataclass(frozen=True, slots=True)
class Lifetime:
    """Since when an operation is deprecated, when it ends, and the path of what comes after it."""

    deprecated: datetime
    sunset: datetime | None = None
    successor: str | None = None

    def headers(self) -> Iterator[tuple[str, str]]:
        """What each answer of the operation says of its end."""
        yield "Deprecation", ser(self.deprecated)
        yield "Link", f'<{DOCUMENTATION}>; rel="deprecation"; type="text/html"'
        if self.sunset is not None:
            yield "Sunset", format_date_time(self.sunset.timestamp())
            yield "Link", f'<{DOCUMENTATION}>; rel="sunset"; type="text/html"'
        if self.successor is not None:
            yield "Link", f'<{self.successor}>; rel="successor-version"'

    def begin(self, milliseconds: int) -> None:
        """Announce the end with this request's answer, whatever that is; 410 if the end has come."""
        g.lifetime = self
        if self.sunset is not None and datetime.fromtimestamp(milliseconds / 1000, UTC) >= self.sunset:
            after = f"; use {self.successor}" if self.successor else ""
            raise Problem("gone", f"This operation ended on {self.sunset:%Y-%m-%d}{after}.")


def announce_end(response: Response) -> None:
    """Headers of an operation that is on its way out."""
    if "lifetime" in g:
        for name, value in g.lifetime.headers():
            response.headers.add(name, value)
