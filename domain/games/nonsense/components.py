"""The components of an edition, typed: adventure cards, the destinations with their dials, the shops."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from domain.editions import check_tables, whole
from domain.game import Edition, Row

MARKET, CLUB = "market", "club"
DIE = range(1, 7)
ON_THE_BOARD = 8  # cards face up at the start of each turn
MOST_PLAYERS = 8


@dataclass(frozen=True, slots=True)
class Card:
    """An adventure card: what it is worth at each destination, and its movement arrow (0 for none)."""

    id: int
    type: str
    name: str
    values: Mapping[str, int]
    arrow: int


@dataclass(frozen=True, slots=True)
class Destination:
    """A bonus card: the least cards of an adventure there, the stops of its dial, its face of the die."""

    name: str
    minimum: int
    stops: tuple[int, ...]
    start: int
    face: int

    def below(self, bonus: int) -> int:
        """The next stop down, or the lowest."""
        return max((stop for stop in self.stops if stop < bonus), default=bonus)

    def above(self, bonus: int) -> int:
        """The next stop up, or the highest."""
        return min((stop for stop in self.stops if stop > bonus), default=bonus)


class Box:
    """What lies in the box of one edition; one object an edition, compared by identity."""

    def __init__(self, edition: Edition) -> None:
        self.destinations = {
            place.name: place for place in map(_destination, edition.components["destinations"])
        }
        self.shops = {str(row["shop"]): str(row["card_type"]) for row in edition.components["shops"]}
        cards = (_card(row, self.destinations) for row in edition.components["cards"])
        self.cards = {card.id: card for card in cards}
        self._shop_of_type = {card_type: shop for shop, card_type in self.shops.items()}
        _check(self, edition)

    @property
    def types(self) -> tuple[str, ...]:
        """The types of cards, in the order of their shops."""
        return tuple(self.shops.values())

    def shop_of(self, card: int) -> str:
        """The shop where a card of this type lies."""
        return self._shop_of_type[self.cards[card].type]

    def value(self, card: int, destination: str) -> int:
        """What a card is worth in an adventure there; 0 if it cannot be part of one."""
        return self.cards[card].values[destination]


box = lru_cache(maxsize=32)(Box)  # of an edition, read once


def _card(row: Row, destinations: Mapping[str, Destination]) -> Card:
    values = {name: whole(row[name]) for name in destinations}
    return Card(whole(row["id"]), str(row["type"]), str(row["name"]), values, whole(row["arrow"]))


def _destination(row: Row) -> Destination:
    stops = tuple(map(int, str(row["stops"]).split()))
    return Destination(
        str(row["destination"]),
        whole(row["minimum_cards"]),
        stops,
        whole(row["start"]),
        whole(row["die_face"]),
    )


def _check(box: Box, edition: Edition) -> None:
    """ValueError where the tables do not fit one another."""
    destinations = box.destinations.values()
    faces = {place.face for place in destinations}
    unfit = {
        "cards have the types of the shops": {c.type for c in box.cards.values()} - {*box.types},
        "no value is below zero": [c for c in box.cards.values() if min(c.values.values()) < 0],
        "cards are enough to set up": len(box.cards) < ON_THE_BOARD + MOST_PLAYERS,
        "card ids differ": len(edition.components["cards"]) - len(box.cards),
        "card types differ": len(box.shops) - len({*box.types}),
        "market and club are no shops": {MARKET, CLUB} & box.shops.keys(),
        "faces of the die differ and are 2 to 6": len(faces) - len(destinations) or faces - {*DIE[1:]},
        "stops rise": [d for d in destinations if list(d.stops) != sorted({*d.stops})],
        "a dial starts at a stop": [d for d in destinations if d.start not in d.stops],
        "an adventure is possible": [d for d in destinations if not 0 < d.minimum <= len(box.shops)],
    }
    check_tables(edition, unfit)
