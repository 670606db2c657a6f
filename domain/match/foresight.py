"""What the sender of a command can know beforehand, and so where a batch of commands has to end.

If its sender does not know what a command leads to, whether the next one is legal tells something about it. A
refusal stores nothing and costs nothing, so the outcome could be had without being committed. Therefore
nothing that follows such a command is looked at. Where that is depends on what the sender can see, and never
on what was drawn: all positions that look the same to the sender have the same answer.
"""

from typing import Any

from domain.game import Story, Viewer
from domain.match.state import Match


def settled(match: Match, story: Story[Match, Any], viewer: Viewer) -> bool:
    """Whether nothing of what was told was drawn, or was hidden from the viewer before."""
    return not story.drawn and not any(match.game.reveals(event, viewer) for event in story.events)


def foreseen(before: Match, story: Story[Match, Any], viewer: Viewer) -> bool:
    """Whether the viewer, who gave the command, could know all that came of it, and nobody else is let act.

    Not where the match waits for others than before, has ended, or has shown its seed.
    """
    return _standing(before) == _standing(story.state) and settled(before, story, viewer)


def _standing(match: Match) -> tuple[Any, ...]:
    """What stays as it is while one player acts alone."""
    return match.status, match.to_act, match.seed, match.sealing_key
