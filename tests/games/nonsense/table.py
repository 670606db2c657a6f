"""A table of Stuff and Nonsense as a test lays it out, and the words given, when, then for it.

The shops lie in the rulebook's order, clockwise. All 84 cards are somewhere: what a test does not place is in
the deck or, if it says what the deck is, on the discards.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from itertools import count
from typing import Any

import pytest

from domain.chance import Chance
from domain.errors import RuleBroken
from domain.games.nonsense import GAME
from domain.games.nonsense.commands import Command
from domain.games.nonsense.components import Box
from domain.games.nonsense.events import Event
from domain.games.nonsense.state import Adventure, Player, Stage, State

BOX: Box = GAME.box(GAME.editions["core"])
CHANCE = Chance(bytes(32))
RING = ("cafe", "antique_shop", "pub", "gift_shop", "junk_shop", "news_stand")
DESTINATIONS = ("africa", "everest", "china", "antarctica", "amazon")
STARTS = (3, 5, 7, 10, 13)


def card(kind: str | None = None, *, arrow: int | None = 0, nth: int = 0, **worth: int) -> int:
    """The nth card of a type, with an arrow (0: none, None: any) and worth so much at these destinations."""
    fitting = [
        c.id
        for c in BOX.cards.values()
        if kind in (None, c.type)
        and arrow in (None, c.arrow)
        and all(c.values[name] == value for name, value in worth.items())
    ]
    return fitting[nth]


def worth(destination: str, *kinds: str) -> list[int]:
    """A card of each of these types that has a value at the destination."""
    of_type = {kind: [c for c in BOX.cards.values() if c.type == kind] for kind in kinds}
    return [next(c.id for c in of_type[kind] if c.values[destination] > 0) for kind in kinds]


def player(place: str, *hand: int, points: int = 0, lost: int = 0) -> Player:
    """A player at a place with cards; earlier tales brought him so many points."""
    told = (Adventure("africa", (), (), points),) if points else ()
    return Player(place, frozenset(hand), told, lost)


@dataclass
class Setting:
    """All of a table but the players."""

    shops: Iterable[int] | None = None
    deck: Iterable[int] | None = None
    discards: Iterable[int] | None = None
    professor: str = "news_stand"
    turn: int = 0
    stage: Stage = "move"
    dials: tuple[int, ...] = STARTS
    die: int | None = None
    quiet: int = 0
    stall_limit: int = 200


def given(*players: Player, **setting: Any) -> State:
    """The table: eight cards without an arrow in the shops, if the test does not say which."""
    there = Setting(**setting)
    named = set().union(*(p.hand for p in players), there.deck or (), there.discards or ())
    plain = [c.id for c in BOX.cards.values() if c.arrow == 0 and c.id not in named]
    shops = frozenset(plain[-8:] if there.shops is None else there.shops)
    rest = BOX.cards.keys() - named - shops
    deck = rest if there.deck is None else there.deck
    discards = (rest - {*deck}) if there.discards is None else there.discards
    return State(
        box=BOX,
        stall_limit=there.stall_limit,
        players=players,
        deck=frozenset(deck),
        dials=there.dials,
        ring=RING,
        professor=there.professor,
        face_up=shops,
        discards=frozenset(discards),
        rolls=0 if there.die is None else rolls_before(there.die),
        turn=there.turn,
        stage=there.stage,
        quiet=there.quiet,
    )


def rolls_before(face: int) -> int:
    """How many rolls there have been, when the next shows this face."""
    return next(n for n in count() if CHANCE.draw(f"die/{n + 1}", range(1, 7)) == face)


def when(state: State, command: Command, seat: int | None = None) -> tuple[Event, ...]:
    """The events of a command of a seat, or of whose turn it is."""
    return GAME.decide(state, command, state.turn if seat is None else seat, CHANCE)


def then(state: State, events: Iterable[Event]) -> State:
    """The state after events."""
    return reduce(GAME.evolve, events, state)


def after(state: State, *commands: Command | tuple[int, Command]) -> State:
    """The state after commands, each of whose turn it is or of the seat given with it."""
    for said in commands:
        seat, command = said if isinstance(said, tuple) else (state.turn, said)
        state = then(state, when(state, command, seat))
    return state


def refusal(state: State, command: Command, seat: int | None = None) -> str:
    """The code with which the rules refuse a command."""
    with pytest.raises(RuleBroken) as refused:
        when(state, command, seat)
    assert refused.value.sentence.endswith(".")
    return refused.value.code


def kinds(events: Iterable[Event]) -> list[str]:
    """The names of events."""
    return [type(event).__name__ for event in events]
