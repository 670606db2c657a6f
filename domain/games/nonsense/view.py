"""The match as a viewer may see it: the cards in others' hands and the deck are left out (N13)."""

from collections.abc import Mapping

from domain.game import Json, Viewer
from domain.games.nonsense.state import Player, State


def view(state: State, viewer: Viewer) -> Mapping[str, Json]:
    """One shape for every viewer; a hand shows its size to all and its cards to its owner.

    `stage` is what goes on as soon as nobody is `owing`.
    """
    return {
        "target": state.target,
        "stall_limit": state.stall_limit,
        "turns_without_adventure": state.quiet,
        "turn": state.turn,
        "stage": state.stage,
        "owing": state.owing,
        "ring": state.ring,
        "professor": state.professor,
        "shops": {shop: state.at_shop(shop) for shop in state.ring},
        "dials": dict(zip(state.box.destinations, state.dials, strict=True)),
        "rolls": state.rolls,
        "deck": {"size": len(state.deck), "reshuffles": state.reshuffles},
        "discards": {"size": len(state.discards), "cards": sorted(state.discards)},
        "players": [_player(player, seat == viewer) for seat, player in enumerate(state.players)],
    }


def _player(player: Player, own: bool) -> Json:
    return {
        "place": player.place,
        "hand": {"size": len(player.hand), "cards": sorted(player.hand) if own else None},
        "adventures": [
            {"destination": t.destination, "cards": t.cards, "values": t.values, "bonus": t.bonus}
            for t in player.adventures
        ],
        "lost": player.lost,
        "points": player.points,
    }
