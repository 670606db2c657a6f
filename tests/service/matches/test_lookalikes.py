"""Names that people cannot tell apart are one name, and others are not."""

import pytest

from service.matches.lookalikes import look_alike

ALIKE = [
    ("Ada", "Ada"),
    ("Ada", "ADA"),
    ("Ada", "Ad\u0430"),
    ("Ann", "\u0410nn"),
    ("Ada", "\uff21da"),
    ("A da", "A\u00a0 da"),
    ("Bob0", "BobO"),
    ("Player 1", "Player l"),
    ("ILL", "ill"),
    ("max", "rnax"),
    ("Straße", "STRASSE"),
    ("Zoë", "Zoe\u0308"),
    ("می\u200cخواهم", "میخواهم"),
    ("❤\ufe0f", "❤"),
]
APART = [
    ("Ada", "Adb"),
    ("Ada", "Adá"),
    ("Player 1", "Player 2"),
    ("李明", "李朋"),
    ("👩", "👨"),
    ("Ann", "Anna"),
]


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_names_that_look_the_same_are_one(name: str, other: str) -> None:
    assert look_alike(name, [None, other])
    assert look_alike(other, [name])


@pytest.mark.parametrize(("name", "other"), APART)
def test_names_that_differ_to_the_eye_are_two(name: str, other: str) -> None:
    assert not look_alike(name, [None, other])
