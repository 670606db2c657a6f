"""The keys of the store: all that one command touches share the hash tag of the match's partition."""

from functools import lru_cache
from zlib import crc32

MOST_PARTITIONS = 512


class Keys:
    """Names of keys for a number of partitions, which is fixed at deployment."""

    def __init__(self, partitions: int) -> None:
        self.partitions = partitions
        self._width = len(str(partitions - 1))

    def tag(self, partition: int) -> str:
        """The hash tag of a partition, as in `{p07}`."""
        return f"{{p{partition:0{self._width}}}}"

    def of_match(self, match: str, name: str) -> str:
        """A key of one match: `log`, `head`, `snap` or `did:<id>`."""
        return f"{self._tag_of(match)}:m:{match}:{name}"

    def shared(self, match: str, name: str) -> str:
        """A key of the match's partition: `feed`, `public`, `owed`, `idle` or `owned`."""
        return f"{self._tag_of(match)}:{name}"

    def of_append(self, match: str) -> tuple[str, ...]:
        """The keys of every append to a match: log, head, feed, public list, owed, idle, owned."""
        return _of_append(self.tag(self._partition(match)), match)

    def every(self, name: str) -> list[str]:
        """A partition's key, of every partition."""
        return [f"{self.tag(partition)}:{name}" for partition in range(self.partitions)]

    def _tag_of(self, match: str) -> str:
        return self.tag(self._partition(match))

    def _partition(self, match: str) -> int:
        return crc32(match.encode()) % self.partitions


@lru_cache(maxsize=4096)
def _of_append(tag: str, match: str) -> tuple[str, ...]:
    own = f"{tag}:m:{match}"
    shared = (f"{tag}:{name}" for name in ("feed", "public", "owed", "idle", "owned"))
    return (f"{own}:log", f"{own}:head", *shared)
