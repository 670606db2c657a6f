"""Setting Up, for 2 to 8 players."""

from domain.chance import Chance
from domain.game import Story, Table
from domain.games.nonsense import events as e
from domain.games.nonsense.components import ON_THE_BOARD, Box
from domain.games.nonsense.deck import top_card
from domain.games.nonsense.reducer import evolve
from domain.games.nonsense.state import Player, State


def initial(box: Box, table: Table) -> State:
    """Every pawn in the Club, every card in the deck, every dial at its start."""
    return State(
        box=box,
        stall_limit=table.number("stall_limit"),
        players=(Player(),) * table.seats,
        deck=frozenset(box.cards),
        dials=tuple(place.start for place in box.destinations.values()),
    )


def setup(state: State, chance: Chance) -> tuple[e.Event, ...]:
    """Ring, Professor, first player, a hidden card each, eight face up; no one moves or pays (N2)."""
    story = Story(state, evolve)
    story.tell(e.ShopsArranged(chance.shuffle("ring/0", state.box.shops)))
    story.tell(e.ProfessorPlaced(chance.draw("professor/0", state.box.shops)))
    story.tell(e.FirstPlayerChosen(chance.draw("first-seat", range(len(state.players)))))
    for seat in range(len(state.players)):
        story.tell(e.CardDealt(seat, _dealt(story, chance)))
    for _ in range(ON_THE_BOARD):
        card = _dealt(story, chance)
        story.tell(e.CardAdded(state.box.shop_of(card), card))
    return story.events


def _dealt(story: Story[State, e.Event], chance: Chance) -> int:
    card = top_card(story, chance)
    assert card is not None, "an edition has cards enough for eight players"
    return card
