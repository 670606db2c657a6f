"""Signed heads and the lines of a log: the one that ends an export, and those that it must continue."""

from collections.abc import Collection, Sequence

from service.log.chain import FlawError, Record
from service.log.signed_head import TRAILER, SignedHead, SignedHeadError


def take_trailer(records: list[Record]) -> SignedHead | None:
    """The signed head in the last line of an export, which is taken from its commits; None without one.

    FlawError if it is not one, or not of the commit before it.
    """
    if len(records) < 2 or TRAILER not in records[-1]:
        return None
    *_, last, trailer = records
    try:
        head = SignedHead.read(trailer[TRAILER])
    except SignedHeadError as flaw:
        raise FlawError(len(records) - 1, str(flaw)) from flaw
    if trailer.keys() != {TRAILER}:
        raise FlawError(len(records) - 1, "the line of the signed head has other members, too")
    if (head.match, head.version, head.hash) != tuple(
        last.get(name) for name in ("match", "version", "hash")
    ):
        raise FlawError(len(records) - 1, "the signed head is not of the commit before it")
    records.pop()
    return head


def check_continued(since: Collection[SignedHead], match: str, records: Sequence[Record]) -> None:
    """The log leads on from every head of its match; FlawError, also if there are only heads of others."""
    hashes = {record["version"]: record["hash"] for record in records}
    for head in [head for head in since if head.match == match] or since:
        try:
            head.check_continued(match, hashes)
        except SignedHeadError as flaw:
            raise FlawError(head.version, str(flaw)) from flaw
