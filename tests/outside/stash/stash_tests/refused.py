"""A command for every refusal of Stash, and what it is refused with."""

from collections.abc import Callable, Mapping

from stash import GAME
from stash.commands import PlayCard
from stash.components import Box
from stash.refusals import StashRefusal as Rule
from stash.state import Played, Player, State

from domain.chance import Chance

BOX: Box = GAME.box(GAME.editions["core"])


def following(card: int) -> object:
    """Seat 1 holds the keys 2 and the buttons 1, and follows the keys 1 with a card."""
    hands = (Player(), Player(frozenset({2, 9})))
    deck = frozenset(BOX.cards) - {1, 2, 9}
    state = State(BOX, 2, False, hands, deck, turn=1, trick=(Played(0, 1),))
    return GAME.decide(state, PlayCard(card), 1, Chance(bytes(32)))


REFUSED: Mapping[Rule, Callable[[], object]] = {
    Rule.NOT_IN_HAND: lambda: following(10),
    Rule.FOLLOW_SUIT: lambda: following(9),
}
