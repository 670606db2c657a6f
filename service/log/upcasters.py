"""Lifts old raw commands and events to the fields that the code knows today; stored records never change.

An upcaster takes the raw object of one version of a type and returns that of the next. A golden log that no
longer folds means that one is missing here.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Raw: TypeAlias = Mapping[str, Any]
Upcaster: TypeAlias = Callable[[Raw], Raw]

UPCASTERS: dict[tuple[str, str, int], Upcaster] = {}  # (game, type, version) → to version + 1


def upcast(game: str, raw: Raw, upcasters: Mapping[tuple[str, str, int], Upcaster] = UPCASTERS) -> Raw:
    """The raw object in its newest version."""
    while (lift := upcasters.get((game, raw.get("type", ""), raw.get("v", 1)))) is not None:
        lifted = lift(raw)
        if lifted.get("v", 1) <= raw.get("v", 1):
            raise ValueError(f"the upcaster of {raw['type']!r} does not raise its version")
        raw = lifted
    return raw
