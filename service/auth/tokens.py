"""Tokens and invite codes: 256 bits with a recognisable prefix, shown once; only their SHA-256 is kept.

A token is HMAC-SHA-256 of a fresh nonce under secret material: random bytes, or the caller's
`Idempotency-Key`, so that a repeated request can be answered with the same token while the store keeps
nothing but the nonce and the digest.
"""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256

from domain.match.state import Match

PREFIX = "bricabrac_"
INVITE_PREFIX = "bricabrac_invite_"
FIELD = "token:"  # of the head: `token:seat:0`, `token:host` → digest


def token(material: bytes, nonce: str, actor: str, prefix: str = PREFIX) -> str:
    """The token of an actor (`seat:0`, `host`, `spectator:1`), or, as that of `invite`, an invite's code."""
    secret = hmac.digest(material, f"{nonce}/{actor}".encode(), "sha256")
    return prefix + urlsafe_b64encode(secret).rstrip(b"=").decode()


def digest(shown: str) -> str:
    """What is kept of a token."""
    return sha256(shown.encode()).hexdigest()


def holder_of(wanted: str, fields: Mapping[str, str]) -> str | None:
    """The actor whose token has this digest, by those in a match's head; compared in constant time."""
    found = None
    for name, kept in fields.items():
        if name.startswith(FIELD) and hmac.compare_digest(kept, wanted):
            found = name.removeprefix(FIELD)
    return found


def revoked(fields: Mapping[str, str], before: Match, after: Match) -> dict[str, str]:
    """The fields to remove from a match's head: the tokens of actors that it no longer admits."""
    if (before.seats, before.spectators, before.away) == (after.seats, after.spectators, after.away):
        return {}
    kept = (name for name in fields if name.startswith(FIELD))
    return {name: "" for name in kept if not after.admits(name.removeprefix(FIELD))}
