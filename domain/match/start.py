"""The start of a match: once nobody is missing, with the first draws."""

from typing import Any

from domain.chance import Chance, mix
from domain.game import Story
from domain.match.events import MatchStarted
from domain.match.state import Match


def chance_of(match: Match, seed: bytes) -> Chance:
    """The draws of a match: its seed, and what its players added to it."""
    entropy = {number: seat.entropy for number, seat in enumerate(match.seats) if seat.entropy is not None}
    return Chance(mix(seed, entropy))


def start_if_full(story: Story[Match, Any], seed: bytes) -> None:
    """With no open seat left the match starts, and the game's own set-up follows."""
    match = story.state
    if match.started or match.free:
        return
    story.tell(MatchStarted())
    match, chance = story.state, chance_of(story.state, seed)
    for event in match.game.setup(match.position, chance):
        story.tell(event)
    story.drawn = story.drawn or chance.drawn
