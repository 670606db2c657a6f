"""The components of an edition, typed: items with all they can cover, organization cards with scorers."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from domain.game import Edition, Row
from domain.games.drawer.polyominoes import Shape, free_polyominoes, orientations, placements, read
from domain.games.drawer.spaces import Cells, Items, drawn
from domain.games.drawer.wording import READINGS, Scorer, scorer

RATINGS = ("easy", "medium", "hard")


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """An item, tile and card; `placements` are the spaces it can cover, in rising order, with their masks."""

    id: str
    name: str
    shape: Shape
    placements: Mapping[Cells, int]

    @property
    def size(self) -> int:
        """How many spaces it covers."""
        return len(self.shape)

    @property
    def orientations(self) -> int:
        """In how many different ways it can lie."""
        return len(orientations(self.shape))


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """An organization card; it has a scorer for either reading of Create Two Large Gaps (D8)."""

    id: str
    rating: str
    title: str
    example: Items
    scorers: Mapping[str, Scorer]

    def points(self, items: Items, two_large_gaps: str) -> int:
        """What a compartment with these items earns."""
        return self.scorers[two_large_gaps](items)

    def example_score(self, two_large_gaps: str) -> int:
        """What the example layout earns (D11)."""
        return self.points(self.example, two_large_gaps)


class Box:
    """What lies in the box of one edition; one object an edition, compared by identity."""

    def __init__(self, edition: Edition) -> None:
        shapes = {*free_polyominoes()}
        items = [_item(row, shapes) for row in edition.components["items"]]
        self.items = {item.id: item for item in items}
        if not len({item.shape for item in items}) == len(self.items) == len(items) == len(shapes):
            raise ValueError(f"an edition has {len(shapes)} items of different names and shapes")
        self.cards = {card.id: card for card in map(_card, edition.components["cards"])}
        if len(self.cards) != len(edition.components["cards"]):
            raise ValueError("the organization cards of an edition have different names")


box = lru_cache(maxsize=32)(Box)  # of an edition, read once


def _item(row: Row, shapes: set[Shape]) -> Item:
    shape = read(str(row["shape"]))
    if shape not in shapes:
        raise ValueError(f"item {row['id']} is not a polyomino of one to five squares")
    return Item(str(row["id"]), str(row["name"]), shape, placements(shape))


def _card(row: Row) -> Card:
    if row["rating"] not in RATINGS:
        raise ValueError(f"card {row['id']} is rated {row['rating']!r}, not one of {RATINGS}")
    scorers = {reading: scorer(str(row["scoring"]), reading) for reading in READINGS}
    example = tuple(drawn(str(row["example_layout"])).values())
    return Card(str(row["id"]), str(row["rating"]), str(row["title"]), example, scorers)
