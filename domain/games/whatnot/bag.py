"""Drawing from the bag, which is refilled with the discards when a tile is needed and it is empty (W8)."""

from domain.chance import Chance
from domain.game import Story
from domain.games.whatnot import events as e
from domain.games.whatnot.state import State


def draw(story: Story[State, e.Event], count: int, chance: Chance) -> tuple[int, ...]:
    """The next `count` tiles of the bag, or as many as it still holds; refills it first if it is empty.

    Draws only: the caller tells where the tiles went. The bag has been shaken each time something went back.
    """
    if not story.state.bag:
        assert story.state.discards, "bag and discards cannot both be empty (W8)"
        story.tell(e.BagRefilled())
    return chance.shuffle(f"bag/{story.state.shakes}", story.state.bag)[:count]


def add_to_outdoors(story: Story[State, e.Event], count: int, chance: Chance) -> None:
    """Add tiles from the bag to the Outdoors, face up."""
    while count:
        tiles = draw(story, count, chance)
        story.tell(e.TilesAdded(tiles))
        count -= len(tiles)


def draw_in_private(story: Story[State, e.Event], seat: int, count: int, chance: Chance) -> None:
    """Draw tiles that only the acting player sees (W5)."""
    while count:
        tiles = draw(story, count, chance)
        story.tell(e.TilesDrawn(seat, len(tiles), tiles))
        count -= len(tiles)
