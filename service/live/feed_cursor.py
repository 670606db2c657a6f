"""Cursors of the feed of all matches: a place in the feed of each partition, as one sealed word.

A place also moves past commits that the caller may not see. So it is encrypted with a key made from the
deployment's secret, and all cursors have the same length: comparing two of them shows nothing, not even
whether they are equal, and nobody can make one up. A cursor says when it was made, because the feed does not
go back for ever.
"""

import hmac
from base64 import b64decode, urlsafe_b64encode
from functools import lru_cache
from secrets import token_bytes

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from service.errors import ServiceError
from service.live.feed_window import Positions

KEPT_MS = 60 * 60 * 1000  # a cursor leads somewhere for so long; the feed is kept for longer than that
DAY_MS = 24 * 60 * 60 * 1000  # each day has a key of its own, so that random nonces are safe
FORMAT = b"\x02"
MADE_BYTES, NONCE_BYTES, TAG_BYTES = 6, 12, 16
HEAD_BYTES = len(FORMAT) + MADE_BYTES  # in the clear: the caller knows when it was made
MS_BYTES, NUMBER_BYTES = 6, 4
PLACE_BYTES = MS_BYTES + NUMBER_BYTES  # a time in milliseconds, and the number among those of that time
NUMBER_BITS = 8 * NUMBER_BYTES
LAST = 2**64 - 1  # a number after all others of a millisecond; packed as LARGEST
LARGEST = (1 << NUMBER_BITS) - 1


class CursorExpiredError(ServiceError, status=410, code="cursor_expired"):
    """What follows this cursor may be gone."""

    def __init__(self) -> None:
        super().__init__("What followed this cursor may be gone from the feed.")


def written(positions: Positions, now: int, secret: bytes) -> str:
    """The cursor of a place, made now (milliseconds since 1970)."""
    head, nonce = FORMAT + now.to_bytes(MADE_BYTES), token_bytes(NONCE_BYTES)
    sealed = _cipher(secret, now // DAY_MS).encrypt(nonce, b"".join(map(_packed, positions)), head)
    return urlsafe_b64encode(head + nonce + sealed).decode().rstrip("=")


def read(cursor: str, partitions: int, now: int, secret: bytes) -> Positions:
    """The position in a cursor; ValueError if we did not write it, CursorExpiredError if it is too old."""
    raw = b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True)
    head, nonce, sealed = raw[:HEAD_BYTES], raw[HEAD_BYTES:][:NONCE_BYTES], raw[HEAD_BYTES + NONCE_BYTES :]
    if not head.startswith(FORMAT) or len(sealed) != partitions * PLACE_BYTES + TAG_BYTES:
        raise ValueError("a cursor of another format")
    made = int.from_bytes(head[len(FORMAT) :])
    try:
        opened: bytes = _cipher(secret, made // DAY_MS).decrypt(nonce, sealed, head)
    except InvalidTag as forged:
        raise ValueError("a cursor that was not made here") from forged
    if made < now - KEPT_MS:
        raise CursorExpiredError
    return tuple(_place(opened[at : at + PLACE_BYTES]) for at in range(0, len(opened), PLACE_BYTES))


@lru_cache(maxsize=4)
def _cipher(secret: bytes, day: int) -> ChaCha20Poly1305:
    return ChaCha20Poly1305(hmac.digest(secret, f"feed cursor/{day}".encode(), "sha256"))


def _packed(place: bytes) -> bytes:
    ms, _, number = place.partition(b"-")
    return (int(ms) << NUMBER_BITS | min(int(number), LARGEST)).to_bytes(PLACE_BYTES)


def _place(packed: bytes) -> bytes:
    ms, number = divmod(int.from_bytes(packed), 1 << NUMBER_BITS)
    return b"%d-%d" % (ms, LAST if number == LARGEST else number)
