"""Turns the scoring column of a card into a scorer.

The points of a card are data of its edition, and a card that counts what no measure knows is refused when
the edition is read, never scored wrongly. The column is a sum of terms, such as `4 x items`, `3 if center
covered` or a bare measure; or it is `<measure>; 4 x k if k >= 2 else 0`.
"""

import re
from collections.abc import Callable
from typing import TypeAlias

from domain.games.drawer.measures import MEASURES, Measure, largest_gap, second_largest_gap
from domain.games.drawer.spaces import Items

Scorer: TypeAlias = Callable[[Items], int]

# How Create Two Large Gaps may be read (D8): the option's words.
READINGS: dict[str, Measure] = {"second": second_largest_gap, "largest": largest_gap}
TERM = re.compile(r"(?:(\d+) (?:x|if) )?(.+)")
AT_LEAST_TWO = re.compile(r"(.+); (\d+) x k if k >= 2 else 0")


def scorer(scoring: str, two_large_gaps: str) -> Scorer:
    """The scorer that a card's wording describes; ValueError where it cannot be read."""
    if whole := AT_LEAST_TWO.fullmatch(scoring):
        count, points = _measure(whole[1], two_large_gaps), int(whole[2])
        return lambda items: points * k if (k := count(items)) >= 2 else 0
    terms = [_term(term, two_large_gaps) for term in scoring.split(" + ")]
    return lambda items: sum(points * count(items) for points, count in terms)


def _term(text: str, two_large_gaps: str) -> tuple[int, Measure]:
    found = TERM.fullmatch(text)
    if found is None:
        raise ValueError(f"a card scores nothing by {text!r}")
    return int(found[1] or 1), _measure(found[2], two_large_gaps)


def _measure(words: str, two_large_gaps: str) -> Measure:
    if words not in MEASURES:
        raise ValueError(f"no measure is called {words!r}")
    measure = MEASURES[words]
    return READINGS[two_large_gaps] if measure is second_largest_gap else measure
