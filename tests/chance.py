"""One seed for all that the tests leave to chance: seeds of matches, tokens, ids, whims, examples, the order.

It is TEST_SEED, or else always the same, and is told with every run. What a test draws depends on the seed
and the test's name only, whatever ran before it and in whatever process. A test that has failed fails again
with the same seed. Real processes that a test starts, and those that are forked, draw for themselves.
"""

import os
import random
from hashlib import shake_256
from itertools import count

import pytest

USUAL = 1
SETTING = "TEST_SEED"
_really = os.urandom


def fix_chance(occasion: str) -> None:
    """From now on what the operating system draws is the same for the same occasion."""
    draws = count(1)

    def draw(size: int) -> bytes:
        return shake_256(f"{occasion}/{next(draws)}".encode()).digest(size)

    random._urandom = os.urandom = draw  # type: ignore[attr-defined]


def free_chance() -> None:
    """From now on it draws as it does."""
    random._urandom = os.urandom = _really  # type: ignore[attr-defined]


os.register_at_fork(after_in_child=free_chance)  # else two children would draw the same


def seed_of(config: pytest.Config) -> int:
    """The seed of this run."""
    seed: int = config.option.randomly_seed
    return seed


def choose_seed(config: pytest.Config) -> None:
    """Give one seed to all who draw by themselves: the order of the tests, `random`, Hypothesis."""
    if config.option.randomly_seed == "default":
        config.option.randomly_seed = int(os.environ.get(SETTING, str(USUAL)))
    if config.option.hypothesis_seed is None and isinstance(config.option.randomly_seed, int):
        config.option.hypothesis_seed = str(config.option.randomly_seed)
