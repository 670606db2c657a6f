"""Actors: a word names one of four kinds, or nobody."""

import pytest

from domain.match.actors import (
    HOST,
    REFEREE,
    Actor,
    Host,
    Referee,
    Seat,
    Spectator,
    read_actor,
    seat_name,
    spectator_name,
)


@pytest.mark.parametrize(
    ("word", "actor"),
    [
        (HOST, Host()),
        (REFEREE, Referee()),
        (seat_name(0), Seat(0)),
        (seat_name(12), Seat(12)),
        (spectator_name(3), Spectator(3)),
    ],
)
def test_a_word_names_its_actor(word: str, actor: Actor) -> None:
    assert read_actor(word) == actor


@pytest.mark.parametrize(
    "word",
    ["", "hosts", "seat", "seat:", "seat:-1", "seat:01", "seat:\u0661", "seat:1 ", "spectator:x", "Host"],
)
def test_any_other_word_names_nobody(word: str) -> None:
    assert read_actor(word) is None
