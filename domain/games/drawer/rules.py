"""What a command causes: placing, and when all have placed, the reveal, the next item, the end.

A player who cannot place an item is passed as soon as it is turned up: all drawers are revealed at that
moment, so a pass tells nothing new, and the match waits for exactly those who can.
"""

from typing import assert_never

from domain.chance import Chance
from domain.errors import RuleBroken, listed
from domain.game import Story
from domain.games.drawer import events as e
from domain.games.drawer.commands import Command, PlaceItem
from domain.games.drawer.legal import placements, to_act
from domain.games.drawer.refusals import DrawerRefusal
from domain.games.drawer.spaces import ALL, cells_of
from domain.games.drawer.state import CARDS_IN_ROW, COMPARTMENTS, State, covered, open_compartments

Tale = Story[State, e.Event]


def tell(story: Tale, command: Command, seat: int, chance: Chance) -> None:
    """Let happen what a command of a seat causes; RuleBroken if the rules refuse it."""
    match command:
        case PlaceItem():
            place_item(story, seat, command, chance)
        case _:
            assert_never(command)


def place_item(story: Tale, seat: int, command: PlaceItem, chance: Chance) -> None:
    """Playing the Game, 2: place the item; the last to do so lets all be revealed (D2)."""
    check_placement(story.state, seat, command)
    story.tell(e.ItemPlaced(seat, story.state.row[-1], command.compartment, command.cells))
    if not to_act(story.state):
        reveal(story)
        go_on(story, chance)


def check_placement(state: State, seat: int, command: PlaceItem) -> None:
    """RuleBroken unless the item goes to an open compartment, in its shape, on uncovered spaces."""
    item, name = state.box.items[state.row[-1]], command.compartment
    if name not in COMPARTMENTS:
        raise RuleBroken(
            DrawerRefusal.NO_SUCH_COMPARTMENT, f"A compartment is one of {listed(COMPARTMENTS)}."
        )
    free = open_compartments(state, seat)
    if name not in free:
        raise RuleBroken(
            DrawerRefusal.COMPARTMENT_USED,
            f"You already placed an item in {name} this round. Open compartments: {listed(free)}.",
        )
    mask = item.placements.get(command.cells)
    if mask is None:
        raise RuleBroken(
            DrawerRefusal.NOT_ITS_SHAPE,
            f"These spaces do not form {item.name} ({item.id}), which covers {item.size}. You can rotate and "
            "flip it. List the spaces in ascending order.",
        )
    taken = covered(state, seat, name)
    if mask & taken:
        left = listed(cells_of(ALL & ~taken))
        raise RuleBroken(
            DrawerRefusal.SPACE_COVERED,
            f"Already covered in {name}: {listed(cells_of(mask & taken))}. Uncovered spaces: {left}.",
        )


def reveal(story: Tale) -> None:
    """Everyone who can has placed the item: show where (D2)."""
    pending = tuple(drawer.pending for drawer in story.state.drawers if drawer.pending is not None)
    story.tell(e.ItemsRevealed(story.state.row[-1], pending))


def go_on(story: Tale, chance: Chance) -> None:
    """Playing the Game, 3, and Game End: the next item, in a new round after every fourth (D4, D6)."""
    if story.state.last:
        story.tell(e.DrawersFilled())
        return
    if len(story.state.row) == CARDS_IN_ROW:
        story.tell(e.RoundEnded(story.state.round))
    turn_item(story, chance)


def turn_item(story: Tale, chance: Chance) -> None:
    """Playing the Game, 2: turn over an item; pass those who cannot place it; end if no one can."""
    item = chance.draw("items/0", story.state.deck)
    story.tell(e.ItemTurned(item))
    for seat in to_act(story.state):
        if next(placements(story.state, seat), None) is None:
            pass_seat(story, seat, item)
    if not to_act(story.state):
        story.tell(e.DrawersFilled())


def pass_seat(story: Tale, seat: int, item: str) -> None:
    """A player cannot place the item (D3), and is finished for good in the individual variant (D5)."""
    story.tell(e.SeatPassed(seat, item))
    if story.state.individual:
        story.tell(e.SeatFinished(seat))
