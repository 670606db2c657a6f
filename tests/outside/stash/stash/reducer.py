"""The state after an event: moves cards as told, and judges nothing."""

from typing import assert_never

from domain.changed import replace, replace_at
from stash import events as e
from stash.state import Played, State


def evolve(state: State, event: e.Event) -> State:
    """The state after `event`."""
    match event:
        case e.TrumpsDrawn(suit):
            return replace(state, trumps=suit)
        case e.HandDealt(seat, _, cards):
            dealt = replace_at(state.players, seat, hand=frozenset(cards))
            return replace(state, players=dealt, deck=state.deck - {*cards})
        case e.LeaderDrawn(seat):
            return replace(state, turn=seat)
        case e.CardPlayed(seat, card, following):
            left = replace_at(state.players, seat, hand=state.players[seat].hand - {card})
            return replace(state, players=left, trick=(*state.trick, Played(seat, card)), turn=following)
        case e.TrickTaken(seat):
            player, won = state.players[seat], tuple(played.card for played in state.trick)
            taken = replace_at(state.players, seat, taken=player.taken + won, tricks=player.tricks + 1)
            return replace(state, players=taken, trick=(), turn=seat)
        case e.HandsPlayed():
            return replace(state, turn=None, over=True)
        case _:
            assert_never(event)
