"""The components of an edition, typed: tiles, curiosity and rival cards; wonder cards are object types."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from domain.editions import check_tables, whole
from domain.game import Edition, Row

Color = Literal["red", "yellow", "green", "blue", "purple"]
ObjectType = Literal["leaf", "crystal", "bottle", "shell", "animal"]
Kind = Literal["object", "sweep", "draw"]
FACE_UP_CURIOSITIES = 5
RIVAL_TURNS = 6  # in a solo match
COLORS: tuple[Color, ...] = get_args(Color)
OBJECT_TYPES: tuple[ObjectType, ...] = get_args(ObjectType)


@dataclass(frozen=True, slots=True)
class Tile:
    """A curio tile: an object with colour and type, or a special action tile."""

    id: int
    kind: Kind
    color: Color | None
    type: ObjectType | None
    crown: bool
    flower: bool

    @property
    def special(self) -> bool:
        """Is it one of the two kinds of special action tile?"""
        return self.kind != "object"


@dataclass(frozen=True, slots=True)
class RivalCard:
    """A rival card: the column to go to, the way to slide, and what the rival removes from the Outdoors."""

    id: int
    column: int
    step: int
    removes: str

    def names(self, tile: Tile) -> bool:
        """Does the card remove this tile? By colour, type, crown, or being special."""
        if self.removes == "crown":
            return tile.crown
        return tile.special if self.removes == "special" else self.removes in (tile.color, tile.type)


class Box:
    """What lies in the box of one edition; one object an edition, compared by identity."""

    def __init__(self, edition: Edition) -> None:
        self.tiles = {tile.id: tile for tile in map(_tile, edition.components["tiles"])}
        self.curiosities = {str(row["id"]): whole(row["points"]) for row in edition.components["curiosities"]}
        self.rivals = {card.id: card for card in map(_rival, edition.components["rivals"])}
        _check(self, edition)

    def in_play(self, advanced: bool) -> list[Tile]:
        """The tiles a match is played with; the advanced setup leaves the flower tiles out (W1)."""
        return [tile for tile in self.tiles.values() if not (advanced and tile.flower)]


box = lru_cache(maxsize=32)(Box)  # of an edition, read once


def _check(box: Box, edition: Edition) -> None:
    """ValueError where the tables do not fit the rules."""
    from domain.games.whatnot.curiosities import CONDITIONS  # they judge tiles, which are described here

    tables = (("tiles", box.tiles), ("curiosities", box.curiosities), ("rivals", box.rivals))
    unfit = {
        "ids differ": [name for name, read in tables if len(read) != len(edition.components[name])],
        "curiosity cards have a condition": box.curiosities.keys() - CONDITIONS.keys(),
        "five curiosity cards can be shown": len(box.curiosities) < FACE_UP_CURIOSITIES,
        "rival cards name a column": [card for card in box.rivals.values() if card.column not in range(1, 6)],
        "rival cards last for a match": len(box.rivals) < RIVAL_TURNS,
    }
    check_tables(edition, unfit)


def _one_of(value: int | str | None, words: tuple[str, ...]) -> str:
    if value not in words:
        raise ValueError(f"one of {words} was expected, not {value!r}")
    return str(value)


def _tile(row: Row) -> Tile:
    kind = _one_of(row["kind"], get_args(Kind))
    color = _one_of(row["color"], COLORS) if kind == "object" else None
    shape = _one_of(row["type"], OBJECT_TYPES) if kind == "object" else None
    crown, flower = whole(row["crown"]) == 1, whole(row["flower"]) == 1
    return Tile(whole(row["id"]), kind, color, shape, crown, flower)  # type: ignore[arg-type]  # checked words


def _rival(row: Row) -> RivalCard:
    step = {"right": 1, "left": -1}[_one_of(row["arrow"], ("right", "left"))]
    removes = _one_of(row["removes"], (*COLORS, *OBJECT_TYPES, "crown", "special"))
    return RivalCard(whole(row["id"]), whole(row["column"]), step, removes)
