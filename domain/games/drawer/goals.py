"""Setup, 2: the organization cards on the compartments: at random, chosen, or a suggested scenario (D10)."""

from domain.errors import RuleBroken
from domain.games.drawer.components import RATINGS, Box
from domain.games.drawer.refusals import DrawerRefusal
from domain.games.drawer.state import COMPARTMENTS

SCENARIOS: dict[str, tuple[str, ...]] = {  # Suggested Goal Scenarios, A to D
    "bring_a_wheelbarrow": ("E1", "E2", "E3", "E4"),
    "slim_pickings": ("H1", "M1", "H2", "H3"),
    "more_more_more": ("E5", "M2", "M3", "M4"),
    "a_sprint_not_a_marathon": ("E2", "E6", "M5", "M6"),
}
RANDOM, CHOSEN = "random", "chosen"
WORDS = (RANDOM, *RATINGS, *SCENARIOS, CHOSEN)


def given_goals(box: Box, word: str, cards: tuple[str, ...]) -> tuple[str, ...]:
    """The four cards that the options name, A to D, or none if they are to be drawn; RuleBroken if unfit."""
    if cards and word != CHOSEN:
        raise RuleBroken(
            DrawerRefusal.GOALS_NOT_CHOSEN,
            "You can name cards only with goals=chosen. Otherwise leave out cards.",
        )
    if word != CHOSEN:
        return SCENARIOS.get(word, ())
    if len(cards) != len(COMPARTMENTS) or len({*cards} & box.cards.keys()) != len(COMPARTMENTS):
        known = ", ".join(box.cards)
        raise RuleBroken(
            DrawerRefusal.NOT_FOUR_CARDS,
            f"With goals=chosen, cards must name four different cards from {known}.",
        )
    return cards


def pool(box: Box, word: str) -> frozenset[str]:
    """The cards from which goals are drawn: all, or those of a rating; none if they are given."""
    return frozenset(card.id for card in box.cards.values() if word in (RANDOM, card.rating))
