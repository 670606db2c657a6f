"""API keys: who may create matches, look into all of them, register webhooks.

A key is 256 random bits with a recognisable prefix, shown once; only its SHA-256 is kept, and looked up by.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from secrets import token_hex, token_urlsafe
from typing import Protocol

from service.auth.tokens import digest
from service.auth.visible_names import LONGEST, flaw

PREFIX = "bricabrac_key_"
SCOPES = ("create", "read-all", "webhooks")
EVERYBODY = "*"


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as it is kept: `created` is milliseconds since 1970."""

    id: str
    name: str
    scopes: frozenset[str]
    created: int


class ApiKeys(Protocol):
    """The port of the kept keys."""

    def add(self, key: ApiKey, digest: str) -> None:
        """Keep a key under its digest."""

    def find(self, digest: str) -> ApiKey | None:
        """The key of a digest; None if it is unknown or was removed."""

    def find_all(self, digests: Collection[str]) -> Mapping[str, ApiKey | None]:
        """The keys of these digests, at the price of one."""

    def every(self) -> list[ApiKey]:
        """All keys, oldest first."""

    def revoke(self, id_: str) -> bool:
        """Revoke a key; False if no key has that id."""


def new_key(keys: ApiKeys, name: str, scopes: Collection[str], now: int) -> tuple[ApiKey, str]:
    """A fresh key, and what is shown of it this once; ValueError for an unknown scope, or a bad name."""
    check_name(name)
    if unknown := sorted(set(scopes) - set(SCOPES)):
        raise ValueError(f"There is no scope {', '.join(unknown)}. The scopes are {', '.join(SCOPES)}.")
    shown = PREFIX + token_urlsafe(32)
    key = ApiKey(f"k_{token_hex(8)}", name, frozenset(scopes), now)
    keys.add(key, digest(shown))
    return key, shown


def check_name(name: str) -> None:
    """ValueError with what is wrong with a key's name."""
    if not 1 <= len(name) <= LONGEST:
        raise ValueError(f"A name has 1 to {LONGEST} characters.")
    if wrong := flaw(name):
        raise ValueError(f"A name {wrong[0].lower()}{wrong[1:]}")


def sees(key: ApiKey, seen_by: str) -> bool:
    """Whether a key sees what is seen by everybody (`*`), by one key (its id), or by none (empty)."""
    return seen_by in (EVERYBODY, key.id) or "read-all" in key.scopes
