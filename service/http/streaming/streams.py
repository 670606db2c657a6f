"""Writes streams: server-sent events or lines of JSON, until the match ends or the stream is too old."""

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Protocol, TypeVar

import orjson

from service.auth.signing_keys import Signer
from service.http.streaming.forms import event
from service.live.match_subscription import Line, MatchSubscription
from service.live.stream_slots import StreamLimits
from service.log.export import trailer
from service.matches.revision import DIGITS, Revision
from service.matches.views import whose_turn

RETRY = b"retry: 2000\n"  # milliseconds until a client comes again
COMMENT = b": \n\n"  # says only that the stream lives
EMPTY_LINE = b"\n"  # the same among lines of JSON
Item_co = TypeVar("Item_co", covariant=True)


class Follows(Protocol[Item_co]):
    """A subscription to news."""

    @property
    def done(self) -> bool:
        """Nothing more will come."""

    def news(self, seconds: float) -> Sequence[Item_co]:
        """What has come, or nothing within so long."""


class Life:
    """How long a stream lives, and how long it is silent at most; a little random."""

    def __init__(self, limits: StreamLimits) -> None:
        self._limits = limits
        self._end = time.monotonic() + limits.seconds * random.uniform(0.9, 1.1)  # noqa: S311  no secret

    @property
    def over(self) -> bool:
        """Whether the stream has to end; its reader reconnects."""
        return time.monotonic() >= self._end

    def silence(self) -> float:
        """How long to wait for the next news, in seconds."""
        some = self._limits.silence * random.uniform(0.8, 1.15)  # noqa: S311  no secret
        return max(0.0, min(some, self._end - time.monotonic()))


def events(following: MatchSubscription, opening: bytes, life: Life, signer: Signer) -> Iterator[bytes]:
    """A match as server-sent events."""
    yield RETRY + opening
    for lines in news(following, life):
        yield _commits(lines) + _turn(following) if lines else COMMENT
    if following.end is not None:
        loaded = following.end
        signed = signer.sign(loaded.id, loaded.version, loaded.hash)
        end = {"version": loaded.version, "status": loaded.state.status}
        yield event("end", orjson.dumps({**end, "signed_head": signed and signed.document()}))


def json_lines(following: MatchSubscription, opening: bytes, life: Life, signer: Signer) -> Iterator[bytes]:
    """A match as lines of JSON; the whole of it, from its header to its end, has a trailer."""
    if opening:
        yield opening
    for lines in news(following, life):
        yield b"".join(line + b"\n" for _, line in lines) or EMPTY_LINE
    if opening and following.end is not None:
        yield from trailer(signer.sign(following.end.id, following.end.version, following.end.hash))


def news(following: Follows[Item_co], life: Life) -> Iterator[Sequence[Item_co]]:
    """What comes, and nothing now and then, so that a client that is gone is noticed."""
    while not following.done:
        items = following.news(life.silence())
        if items:
            yield items
        elif following.done or life.over:
            return
        else:
            yield ()


def _commits(lines: Iterable[Line]) -> bytes:
    return b"".join(_commit(line) for _, line in lines)


def _turn(following: MatchSubscription) -> bytes:
    """Who is to act after the commits that were given; nothing while there are more, nor at the end."""
    if following.stands is None or following.end is not None:
        return b""
    return event("turn", orjson.dumps(whose_turn(following.stands)))


@lru_cache(maxsize=1024)
def _commit(line: bytes) -> bytes:
    """A commit as an event: many are sent the same line."""
    record = orjson.loads(line)
    return event("commit", line, str(Revision(record["version"], record["hash"][:DIGITS])))
