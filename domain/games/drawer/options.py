"""What the creator of a match chooses."""

from domain.editions import read_editions
from domain.games.drawer.goals import WORDS
from domain.games.drawer.state import COMPARTMENTS
from domain.games.drawer.wording import READINGS
from domain.options import Option

EDITIONS = read_editions("domain.games.drawer")
CARDS = tuple(
    dict.fromkeys(str(row["id"]) for edition in EDITIONS.values() for row in edition.components["cards"])
)

OPTIONS = (
    Option(
        "variant",
        "standard",
        "When a player cannot place an item: standard ends the match with that item, individual lets the "
        "others go on.",
        choices=("standard", "individual"),
    ),
    Option(
        "goals",
        "random",
        "The organization cards on A to D: random, all of one rating, a suggested scenario, or chosen.",
        choices=WORDS,
    ),
    Option(
        "cards",
        (),
        "Only with goals=chosen: four different cards, those on A to D.",
        choices=CARDS,
        min_items=len(COMPARTMENTS),
        max_items=len(COMPARTMENTS),
    ),
    Option(
        "two_large_gaps",
        "second",
        "Which gap card M1 (two large gaps) scores: the second-largest or the largest.",
        choices=tuple(READINGS),
    ),
)
