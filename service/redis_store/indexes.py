"""The indexes that the append script keeps beside the matches: lists, tokens, and who was touched when.

The public list is one sorted set a partition, `{p07}:public`, of rows
`<game>/<status>/<place>/<game>/<status>`. Each public match has four, with game or status left out of the
beginning or not, so that every filter is one range; what else a list says stands in the heads. `{p07}:owned`
has the same rows of matches that API keys created, private ones too, each after `<key id>/`, and
`token:<digest>/<match>` for every token. `{p07}:idle` has the open and playing matches by the
time of their last commit.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from heapq import merge
from itertools import islice
from typing import Any

import redis

from service.redis_store.client import store_time
from service.redis_store.key_names import Keys
from service.redis_store.replies import code_of, reading
from service.store.journal import LISTED_FIELDS, Listed, row_fields

SCANNED = 1000  # rows looked at in one trip
SPARE = 3  # rows asked of each partition beyond its share of a page
END = b"\xff"  # after every place
Rows = list[bytes]


def _prefix_of(game: str = "", status: str = "", owner: str = "") -> bytes:
    """What the rows of a filter begin with; an empty string leaves it out."""
    return f"{owner}/{game}/{status}/".encode() if owner else f"{game}/{status}/".encode()


def page_of(
    client: Any, keys: Keys, page: tuple[str | None, int], wanted: tuple[str, str, str]
) -> list[Listed]:
    """The rows after a place, at most so many: each partition is asked for its share, full ones for more.

    `wanted` are game, status and owner, each empty for all; without an owner it is the public list.
    """
    (before, count), prefix = page, _prefix_of(*wanted)
    top = b"(" + prefix + (END if before is None else before.encode())
    share = min(count, count // keys.partitions + SPARE)
    found = _ranges(client, dict.fromkeys(keys.every("owned" if wanted[2] else "public"), top), prefix, share)
    first = list(islice(merge(*found.values(), reverse=True), count))
    last = first[-1] if len(first) == count else b""
    full = {key: b"(" + rows[-1] for key, rows in found.items() if len(rows) == share and rows[-1] > last}
    if full:
        more = _ranges(client, full, prefix, count)
        first = list(islice(merge(*found.values(), *more.values(), reverse=True), count))
    return _with_heads(client, keys, [_listed(row.removeprefix(prefix)) for row in first])


def listed_matches(client: Any, keys: Keys) -> Iterator[str]:
    """Every match that has a row among all."""
    with reading():
        for key in keys.every("public"):
            for row, _ in client.zscan_iter(key, match=_prefix_of() + b"*", count=SCANNED):
                yield _listed(row.removeprefix(_prefix_of())).match


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


def _listed(row: bytes) -> Listed:
    place, game, status = (*row.decode(errors="replace").split("/"), "", "")[:3]
    return Listed(place, place.partition("-")[2], game, status)


def held_match(client: Any, keys: Keys, token: str) -> Listed | None:
    """The match that a token is good for; nobody knows its partition, so each is asked."""
    prefix = f"token:{token}/".encode()
    with reading(), client.pipeline(transaction=False) as pipe:
        for key in keys.every("owned"):
            pipe.zrangebylex(key, b"[" + prefix, b"(" + prefix + END, 0, 1)
        found = [row for part in pipe.execute() for row in part]
    rows = [Listed("", row.removeprefix(prefix).decode(), "", "") for row in found]
    return next(iter(_with_heads(client, keys, rows)), None)


def _with_heads(client: Any, keys: Keys, rows: list[Listed]) -> list[Listed]:
    """The rows with what the heads of their matches say; one command a row, in one trip."""
    with reading(), client.pipeline(transaction=False) as pipe:
        for row in rows:
            pipe.hgetall(keys.of_match(row.match, "head"))
        heads = pipe.execute(raise_on_error=False) if rows else []
    return [_with_head(row, head) for row, head in zip(rows, heads, strict=True)]


def _with_head(row: Listed, head: Mapping[bytes, bytes] | Exception) -> Listed:
    """The row; it is sound if its match has a head of a game and a status."""
    if isinstance(head, Exception):
        with reading():
            if not isinstance(head, redis.ResponseError) or code_of(head) != "WRONGTYPE":
                raise head
        return replace(row, sound=False)
    fields = row_fields(
        {name.decode(errors="replace"): value.decode(errors="replace") for name, value in head.items()}
    )
    return replace(row, sound=fields.keys() >= {*LISTED_FIELDS}, fields=fields)
