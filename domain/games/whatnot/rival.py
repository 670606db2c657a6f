"""The rival of a solo match: a deck of cards that blocks columns and takes tiles away (W15)."""

from domain.chance import Chance
from domain.game import Story
from domain.games.whatnot import events as e
from domain.games.whatnot.components import RivalCard
from domain.games.whatnot.state import State


def move_rival(story: Story[State, e.Event], chance: Chance) -> RivalCard:
    """Draw the top card and move the pawn, sliding along the arrow past occupied columns, around the ends."""
    state = story.state
    card = state.box.rivals[chance.draw("rival/0", state.box.rivals.keys() - {*state.rival_cards})]
    slide = ((card.column - 1 + card.step * steps) % 5 + 1 for steps in range(5))
    column = next(column for column in slide if state.columns[column - 1] is None)
    story.tell(e.RivalMoved(card.id, column, state.acting_space))
    return card


def remove_tiles(story: Story[State, e.Event], card: RivalCard) -> None:
    """Remove every tile that the card names from the Outdoors; a card that names none removes none."""
    state = story.state
    tiles = tuple(tile for tile in state.outdoors if card.names(state.box.tiles[tile]))
    if tiles:
        story.tell(e.TilesRemoved(tiles))
