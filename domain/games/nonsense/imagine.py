"""A whole state that looks just like a view: what its viewer cannot see is dealt out at random (for bots)."""

from collections.abc import Mapping
from typing import Any

from domain.chance import Chance
from domain.games.nonsense.components import Box
from domain.games.nonsense.state import Adventure, Player, State


def imagine(box: Box, view: Mapping[str, Any], chance: Chance) -> State:
    """Unseen cards go to others' hands and the deck; ValueError if they do not fit."""
    deal = list(chance.shuffle("imagined", _unseen(box, view)))
    players = tuple(_player(player, deal) for player in view["players"])
    if len(deal) != view["deck"]["size"]:
        raise ValueError(f"{len(deal)} unseen cards cannot make a deck of {view['deck']['size']}")
    return State(
        box=box,
        stall_limit=view["stall_limit"],
        players=players,
        deck=frozenset(deal),
        dials=tuple(view["dials"][name] for name in box.destinations),
        ring=tuple(view["ring"]),
        professor=view["professor"],
        face_up=frozenset(card for cards in view["shops"].values() for card in cards),
        discards=frozenset(view["discards"]["cards"]),
        reshuffles=view["deck"]["reshuffles"],
        rolls=view["rolls"],
        turn=view["turn"],
        stage=view["stage"],
        owing=tuple(view["owing"]),
        quiet=view["turns_without_adventure"],
    )


def _unseen(box: Box, view: Mapping[str, Any]) -> set[int]:
    seen = {*view["discards"]["cards"]}.union(*view["shops"].values())
    return box.cards.keys() - seen.union(*(player["hand"]["cards"] or () for player in view["players"]))


def _player(view: Mapping[str, Any], deal: list[int]) -> Player:
    """A player with their own hand, or one of the deal's cards; ValueError if it runs out."""
    cards, size = view["hand"]["cards"], view["hand"]["size"]
    if cards is None and size > len(deal):
        raise ValueError(f"{len(deal)} unseen cards cannot make a hand of {size}")
    hand = [deal.pop() for _ in range(size)] if cards is None else cards
    tales = (
        Adventure(told["destination"], tuple(told["cards"]), tuple(told["values"]), told["bonus"])
        for told in view["adventures"]
    )
    return Player(view["place"], frozenset(hand), tuple(tales), view["lost"])
