"""Setup, for 1 to 4 players."""

from domain.chance import Chance
from domain.game import Story, Table
from domain.games.drawer import events as e
from domain.games.drawer.components import Box
from domain.games.drawer.goals import given_goals, pool
from domain.games.drawer.reducer import evolve
from domain.games.drawer.rules import turn_item
from domain.games.drawer.state import COMPARTMENTS, Drawer, State


def initial(box: Box, table: Table) -> State:
    """All item cards in the deck, 21 item tiles a player, and what the options say of the goals (D10)."""
    items = frozenset(box.items)
    return State(
        box=box,
        individual=table.word("variant") == "individual",
        two_large_gaps=table.word("two_large_gaps"),
        pool=pool(box, table.word("goals")),
        deck=items,
        drawers=(Drawer(items),) * table.seats,
        goals=given_goals(box, table.word("goals"), table.words("cards")),
    )


def setup(state: State, chance: Chance) -> tuple[e.Event, ...]:
    """A card on each compartment, then the first item."""
    story = Story(state, evolve)
    drawn = chance.shuffle("goals/0", state.pool)[: len(COMPARTMENTS)]
    story.tell(e.GoalsShown(state.goals or drawn))
    turn_item(story, chance)
    return story.events
