"""What a command causes: a card is played, the best card takes the trick, and with the last one all ends."""

from domain.chance import Chance
from domain.errors import RuleBroken, listed
from domain.game import Story
from stash import events as e
from stash.commands import Command
from stash.legal import playable
from stash.refusals import StashRefusal
from stash.state import State


def tell(story: Story[State, e.Event], command: Command, seat: int, chance: Chance) -> None:
    """Let happen what a card of a seat causes; RuleBroken if it cannot be played. Nothing is drawn."""
    state, hand = story.state, sorted(story.state.players[seat].hand)
    if command.card not in hand:
        raise RuleBroken(StashRefusal.NOT_IN_HAND, f"Play a card of your hand: {listed(hand)}.")
    if command.card not in playable(state, seat):
        raise RuleBroken(
            StashRefusal.FOLLOW_SUIT, f"Follow the suit that was led, with {listed(playable(state, seat))}."
        )
    complete = len(state.trick) + 1 == len(state.players)
    story.tell(e.CardPlayed(seat, command.card, None if complete else (seat + 1) % len(state.players)))
    if complete:
        story.tell(e.TrickTaken(best(story.state)))
        if not any(player.hand for player in story.state.players):
            story.tell(e.HandsPlayed())


def best(state: State) -> int:
    """The seat that takes the trick: by the highest trump, else by the highest card of the suit led (S4)."""
    cards = state.box.cards
    led = cards[state.trick[0].card].suit
    rank = {state.trumps: 2, led: 1} if state.trumps != led else {led: 1}
    worth = {
        played.seat: (rank.get(cards[played.card].suit, 0), cards[played.card].rank) for played in state.trick
    }
    return max(worth, key=worth.__getitem__)
