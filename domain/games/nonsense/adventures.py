"""Scoring an Adventure: which cards make one (N9)."""

from collections.abc import Iterator
from itertools import combinations, product, zip_longest

from domain.errors import RuleBroken, listed
from domain.games.nonsense.commands import TellAdventure
from domain.games.nonsense.components import Box, Destination
from domain.games.nonsense.refusals import NonsenseRefusal


def can_tell(box: Box, hand: frozenset[int]) -> bool:
    """Is there a valid adventure in this hand?"""
    cards = [box.cards[card] for card in hand]
    return any(
        len({card.type for card in cards if card.values[place.name] > 0}) >= place.minimum
        for place in box.destinations.values()
    )


def adventures(box: Box, hand: frozenset[int]) -> Iterator[TellAdventure]:
    """Every valid adventure of a hand, once each, lazily.

    The destinations take turns in the edition's order. Those of one destination: most cards first, then by
    their types in the order of the shops, the last type's card changing fastest, a type's cards by falling
    value, then rising id. So the first one of each destination is the best one there.
    """
    for told in zip_longest(*(_there(box, hand, place) for place in box.destinations.values())):
        yield from (adventure for adventure in told if adventure is not None)


def check_adventure(box: Box, hand: frozenset[int], command: TellAdventure) -> None:
    """RuleBroken unless these cards make a valid adventure there."""
    place, cards = box.destinations.get(command.destination), command.cards
    if place is None:
        raise RuleBroken(
            NonsenseRefusal.UNKNOWN_DESTINATION, f"The destinations are {listed(box.destinations)}."
        )
    if len({*cards}) < len(cards):
        raise RuleBroken(NonsenseRefusal.CARD_REPEATED, "List each card only once.")
    if not hand.issuperset(cards):
        raise RuleBroken(NonsenseRefusal.CARD_NOT_IN_HAND, f"Use cards from your hand only: {listed(hand)}.")
    if len({box.cards[card].type for card in cards}) < len(cards):
        raise RuleBroken(
            NonsenseRefusal.TYPE_REPEATED, "An adventure has no more than one card of each type."
        )
    worth = {card for card in hand if box.value(card, place.name) > 0}
    if not worth.issuperset(cards):
        raise RuleBroken(
            NonsenseRefusal.WORTHLESS_CARD,
            f"These cards of yours are worth a point at {place.name}: {listed(worth)}.",
        )
    if len(cards) < place.minimum:
        raise RuleBroken(
            NonsenseRefusal.TOO_FEW_CARDS,
            f"An adventure for {place.name} needs at least {place.minimum} cards.",
        )


def _there(box: Box, hand: frozenset[int], place: Destination) -> Iterator[TellAdventure]:
    choices = _by_type(box, hand, place)
    for size in range(len(choices), place.minimum - 1, -1):
        for types in combinations(choices, size):
            yield from (TellAdventure(place.name, cards) for cards in product(*types))


def _by_type(box: Box, hand: frozenset[int], place: Destination) -> list[tuple[int, ...]]:
    """The cards in hand worth a point there, for each type that has any."""
    of_type: dict[str, list[int]] = {kind: [] for kind in box.types}
    for card in sorted(hand, key=lambda card: (-box.value(card, place.name), card)):
        if box.value(card, place.name) > 0:
            of_type[box.cards[card].type].append(card)
    return [tuple(cards) for cards in of_type.values() if cards]
