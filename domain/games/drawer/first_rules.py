"""The rules of version 1, in which the option `cards` is one string, such as `E1,M3,H2,E4` (D13).

Commit 1 of a match has its options for ever. So a match that was begun with the string keeps it, and is read,
folded and decided as it was.
"""

from dataclasses import replace
from typing import Any

from domain.game import Game, Table
from domain.games.drawer.components import Box
from domain.games.drawer.setup import initial
from domain.games.drawer.state import State
from domain.options import Option

CARDS = Option("cards", "", "Only with goals=chosen: four different cards for A to D, such as E1,M3,H2,E4.")


def first_rules(newest: Game[State, Any, Any]) -> Game[State, Any, Any]:
    """The game by the rules of version 1."""
    options = tuple(CARDS if option.name == CARDS.name else option for option in newest.options)
    return replace(newest, rules_version=1, options=options, initial=initial_with_a_string)


def initial_with_a_string(box: Box, table: Table) -> State:
    """As `initial`, where the cards are one string."""
    text = table.word(CARDS.name)
    cards = tuple(text.split(",")) if text else ()
    return initial(box, Table(table.seats, {**table.options, CARDS.name: cards}))
