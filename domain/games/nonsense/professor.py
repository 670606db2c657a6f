"""Meeting the Professor: where he walks, and who owes him a penalty (N4, N5)."""

from collections.abc import Iterable

from domain.game import Story
from domain.games.nonsense import events as e
from domain.games.nonsense.state import State


def walk(story: Story[State, e.Event]) -> None:
    """The Professor goes one step clockwise and meets everyone there."""
    state = story.state
    assert state.professor is not None  # placed in set-up
    shop = state.ring[(state.ring.index(state.professor) + 1) % len(state.ring)]
    story.tell(e.ProfessorMoved(shop))
    meet(story, (seat for seat, player in enumerate(state.players) if player.place == shop))


def meet(story: Story[State, e.Event], seats: Iterable[int]) -> None:
    """Those who have cards owe a penalty; without cards there is none."""
    owing = tuple(seat for seat in seats if story.state.players[seat].hand)
    if owing:
        story.tell(e.PenaltiesOwed(owing))
