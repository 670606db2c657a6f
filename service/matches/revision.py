"""A revision: a version of a match, told apart from the same version of another history by its hash.

A store that is restored from an older copy loses commits, and the match goes on with others under the same
numbers. A client may still hold a tag, an event id or a link from the lost history: the hash in it decides.
"""

import re
from dataclasses import dataclass
from typing import Self

from service.errors import ServiceError
from service.matches.aggregate import Aggregate

DIGITS = 16  # of a commit's hash: 64 bits tell two histories of one match apart
WRITTEN = re.compile(r"([0-9]{1,9})(?:-([0-9a-f]{16}))?")


class HistoryLostError(ServiceError, status=410, code="history_lost"):
    """What the caller has seen is not in the log, or in the feed, any more."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A version, and the first digits of its commit's hash; without them it names the version only."""

    version: int
    hash: str = ""

    @classmethod
    def of(cls, loaded: Aggregate) -> Self:
        """Where a match stands."""
        return cls(loaded.version, loaded.hash[:DIGITS])

    @classmethod
    def read(cls, text: str) -> Self | None:
        """What `str` has written, or a version alone; None where it is neither."""
        found = WRITTEN.fullmatch(text)
        return None if found is None else cls(int(found[1]), found[2] or "")

    def names(self, loaded: Aggregate) -> bool:
        """Whether the match stands here."""
        return self.version == loaded.version and loaded.hash.startswith(self.hash)

    def __str__(self) -> str:
        """As in an event's id: `7-5f0c1b2a3d4e5f60`."""
        return f"{self.version}-{self.hash}" if self.hash else str(self.version)
