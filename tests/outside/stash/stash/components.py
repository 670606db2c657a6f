"""The cards of an edition, each with a suit and a rank."""

from dataclasses import dataclass
from functools import lru_cache

from domain.editions import check_tables, whole
from domain.game import Edition, Row

MOST_DEALT = 4 * 7


@dataclass(frozen=True, slots=True)
class Card:
    """A card; the higher rank of a suit beats the lower."""

    id: int
    suit: str
    rank: int


class Box:
    """What lies in the box of one edition; one object an edition, compared by identity."""

    def __init__(self, edition: Edition) -> None:
        self.cards = {card.id: card for card in map(_card, edition.components["cards"])}
        self.suits = tuple(dict.fromkeys(card.suit for card in self.cards.values()))
        faces = {(card.suit, card.rank) for card in self.cards.values()}
        check_tables(
            edition,
            {
                "cards differ": len(edition.components["cards"]) - len(faces),
                "cards are enough for four players": len(self.cards) < MOST_DEALT,
            },
        )


box = lru_cache(maxsize=32)(Box)  # of an edition, read once


def _card(row: Row) -> Card:
    return Card(whole(row["id"]), str(row["suit"]), whole(row["rank"]))
