"""A whole state that looks just like a view: what its viewer cannot see is dealt out at random (for bots)."""

from collections.abc import Mapping
from typing import Any

from domain.chance import Chance
from stash.components import Box
from stash.state import Played, Player, State


def imagine(box: Box, view: Mapping[str, Any], chance: Chance) -> State:
    """Unseen cards go to others' hands and the deck; ValueError if they do not fit."""
    deal = list(chance.shuffle("imagined", _unseen(box, view)))
    players = tuple(_player(player, deal) for player in view["players"])
    if len(deal) != view["deck"]["size"]:
        raise ValueError(f"{len(deal)} unseen cards cannot make a deck of {view['deck']['size']}")
    return State(
        box=box,
        hand=view["hand"],
        with_trumps=view["with_trumps"],
        players=players,
        deck=frozenset(deal),
        trumps=view["trumps"],
        turn=view["turn"],
        trick=tuple(Played(played["seat"], played["card"]) for played in view["trick"]),
        over=view["over"],
    )


def _unseen(box: Box, view: Mapping[str, Any]) -> set[int]:
    seen = {played["card"] for played in view["trick"]}
    for player in view["players"]:
        seen |= {*player["taken"], *(player["hand"]["cards"] or ())}
    return box.cards.keys() - seen


def _player(view: Mapping[str, Any], deal: list[int]) -> Player:
    cards, size = view["hand"]["cards"], view["hand"]["size"]
    if cards is None and size > len(deal):
        raise ValueError(f"{len(deal)} unseen cards cannot make a hand of {size}")
    hand = [deal.pop() for _ in range(size)] if cards is None else cards
    return Player(frozenset(hand), tuple(view["taken"]), view["tricks"])
