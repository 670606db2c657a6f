"""The keys with which a deployment signs heads: made at the first start, or given; rotated; never forgotten.

All processes of a deployment go by one history of keys in the store, to which each key is added once: the
newest that has begun signs. The private part of a key that was made here is kept beside it until another one
follows; that of a key that was given (SIGNING_KEY) never enters the store. A process that lacks the private
part signs nothing, rather than with a key that is not in use.
"""

import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from threading import Lock
from typing import Protocol

from cachetools import TTLCache
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.clock import Clock, iso, now
from service.log.public_keys import PublicKey
from service.log.signed_head import LATITUDE_MS, SignedHead, sign
from service.random_bytes import random_bytes
from service.store.journal import OutcomeUnknownError, StoreUnavailableError

LEAD_MS = 120_000  # a new key is public for so long before it signs: longer than any copy is kept
REFRESHED_S = 30.0  # what a process knows of the keys is no older
SIGNED_AGAIN_MS = 1000  # a flood of readers of one head costs one signature so often
PRIVATE_BYTES = 32
log = logging.getLogger("bricabrac")


class SigningKeys(Protocol):
    """The port of the history of keys; StoreUnavailableError, and OutcomeUnknownError where it is written."""

    def history(self) -> Sequence[PublicKey]:
        """All keys in the order in which they were added, each with `since` only."""

    def private(self, id_: str) -> bytes | None:
        """The private part of a key; None where it was not kept, or is gone."""

    def add(self, number: int, key: PublicKey, private: bytes | None) -> bool:
        """Add the key that comes after so many; False, with nothing kept, if there is one already."""

    def retire(self, id_: str, at: int) -> None:
        """Forget the private part of a key at a time, in milliseconds since 1970."""


class Signer:
    """Signs heads with the key that is in use; the first key is made, and a given one added, if need be."""

    def __init__(self, kept: SigningKeys, given: bytes | None = None, clock: Clock = now) -> None:
        self._kept, self._clock = kept, clock
        self._given = None if given is None else public_key(given)
        self._privates: dict[str, bytes | None] = {}
        if self._given is not None:
            self._privates[self._given.id] = given
        self._history: Sequence[PublicKey] = ()
        self._due = float("-inf")
        self._signed: TTLCache[tuple[str, int, str], SignedHead] = TTLCache(1024, SIGNED_AGAIN_MS, clock)
        self._lock = Lock()
        self._lacks = ""

    def public_keys(self) -> list[PublicKey]:
        """Every key there ever was, oldest first, each with its period; StoreUnavailableError."""
        with self._lock:
            self._refresh()
            return with_periods(self._history)

    def sign(self, match: str, version: int, hash_: str) -> SignedHead | None:
        """The head, signed within the last second; None while this process cannot sign."""
        with self._lock:
            if (signed := self._signed.get((match, version, hash_))) is None:
                try:
                    self._refresh()
                except StoreUnavailableError as lost:
                    if not self._history:
                        log.warning("heads are not signed: %s", lost)
                        return None
                signed = self._sign(match, version, hash_)
                if signed is not None:
                    self._signed[match, version, hash_] = signed
            return signed

    def _sign(self, match: str, version: int, hash_: str) -> SignedHead | None:
        at = self._clock()
        id_ = in_use(self._history, at).id
        if (private := self._private(id_)) is None:
            return None
        head = SignedHead(match, version, hash_, iso(at), id_)
        return sign(head, Ed25519PrivateKey.from_private_bytes(private))

    def _private(self, id_: str) -> bytes | None:
        """The private part of a key, asked for again only when the history is."""
        if id_ not in self._privates:
            try:
                self._privates[id_] = self._kept.private(id_)
            except StoreUnavailableError:
                return None
        if self._privates[id_] is None and self._lacks != id_:
            self._lacks = id_
            log.warning(
                "heads are not signed: this process lacks the private part of key %s (SIGNING_KEY)", id_
            )
        return self._privates[id_]

    def _refresh(self) -> None:
        if time.monotonic() < self._due:
            return
        history = self._kept.history()
        while self._lacking(history):
            self._add(history)
            history = self._kept.history()
        self._privates = {id_: kept for id_, kept in self._privates.items() if kept is not None}
        self._history, self._due = history, time.monotonic() + REFRESHED_S

    def _add(self, history: Sequence[PublicKey]) -> None:
        try:
            if self._given is None:
                make_key(self._kept, history, self._clock())
            else:
                add_key(self._kept, history, self._clock(), self._given)
        except OutcomeUnknownError as lost:  # the next look at the history tells
            raise StoreUnavailableError(str(lost)) from lost

    def _lacking(self, history: Sequence[PublicKey]) -> bool:
        """Whether a history lacks the key that was given, or any."""
        return not history or (self._given is not None and self._given.id not in {key.id for key in history})


def make_key(kept: SigningKeys, history: Sequence[PublicKey], at: int) -> PublicKey | None:
    """Add a new key, made here, to the history; None if another one was quicker. Raises as the port."""
    private = random_bytes(PRIVATE_BYTES)
    return add_key(kept, history, at, public_key(private), private)


def add_key(
    kept: SigningKeys, history: Sequence[PublicKey], at: int, key: PublicKey, private: bytes | None = None
) -> PublicKey | None:
    """Add a key to the history; the first signs at once, another once everybody can know it.

    The private parts of those before it are forgotten then.
    """
    since = max(at + LEAD_MS, *(key.since or 0 for key in history)) if history else at
    added = PublicKey(key.raw, since)
    if not kept.add(len(history), added, private):
        return None
    for earlier in history:
        kept.retire(earlier.id, since + LATITUDE_MS)
    return added


def with_periods(history: Sequence[PublicKey]) -> list[PublicKey]:
    """Each key with the time from which the next one signs."""
    following = [*(key.since for key in history[1:]), None]
    return [replace(key, until=until) for key, until in zip(history, following, strict=True)]


def in_use(history: Sequence[PublicKey], at: int) -> PublicKey:
    """The newest key that has begun; the first one even if a clock says that it has not."""
    begun = [key for key in history if key.since is not None and key.since <= at]
    return begun[-1] if begun else history[0]


def public_key(private: bytes) -> PublicKey:
    """The public part of a key."""
    return PublicKey(Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw())
