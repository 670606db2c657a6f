"""What all processes of a deployment have to agree on: it is kept in the store, from the first use on."""

import hmac
from typing import Protocol

SECRET_BYTES = 32


def keyed(secret: bytes, purpose: str, text: str) -> bytes:
    """32 bytes made of a text that may be easy to guess, which nobody else can make without the secret."""
    return hmac.digest(secret, f"{purpose}/{text}".encode(), "sha256")


class OtherPartitionsError(Exception):
    """The store was written with another number of partitions: nothing in it would be found."""

    def __init__(self, stored: int | None, asked: int) -> None:
        number = "another number of PARTITIONS" if stored is None else f"PARTITIONS={stored}"
        super().__init__(f"The store was written with {number} and cannot be used with {asked}.")
        self.stored, self.asked = stored, asked


class Deployment(Protocol):
    """The port; StoreUnavailableError where the store does not answer."""

    def secret(self) -> bytes:
        """32 random bytes, made at the first use: what ids and cursors are keyed and sealed with."""

    def check(self, partitions: int) -> None:
        """OtherPartitionsError if the store was written with another number of partitions; writes nothing."""

    def claim(self, partitions: int) -> None:
        """As `check`, then write the number down, for all that come later."""
