"""Game Setup, for 1 to 4 players."""

from domain.chance import Chance
from domain.errors import RuleBroken
from domain.game import Story, Table
from domain.games.whatnot import events as e
from domain.games.whatnot.bag import draw
from domain.games.whatnot.components import FACE_UP_CURIOSITIES, OBJECT_TYPES, Box
from domain.games.whatnot.reducer import evolve
from domain.games.whatnot.refusals import WhatnotRefusal
from domain.games.whatnot.state import RIVAL, Cabinet, State

FIRST_OUTDOORS = 4


def initial(box: Box, table: Table) -> State:
    """Everything in the bag; `advanced` leaves the flower tiles out (W1)."""
    advanced = table.flag("advanced")
    if advanced and table.seats > 2:
        raise RuleBroken(WhatnotRefusal.ADVANCED_FOR_TWO, "The option advanced is for 1 or 2 players.")
    bag = frozenset(tile.id for tile in box.in_play(advanced))
    return State(
        box=box, advanced=advanced, players=table.seats, bag=bag, cabinets=(Cabinet(),) * table.seats
    )


def setup(state: State, chance: Chance) -> tuple[e.Event, ...]:
    """Pawns, five curiosity cards, a wonder card and the first Outdoors."""
    story = Story(state, evolve)
    story.tell(e.PawnsPlaced(_landscape(state, chance)))
    story.tell(
        e.CuriositiesShown(chance.shuffle("curiosities/0", state.box.curiosities)[:FACE_UP_CURIOSITIES])
    )
    story.tell(e.WonderShown(chance.draw("wonder/0", OBJECT_TYPES)))
    while len(story.state.outdoors) < FIRST_OUTDOORS:
        (tile,) = draw(story, 1, chance)
        special = state.box.tiles[tile].special
        story.tell(e.SpecialReturned(tile) if special else e.TilesAdded((tile,)))
    return story.events


def _landscape(state: State, chance: Chance) -> tuple[int | None, ...]:
    if state.solo:
        return (RIVAL, 0, RIVAL, 0, None)
    first = chance.draw("first-seat", range(state.players))
    order = [(first + place) % state.players for place in range(state.players)]
    if state.players == 2:
        order = [order[0], order[1], order[1], order[0]]
    return (*order, *(None for _ in range(5 - len(order))))
