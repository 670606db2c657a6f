"""The state after an event: moves tiles and cards as told, and judges nothing."""

from functools import reduce
from typing import assert_never

from domain.changed import replace, replace_at
from domain.games.drawer import events as e
from domain.games.drawer.spaces import mask_of
from domain.games.drawer.state import COMPARTMENTS, Placement, State, Tile


def evolve(state: State, event: e.Event) -> State:  # noqa: PLR0911  one arm an event
    """The state after `event`."""
    match event:
        case e.GoalsShown(cards):
            return replace(state, goals=cards, pool=frozenset())
        case e.ItemTurned(item):
            return replace(state, deck=state.deck - {item}, row=(*state.row, item))
        case e.SeatPassed(seat, item):
            return _drawer(state, seat, supply=state.drawers[seat].supply - {item}, aside=item)
        case e.SeatFinished(seat):
            return _drawer(state, seat, finished=True)
        case e.ItemPlaced(seat, item, compartment, cells):
            pending = Placement(seat, compartment, cells)
            return _drawer(state, seat, supply=state.drawers[seat].supply - {item}, pending=pending)
        case e.ItemsRevealed(item, placements):
            return reduce(lambda so_far, placement: _reveal(so_far, item, placement), placements, state)
        case e.RoundEnded(number):
            return replace(state, round=number + 1, row=(), discards=state.discards + state.row)
        case e.DrawersFilled():
            return replace(state, over=True)
        case _:
            assert_never(event)


def _drawer(state: State, seat: int, **changes: object) -> State:
    return replace(state, drawers=replace_at(state.drawers, seat, **changes))


def _reveal(state: State, item: str, placement: Placement) -> State:
    tile = Tile(item, mask_of(placement.cells))
    compartments = tuple(
        tuple(sorted((*tiles, tile))) if name == placement.compartment else tiles
        for name, tiles in zip(COMPARTMENTS, state.drawers[placement.seat].compartments, strict=True)
    )
    return _drawer(state, placement.seat, compartments=compartments, pending=None)
