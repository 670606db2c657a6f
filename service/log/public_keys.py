"""The public keys of a deployment as a JWK Set (RFC 7517, 8037): who signs a head, and who signed old ones.

A key's id is its RFC 7638 thumbprint, always computed and never believed. `nbf` and `exp`, in seconds since
1970, are when a key began and ceased to sign; it stays in the set for ever, for what it signed.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from service.log.canonical import canonical
from service.strict_json import read_json

WELL_KNOWN = "/.well-known/bricabrac-keys"
PEM = b"-----BEGIN"


class Jwk(TypedDict):
    """A public key (RFC 7517, 8037). It stays here for ever, for what it signed."""

    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: Annotated[str, "The 32 bytes of the key, in base64url."]
    kid: Annotated[str, "The RFC 7638 thumbprint: `key` of a signed head."]
    use: Literal["sig"]
    nbf: Annotated[NotRequired[int], "When it began to sign, in seconds since 1970."]
    exp: Annotated[NotRequired[int], "When the next key began to sign; absent from the newest."]


class JwkSet(TypedDict):
    """The public keys with which this deployment has signed, oldest first."""

    keys: Sequence[Jwk]


class UnknownKeyError(LookupError):
    """A signature cannot be judged: its key is not known."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key, and when it signs: from `since` to `until`, in milliseconds since 1970; None: unknown."""

    raw: bytes
    since: int | None = None
    until: int | None = None

    @property
    def id(self) -> str:
        """Its RFC 7638 thumbprint."""
        return _encoded(sha256(canonical({"crv": "Ed25519", "kty": "OKP", "x": _encoded(self.raw)})).digest())

    @property
    def key(self) -> Ed25519PublicKey:
        """What checks signatures."""
        return Ed25519PublicKey.from_public_bytes(self.raw)

    def signed_at(self, moment: int, latitude: int) -> bool:
        """Whether it was in use at a time, give or take so many milliseconds."""
        begun = self.since is None or moment >= self.since - latitude
        return begun and (self.until is None or moment <= self.until + latitude)

    def jwk(self) -> Jwk:
        """As a JSON Web Key."""
        jwk: Jwk = {"kty": "OKP", "crv": "Ed25519", "x": _encoded(self.raw), "kid": self.id, "use": "sig"}
        if self.since is not None:
            jwk["nbf"] = self.since // 1000
        if self.until is not None:
            jwk["exp"] = self.until // 1000
        return jwk


def key_set(keys: Iterable[PublicKey]) -> JwkSet:
    """As a JWK Set."""
    return {"keys": [key.jwk() for key in keys]}


def read_keys(text: bytes) -> Mapping[str, PublicKey]:
    """The Ed25519 keys of a JWK Set, of one JWK, or a public key in PEM, by id; ValueError without any."""
    keys = [_of_pem(text)] if text.lstrip().startswith(PEM) else _of_json(text)
    if not keys:
        raise ValueError("no Ed25519 key is in it")
    return {key.id: key for key in keys}


def _of_pem(text: bytes) -> PublicKey:
    try:
        loaded = load_pem_public_key(text.lstrip())
    except (ValueError, UnsupportedAlgorithm):
        raise ValueError("this is not a public key in PEM") from None
    if not isinstance(loaded, Ed25519PublicKey):
        raise ValueError("this is not an Ed25519 key")
    return PublicKey(loaded.public_bytes_raw())


def _of_json(text: bytes) -> list[PublicKey]:
    document = read_json(text)
    if not isinstance(document, dict):
        raise ValueError("this is neither a JWK Set nor a JWK")
    listed = document.get("keys", [document])
    if not isinstance(listed, list) or not all(isinstance(jwk, dict) for jwk in listed):
        raise ValueError("this is neither a JWK Set nor a JWK")
    return [_of_jwk(jwk) for jwk in listed if (jwk.get("kty"), jwk.get("crv")) == ("OKP", "Ed25519")]


def _of_jwk(jwk: Mapping[str, Any]) -> PublicKey:
    raw, period = jwk.get("x"), [jwk.get(name) for name in ("nbf", "exp")]
    if not isinstance(raw, str) or len(decoded := _decoded(raw)) != 32:
        raise ValueError("x of a key is not 32 bytes in base64url")
    if not all(moment is None or type(moment) is int for moment in period):
        raise ValueError("nbf and exp of a key are seconds")
    since, until = (None if moment is None else moment * 1000 for moment in period)
    return PublicKey(decoded, since, until)


def _encoded(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
