"""Drawing from the deck, which is made of the discards again when a card is needed and it is empty (N12)."""

from domain.chance import Chance
from domain.game import Story
from domain.games.nonsense import events as e
from domain.games.nonsense.state import State


def top_card(story: Story[State, e.Event], chance: Chance) -> int | None:
    """The next card of the deck, reshuffled first if it is empty; None while there are no discards either.

    Draws only: the caller tells where the card went.
    """
    if not story.state.deck and story.state.discards:
        story.tell(e.DeckReshuffled())
    state = story.state
    return chance.draw(f"deck/{state.reshuffles}", state.deck) if state.deck else None


def draw_to_hand(story: Story[State, e.Event], seat: int, chance: Chance) -> None:
    """A player draws a card in private; an arrow on it is ignored (N7, N10)."""
    card = top_card(story, chance)
    assert card is not None, "a card has just been discarded"
    story.tell(e.CardDrawn(seat, card))
