"""The indexes that the append script keeps beside the matches: the public list, and who was touched when.

The list is one sorted set a partition, `{p07}:public`, of rows `<game>/<status>/<place>/<game>/<status>`.
Each public match has four, with game or status left out of the beginning or not, so that every filter is one
range; a row holds all that the list says of its match. `{p07}:idle` has the open and playing matches by the
time of their last commit.
"""

from heapq import merge
from itertools import islice
from typing import Any

from service.store.journal import Listed
from service.store.keys import Keys
from service.store.redis_client import reading, store_time

SPARE = 3  # rows asked of each partition beyond its share of a page
END = b"\xff"  # after every place
Rows = list[bytes]


def prefix_of(game: str, status: str) -> bytes:
    """What the rows of a filter begin with; an empty string leaves it out."""
    return f"{game}/{status}/".encode()


def public_page(client: Any, keys: Keys, page: tuple[str | None, int], prefix: bytes) -> list[Listed]:
    """The rows after a place, at most so many: each partition is asked for its share, full ones for more."""
    before, count = page
    top = b"(" + prefix + (END if before is None else before.encode())
    share = min(count, count // keys.partitions + SPARE)
    found = _ranges(client, dict.fromkeys(keys.every("public"), top), prefix, share)
    first = list(islice(merge(*found.values(), reverse=True), count))
    last = first[-1] if len(first) == count else b""
    full = {key: b"(" + rows[-1] for key, rows in found.items() if len(rows) == share and rows[-1] > last}
    if full:
        more = _ranges(client, full, prefix, count)
        first = list(islice(merge(*found.values(), *more.values(), reverse=True), count))
    return [_listed(row.removeprefix(prefix).decode()) for row in first]


def idle_matches(client: Any, keys: Keys, since_ms: int, count: int) -> list[str]:
    """The matches without a commit for so long, the longest first."""
    with reading():
        last = store_time(client) - since_ms
        with client.pipeline(transaction=False) as pipe:
            for key in keys.every("idle"):
                pipe.zrangebyscore(key, "-inf", last, 0, count, withscores=True)
            found = sorted((time, match) for part in pipe.execute() for match, time in part)
    return [match.decode() for _, match in found[:count]]


def _ranges(client: Any, tops: dict[str, bytes], prefix: bytes, count: int) -> dict[str, Rows]:
    with reading(), client.pipeline(transaction=False) as pipe:
        for key, top in tops.items():
            pipe.zrevrangebylex(key, top, b"[" + prefix, 0, count)
        return dict(zip(tops, pipe.execute(), strict=True))


def _listed(row: str) -> Listed:
    place, game, status = row.split("/")
    return Listed(place, place.split("-", 1)[1], game, status)
