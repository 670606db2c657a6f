"""The only randomness of the games: a keyed hash orders the things that may be drawn.

The exact bytes, so that anybody can redo every draw of a finished match:

- the key of a thing is ``HMAC-SHA-256(seed, "<occasion>/<thing>")``, the message in ASCII, a number in
  decimal without leading zeros;
- a shuffle sorts the things by their keys, byte by byte, smallest first; a draw is the thing with the
  smallest key;
- an occasion names what is drawn from, not when: ``bag/0`` until something goes back into the bag,
  ``bag/1`` after that; ``die/7`` for the seventh roll; ``first-seat``;
- where players added entropy, the seed of all draws is
  ``HMAC-SHA-256(seed, "entropy/<seat>=<hex>,<seat>=<hex>…")`` by rising seat, else the match seed itself.

Two matches with one seed draw the same things in the same order whatever their players do.
"""

import hmac
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

SEED_BYTES = 32
Thing = TypeVar("Thing", int, str)


def key(seed: bytes, occasion: str, thing: int | str) -> bytes:
    """The 32 bytes by which `thing` is ordered at `occasion`."""
    return hmac.digest(seed, f"{occasion}/{thing}".encode("ascii"), "sha256")


def mix(seed: bytes, entropy: Mapping[int, str]) -> bytes:
    """The seed of all draws: the match seed, mixed with what players added (seat → hex), if any did."""
    if not entropy:
        return seed
    parts = ",".join(f"{seat}={entropy[seat]}" for seat in sorted(entropy))
    return hmac.digest(seed, f"entropy/{parts}".encode("ascii"), "sha256")


class Chance:
    """Draws of one match; `seed` is the mixed seed. `drawn` says whether anything has been left to it yet.

    A draw from one thing counts as well: a caller need not know which thing is left.
    """

    __slots__ = ("_seed", "drawn")

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._seed = seed
        self.drawn = False

    def shuffle(self, occasion: str, things: Iterable[Thing]) -> tuple[Thing, ...]:
        """All the things, in the order in which they would be drawn."""
        keys = self._keys(occasion, things := tuple(things))
        return tuple(sorted(things, key=keys.__getitem__))

    def draw(self, occasion: str, things: Iterable[Thing]) -> Thing:
        """One of the things; ValueError if there is none."""
        keys = self._keys(occasion, things := tuple(things))
        return min(things, key=keys.__getitem__)

    def _keys(self, occasion: str, things: Iterable[Thing]) -> dict[Thing, bytes]:
        self.drawn = True
        known: dict[Thing, bytes] = _known(self._seed, occasion)
        for thing in things:
            if thing not in known:
                known[thing] = key(self._seed, occasion, thing)
        return known


@lru_cache(maxsize=1 << 10)
def _known(_seed: bytes, _occasion: str) -> dict[Any, bytes]:
    """The keys worked out before, for a bag is drawn from again and again."""
    return {}
