"""A frozen thing with some fields changed, as `dataclasses.replace` would make it."""

import dataclasses

import pytest

from domain.changed import replace


@dataclasses.dataclass(frozen=True, slots=True)
class Thing:
    name: str
    size: int = 1


def test_a_copy_has_the_changes_and_the_original_has_none() -> None:
    thing = Thing("pin")
    assert replace(thing, size=3) == dataclasses.replace(thing, size=3) == Thing("pin", 3)
    assert (thing, hash(replace(thing))) == (Thing("pin"), hash(thing))


def test_a_field_that_is_none_is_refused_and_the_copy_is_frozen_too() -> None:
    with pytest.raises(TypeError, match="Thing has no field weight"):
        replace(Thing("pin"), weight=3)  # type: ignore[call-arg]
    with pytest.raises(dataclasses.FrozenInstanceError):
        replace(Thing("pin"), size=3).size = 4  # type: ignore[misc]
