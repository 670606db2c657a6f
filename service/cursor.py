"""Cursors of the feed of all matches: a place in the feed of each partition, as one opaque word.

A cursor says when it was made, for the feed does not go back for ever.
"""

import struct
import zlib
from base64 import b64decode, urlsafe_b64encode
from itertools import chain

from service.errors import ServiceError
from service.live import Positions

KEPT_MS = 60 * 60 * 1000  # a cursor leads somewhere for so long; the feed is kept for longer than that
FORMAT = 1
HEAD = struct.Struct(">BQ")


class CursorExpiredError(ServiceError, status=410, code="cursor_expired"):
    """What follows this cursor may be gone."""

    def __init__(self) -> None:
        super().__init__("What followed this cursor may be gone from the feed.")


def written(positions: Positions, now: int) -> str:
    """The cursor of a place, made now (milliseconds since 1970)."""
    parts = [tuple(map(int, place.split(b"-"))) for place in positions]
    numbers = chain((ms for ms, _ in parts), (sequence for _, sequence in parts))
    packed = HEAD.pack(FORMAT, now) + struct.pack(f">{2 * len(parts)}Q", *numbers)
    return urlsafe_b64encode(zlib.compress(packed, 9)).decode().rstrip("=")


def read(cursor: str, partitions: int, now: int) -> Positions:
    """The place of a cursor; ValueError where it is none of ours, CursorExpiredError where it is too old."""
    body = struct.Struct(f">{2 * partitions}Q")
    try:
        unpacking = zlib.decompressobj()
        squeezed = b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True)
        packed = unpacking.decompress(squeezed, HEAD.size + body.size + 1)
        kind, made = HEAD.unpack(packed[: HEAD.size])
        numbers = body.unpack(packed[HEAD.size :])
    except (zlib.error, struct.error) as flaw:
        raise ValueError(str(flaw)) from flaw
    if kind != FORMAT or not unpacking.eof:
        raise ValueError("a cursor of another format")
    if made < now - KEPT_MS:
        raise CursorExpiredError
    return tuple(b"%d-%d" % place for place in zip(numbers[:partitions], numbers[partitions:], strict=True))
