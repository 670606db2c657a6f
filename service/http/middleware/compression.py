"""gzip for what is worth it; done here, for an extension renames strong tags and costs every request 13 µs.

Never compressed: what is kept from caches (`no-store`: tokens, which a compressed body next to a caller's
own words could give away, and events as they come), and streams without a tag (they do not end).
"""

import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from flask import Response, request

LEAST = 1000  # bytes
LEVEL = 5
GZIP = 31  # zlib's word for the gzip container
FORMS = {
    "application/json",
    "application/x-ndjson",
    "application/yaml",
    "text/html",
    "text/css",
    "text/javascript",
}


def compressible(response: Response) -> bool:
    """Whether an answer comes compressed to who accepts it."""
    headers = response.headers
    if "no-store" in headers.get("Cache-Control", "") or "Content-Encoding" in headers:
        return False
    if headers.get("Content-Type", "").partition(";")[0] not in FORMS:
        return False
    return "ETag" in headers if response.is_streamed else len(response.get_data()) >= LEAST


def accepts_gzip() -> bool:
    """Whether the caller accepts gzip."""
    named = "gzip" in request.environ.get("HTTP_ACCEPT_ENCODING", "").lower()
    return named and bool(request.accept_encodings["gzip"])


def tag_compressed(response: Response) -> None:
    """Say in the tag of an answer that it comes compressed."""
    if "ETag" in response.headers:
        response.headers["ETag"] = f'{response.headers["ETag"][:-1]}.gzip"'


def compress(response: Response) -> None:
    """Compress an answer."""
    headers = response.headers
    if response.is_streamed:
        response.response = _packed(response.response)
        headers.pop("Content-Length", None)
    else:
        pack = _packed_once if "public" in headers.get("Cache-Control", "") else _packed_whole
        response.set_data(pack(response.get_data()))
    headers["Content-Encoding"] = "gzip"


def _packed_whole(body: bytes) -> bytes:
    return b"".join(_packed([body]))


@lru_cache(maxsize=32)
def _packed_once(body: bytes) -> bytes:
    """What is the same for everybody is compressed once, at the first request."""
    return _packed_whole(body)


def _packed(parts: Iterable[Any]) -> Iterator[bytes]:
    """The parts as a gzip stream, sent as it fills."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    for part in parts:
        if packed := packer.compress(part):
            yield packed
    yield packer.flush()
