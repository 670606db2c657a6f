"""Setup, for 2 to 4 players."""

from domain.chance import Chance
from domain.game import Story, Table
from stash import events as e
from stash.components import Box
from stash.reducer import evolve
from stash.state import Player, State


def initial(box: Box, table: Table) -> State:
    """Every card in the deck."""
    return State(
        box=box,
        hand=table.number("hand"),
        with_trumps=table.word("trumps") == "drawn",
        players=(Player(),) * table.seats,
        deck=frozenset(box.cards),
    )


def setup(state: State, chance: Chance) -> tuple[e.Event, ...]:
    """Trumps, a hand for everybody, and who leads."""
    story = Story(state, evolve)
    if state.with_trumps:
        story.tell(e.TrumpsDrawn(chance.draw("trumps/0", state.box.suits)))
    cards = chance.shuffle("deck/0", state.deck)
    for seat in range(len(state.players)):
        hand = tuple(sorted(cards[seat * state.hand : (seat + 1) * state.hand]))
        story.tell(e.HandDealt(seat, len(hand), hand))
    story.tell(e.LeaderDrawn(chance.draw("first-seat", range(len(state.players)))))
    return story.events
