"""Whose decision is owed, and every placement that may answer it."""

from collections.abc import Iterator

from domain.games.drawer.commands import Command, PlaceItem
from domain.games.drawer.state import State, covered, open_compartments


def to_act(state: State) -> tuple[int, ...]:
    """The seats that have the item still to place; who cannot has been passed already (D3)."""
    drawers = enumerate(state.drawers)
    return tuple(seat for seat, mine in drawers if state.item in mine.supply and not mine.finished)


def legal(state: State, seat: int) -> Iterator[Command]:
    """A seat's placements, each once, whatever the orientation: compartments A to D, then spaces rising."""
    if seat in to_act(state):
        yield from placements(state, seat)


def placements(state: State, seat: int) -> Iterator[Command]:
    """Where the item fits: in a compartment not used this round, on uncovered spaces (Playing the Game)."""
    spaces = state.box.items[state.row[-1]].placements
    for compartment in open_compartments(state, seat):
        taken = covered(state, seat, compartment)
        yield from (PlaceItem(compartment, cells) for cells, mask in spaces.items() if not mask & taken)
