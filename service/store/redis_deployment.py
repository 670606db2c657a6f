"""The deployment in Redis: one hash, each field written once."""

from secrets import token_hex
from typing import Any

from service.deployment import SECRET_BYTES, OtherPartitionsError
from service.store.redis_client import Client, reading

NAME = "deployment"


class RedisDeployment:
    """Deployment over one Redis, Valkey or Redis Cluster; what was read once is remembered."""

    def __init__(self, client: Client) -> None:
        self.client: Any = client
        self._secret: bytes | None = None

    def secret(self) -> bytes:
        if self._secret is None:
            self._secret = bytes.fromhex(self._first("secret", token_hex(SECRET_BYTES)))
        return self._secret

    def claim(self, partitions: int) -> None:
        stored = int(self._first("partitions", str(partitions)))
        if stored != partitions:
            raise OtherPartitionsError(stored, partitions)

    def check(self, partitions: int) -> None:
        """As `claim`, with nothing written."""
        with reading():
            stored = self.client.hget(NAME, "partitions")
        if stored is not None and int(stored) != partitions:
            raise OtherPartitionsError(int(stored), partitions)

    def _first(self, field: str, value: str) -> str:
        """What stands in a field: what the first to come wrote."""
        with reading():
            self.client.hsetnx(NAME, field, value)
            kept: bytes = self.client.hget(NAME, field)
        return kept.decode()
