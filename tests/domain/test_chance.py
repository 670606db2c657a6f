"""Chance is one function that anybody can redo: vectors, uniformity, and what players' entropy changes."""

import hmac
from collections import Counter
from hashlib import sha256

import pytest

from domain.chance import Chance, key, mix

SEED = bytes(range(32))  # 000102…1f


def test_a_key_is_hmac_sha_256_of_occasion_and_thing() -> None:
    assert key(SEED, "die/1", 1).hex() == "787e24cbd038161ea0e89952089755e73549b8721f1a49197c4fca85451eff17"
    assert key(SEED, "bag/0", 57) == hmac.new(SEED, b"bag/0/57", sha256).digest()
    assert key(SEED, "deck/2", "corners") == hmac.new(SEED, b"deck/2/corners", sha256).digest()


def test_vectors_of_shuffles_and_draws() -> None:
    chance = Chance(SEED)
    assert chance.shuffle("die/1", range(1, 7)) == (3, 5, 2, 1, 6, 4)
    assert chance.draw("die/1", range(1, 7)) == 3
    assert chance.shuffle("first-seat", range(4)) == (0, 3, 2, 1)
    assert chance.draw("bag/0", range(1, 86)) == 57


def test_entropy_is_mixed_in_by_rising_seat_and_none_leaves_the_seed_alone() -> None:
    assert mix(SEED, {}) == SEED
    mixed = "0f53bda37c28a1c2c8cfd154fb2ef5b69de654dfdede30bb3dd9fa2579d77b5a"
    assert mix(SEED, {2: "cd", 0: "ab"}).hex() == mixed
    assert hmac.new(SEED, b"entropy/0=ab,2=cd", sha256).hexdigest() == mixed


def test_what_is_drawn_depends_on_the_things_and_not_on_their_order_or_number() -> None:
    chance = Chance(SEED)
    things = list(range(85))
    order = chance.shuffle("bag/0", things)
    assert chance.shuffle("bag/0", reversed(things)) == order
    left = set(things)
    for thing in order:
        assert chance.draw("bag/0", left) == thing
        left.remove(thing)


def test_draws_over_many_seeds_are_uniform() -> None:
    """Chi-square with 5 degrees of freedom stays below its 99.9 % point, for seeds that are fixed here."""
    seeds = [sha256(b"%d" % number).digest() for number in range(6000)]
    faces = Counter(Chance(seed).draw("die/1", range(1, 7)) for seed in seeds)
    assert sum((faces[face] - 1000) ** 2 / 1000 for face in range(1, 7)) < 20.5
    orders = Counter(Chance(seed).shuffle("deck/0", range(3)) for seed in seeds)
    assert len(orders) == 6
    assert sum((count - 1000) ** 2 / 1000 for count in orders.values()) < 20.5


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Chance(bytes(length))
