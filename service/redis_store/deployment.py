"""The deployment in Redis: one hash, each field written once."""

from itertools import islice
from secrets import token_hex
from typing import Any

from service.redis_store.client import Client
from service.redis_store.key_names import MOST_PARTITIONS, Keys
from service.redis_store.replies import reading, writing
from service.store.deployment import SECRET_BYTES, OtherPartitionsError

NAME = "deployment"
SAMPLE = 500  # matches: enough that only one number of partitions explains where they are
SCANNED_AT_ONCE = 1000


class RedisDeployment:
    """Deployment over one Redis, Valkey or Redis Cluster; what was read once is remembered."""

    def __init__(self, client: Client) -> None:
        self.client: Any = client
        self._secret: bytes | None = None

    def secret(self) -> bytes:
        if self._secret is None:
            self._secret = bytes.fromhex(self._first("secret", token_hex(SECRET_BYTES)))
        return self._secret

    def check(self, partitions: int) -> None:
        with reading():
            kept = self.client.hget(NAME, "partitions")
        if kept is None:
            self._check_matches(partitions)
        elif int(kept) != partitions:
            raise OtherPartitionsError(int(kept), partitions)

    def claim(self, partitions: int) -> None:
        self.check(partitions)
        with reading():
            if self.client.hexists(NAME, "partitions"):
                return  # nothing to write, which a full store would refuse
        stored = int(self._first("partitions", str(partitions)))
        if stored != partitions:
            raise OtherPartitionsError(stored, partitions)

    def _check_matches(self, partitions: int) -> None:
        """Recognize by its matches' keys a store that is older than the number written in it."""
        with reading():
            found = self.client.scan_iter(match="{p*}:m:*:head", count=SCANNED_AT_ONCE)
            heads = {head.decode() for head in islice(found, SAMPLE)}
        if not _explains(partitions, heads):
            fitting = (number for number in range(1, MOST_PARTITIONS + 1) if _explains(number, heads))
            raise OtherPartitionsError(next(fitting, None), partitions)

    def _first(self, field: str, value: str) -> str:
        """What stands in a field: what the first to come wrote."""
        with writing():
            self.client.hsetnx(NAME, field, value)
        with reading():
            kept: bytes = self.client.hget(NAME, field)
        return kept.decode()


def _explains(partitions: int, heads: set[str]) -> bool:
    """Whether the heads of these matches are where that many partitions put them."""
    keys = Keys(partitions)
    return all(keys.of_match(head.split(":")[2], "head") == head for head in heads)
