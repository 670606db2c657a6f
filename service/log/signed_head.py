"""Signed heads: the word of a deployment that, at a time, the log of a match ended with a certain commit.

The hash of a commit stands for all of the log before it, times and all. So whoever keeps one signed head can
show later that the log was rewritten, or cut before it. What is signed with Ed25519 (RFC 8032) is PREFIX and
the RFC 8785 form of the statement; the prefix keeps a signature from meaning anything else.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.clock import milliseconds
from service.log.canonical import canonical
from service.log.chain import AT, HEX_64
from service.log.public_keys import PublicKey, UnknownKeyError
from service.strict_json import read_json

PREFIX = b"bricabrac signed head 1\n"
TRAILER = "signed_head"  # the one member of the last line of an export
LATITUDE_MS = 300_000  # the clocks of those who sign, and of those who rotate keys, may differ by so much
SHAPES = {
    "match": re.compile(r"m_[a-z2-7]{26}"),
    "hash": HEX_64,
    "at": AT,
    "key": re.compile(r"[A-Za-z0-9_-]{43}"),
    "signature": re.compile(r"[0-9a-f]{128}"),
}


class SignedHeadError(ValueError):
    """Why a signed head proves nothing, or what it proves against a log."""


@dataclass(frozen=True, slots=True)
class SignedHead:
    """The statement (`at` in UTC to the millisecond, `key` the RFC 7638 thumbprint) and its signature."""

    match: str
    version: int
    hash: str
    at: str
    key: str
    signature: str = ""

    @classmethod
    def read(cls, document: Any) -> Self:
        """A signed head from JSON; SignedHeadError if it has not just its members, each in its form."""
        if not isinstance(document, dict) or document.keys() != {*SHAPES, "version"}:
            raise SignedHeadError("a signed head has match, version, hash, at, key and signature, only these")
        for name, shape in SHAPES.items():
            if not (isinstance(document[name], str) and shape.fullmatch(document[name])):
                raise SignedHeadError(f"{name} of the signed head is not in its form")
        version = document["version"]
        if type(version) is not int or version < 1:
            raise SignedHeadError("version of the signed head is not in its form")
        try:
            milliseconds(document["at"])
        except ValueError:
            raise SignedHeadError("at of the signed head is no time") from None
        return cls(**document)

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    def message(self) -> bytes:
        """The bytes that are signed."""
        return PREFIX + canonical({name: told for name, told in asdict(self).items() if name != "signature"})

    def check_continued(self, match: str, hashes: Mapping[int, str]) -> None:
        """SignedHeadError if a log of a match, by the hash of each version, does not lead on from here."""
        if self.match != match:
            raise SignedHeadError(f"the signed head is of {self.match}, the log of {match}")
        if (found := hashes.get(self.version)) is None:
            raise SignedHeadError(
                f"the log was cut: at {self.at} it had version {self.version}, now it does not"
            )
        if found != self.hash:
            raise SignedHeadError(
                f"the log was rewritten: at {self.at} version {self.version} had hash {self.hash},"
                f" now it has {found}"
            )

    def check_signature(self, keys: Mapping[str, PublicKey]) -> None:
        """SignedHeadError if it is not that of a deployment with these keys; UnknownKeyError if who knows."""
        known = keys.get(self.key)
        if known is None:
            raise UnknownKeyError(f"the key {self.key} is not among those that are given")
        try:
            known.key.verify(bytes.fromhex(self.signature), self.message())
        except InvalidSignature:
            raise SignedHeadError(
                f"the signature of the head of {self.at} is not that of the key {self.key}"
            ) from None
        if not known.signed_at(milliseconds(self.at), LATITUDE_MS):
            raise SignedHeadError(f"the key {self.key} was not in use at {self.at}")


def kept_head(kept: bytes) -> SignedHead:
    """The signed head in a file: it alone, an answer that has one, or an export that ends with one.

    SignedHeadError if there is none.
    """
    try:
        document = read_json(kept)
    except ValueError:
        try:
            document = read_json(kept.strip().rpartition(b"\n")[2])
        except ValueError:
            raise SignedHeadError("there is no signed head in it") from None
    if isinstance(document, dict) and TRAILER in document:
        document = document[TRAILER]
    return SignedHead.read(document)


def sign(head: SignedHead, private: Ed25519PrivateKey) -> SignedHead:
    """The head with its signature; its `key` has to be that of the private key."""
    signature = private.sign(head.message()).hex()
    return SignedHead(head.match, head.version, head.hash, head.at, head.key, signature)
