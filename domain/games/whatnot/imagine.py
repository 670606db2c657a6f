"""A whole state that looks just like a view: what its viewer cannot see is dealt out at random (for bots)."""

from collections.abc import Mapping
from typing import Any

from domain.chance import Chance
from domain.games.whatnot.components import Box
from domain.games.whatnot.state import Cabinet, FaceDown, State, Token, Turn


def imagine(box: Box, view: Mapping[str, Any], chance: Chance) -> State:
    """Unseen tiles go to others' draws, face-down discards and the bag; ValueError if they do not fit."""
    deal = list(chance.shuffle("imagined", _unseen(box, view)))
    turn = None if view["turn"] is None else _turn(view["turn"], deal)
    face_down = tuple(
        FaceDown(deal.pop() if card["tile"] is None else card["tile"], card["seat"])
        for card in view["face_down"]
    )
    if len(deal) != view["bag"]["size"]:
        raise ValueError(f"{len(deal)} unseen tiles cannot fill a bag of {view['bag']['size']}")
    return State(
        box=box,
        advanced=view["advanced"],
        players=len(view["cabinets"]),
        bag=frozenset(deal),
        cabinets=tuple(map(_cabinet, view["cabinets"])),
        round=view["round"],
        shakes=view["bag"]["shakes"],
        landscape=tuple(view["landscape"]),
        columns=tuple(view["columns"]),
        discards=frozenset(view["discards"]["known"]) | {card.tile for card in face_down},
        face_down=face_down,
        outdoors=tuple(view["outdoors"]),
        curiosities=tuple(view["curiosities"]["face_up"]),
        retired=tuple(view["curiosities"]["retired"]),
        wonder=view["wonder"],
        rival_cards=tuple(view["rival_cards"]),
        turn=turn,
        retiring=view["retiring"],
        over=view["over"],
    )


def _unseen(box: Box, view: Mapping[str, Any]) -> set[int]:
    turn = view["turn"] or {"drawn": {"tiles": None}, "found": None}
    seen = {*view["outdoors"], *view["discards"]["known"], turn["found"], *(turn["drawn"]["tiles"] or ())}
    for cabinet in view["cabinets"]:
        seen.update(cabinet["kept"], *cabinet["rows"])
    return {tile.id for tile in box.in_play(view["advanced"])} - seen


def _turn(view: Mapping[str, Any], deal: list[int]) -> Turn:
    tiles, size = view["drawn"]["tiles"], view["drawn"]["size"]
    drawn = tuple(tiles) if tiles is not None else tuple(deal.pop() for _ in range(size))
    takes, met = tuple(view["takes"]), tuple(view["met"])
    return Turn(view["seat"], view["column"], takes, drawn, view["found"], (), met)


def _cabinet(view: Mapping[str, Any]) -> Cabinet:
    return Cabinet(
        spaces=tuple(tile for row in view["rows"] for tile in row),
        tokens=tuple(Token(token["line"], token["points"]) for token in view["tokens"]),
        curiosities=tuple(view["curiosities"]),
        kept=tuple(view["kept"]),
        column_bonus=view["column_bonus"],
    )
