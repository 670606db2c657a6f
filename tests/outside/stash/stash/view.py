"""The match as a viewer may see it: the cards in others' hands and the deck are left out (S2)."""

from collections.abc import Mapping

from domain.game import Json, Viewer
from stash.state import Player, State


def view(state: State, viewer: Viewer) -> Mapping[str, Json]:
    """One shape for every viewer; a hand shows its size to all and its cards to its owner."""
    return {
        "hand": state.hand,
        "with_trumps": state.with_trumps,
        "trumps": state.trumps,
        "turn": state.turn,
        "trick": [{"seat": played.seat, "card": played.card} for played in state.trick],
        "deck": {"size": len(state.deck)},
        "players": [_player(player, seat == viewer) for seat, player in enumerate(state.players)],
        "over": state.over,
    }


def _player(player: Player, own: bool) -> Json:
    return {
        "hand": {"size": len(player.hand), "cards": sorted(player.hand) if own else None},
        "taken": player.taken,
        "tricks": player.tricks,
    }
