"""A command for every refusal of Stuff and Nonsense, and what it is refused with."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from domain.games.nonsense.commands import Move, Pass, PayPenalty, TakeCard, TellAdventure, TradeCard
from domain.games.nonsense.refusals import NonsenseRefusal as Rule
from domain.games.nonsense.state import State
from tests.games.nonsense.table import BOX, given, player, when, worth

ONE, TWO = worth("africa", *list(dict.fromkeys(BOX.types))[:2])
TWINS = [c.id for c in BOX.cards.values() if c.type == BOX.types[0] and c.values["africa"] > 0][:2]
WORTHLESS = next(
    c.id
    for c in BOX.cards.values()
    if c.type not in (BOX.cards[ONE].type, BOX.cards[TWO].type) and c.values["africa"] == 0
)


def telling(*hand: int) -> State:
    """The first player is in the club and is to tell an adventure."""
    return given(player("club", *hand), player("pub"), stage="action")


def moving(*hand: int) -> State:
    """The first player is to move from the cafe."""
    return given(player("cafe", *hand), player("pub"))


def owing() -> State:
    """The first player has met the Professor and owes a penalty."""
    return replace(given(player("pub", ONE), player("cafe"), stage="action"), owing=(0,))


def shopping() -> State:
    """The first player is at a shop and is to take a card."""
    return given(player("cafe", ONE), player("pub"), stage="action")


REFUSED: Mapping[Rule, Callable[[], object]] = {
    Rule.NOT_WITHIN_A_STEP: lambda: when(moving(), Move("pub")),
    Rule.MARKET_NEEDS_A_CARD: lambda: when(moving(), Move("market")),
    Rule.CLUB_NEEDS_AN_ADVENTURE: lambda: when(moving(ONE), Move("club")),
    Rule.CARD_NOT_THERE: lambda: when(shopping(), TakeCard(ONE)),
    Rule.CARD_NOT_IN_HAND: lambda: when(
        given(player("market", ONE), player("pub"), stage="action"), TradeCard(TWO)
    ),
    Rule.UNKNOWN_DESTINATION: lambda: when(telling(ONE, TWO), TellAdventure("atlantis", (ONE, TWO))),
    Rule.CARD_REPEATED: lambda: when(telling(ONE, TWO), TellAdventure("africa", (ONE, ONE))),
    Rule.TYPE_REPEATED: lambda: when(telling(*TWINS), TellAdventure("africa", tuple(TWINS))),
    Rule.WORTHLESS_CARD: lambda: when(telling(ONE, WORTHLESS), TellAdventure("africa", (ONE, WORTHLESS))),
    Rule.TOO_FEW_CARDS: lambda: when(telling(ONE, TWO), TellAdventure("africa", (ONE,))),
    Rule.ONE_WAY_TO_PAY: lambda: when(owing(), PayPenalty(), 0),
    Rule.NOT_NOW: lambda: when(moving(), Pass()),
}
