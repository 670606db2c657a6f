"""Whose turn it is, and the cards that may be played."""

from collections.abc import Iterator

from stash.commands import Command, PlayCard
from stash.state import State


def to_act(state: State) -> tuple[int, ...]:
    """The seat that plays next."""
    return () if state.turn is None else (state.turn,)


def legal(state: State, seat: int) -> Iterator[Command]:
    """A seat's cards that may be played, by their ids."""
    if seat in to_act(state):
        yield from map(PlayCard, playable(state, seat))


def playable(state: State, seat: int) -> tuple[int, ...]:
    """The cards of the suit that was led; any, if there are none or the seat leads (S1)."""
    hand, cards = sorted(state.players[seat].hand), state.box.cards
    led = cards[state.trick[0].card].suit if state.trick else None
    return tuple(card for card in hand if cards[card].suit == led) or tuple(hand)
