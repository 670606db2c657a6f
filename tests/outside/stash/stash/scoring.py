"""The score: a point for each trick."""

from domain.game import Viewer
from domain.score import Outcome, Part, SeatScore, ranked
from stash.state import State

SCORE_PARTS = {"tricks": "1 point for each trick you took."}
SWEPT = "swept"
RESULTS = (SWEPT,)


def score(state: State, viewer: Viewer) -> tuple[SeatScore, ...]:
    """The score sheets as they stand; nothing hidden decides them."""
    return tuple(
        SeatScore.of(seat, (Part("tricks", player.tricks),)) for seat, player in enumerate(state.players)
    )


def outcome(state: State) -> Outcome | None:
    """Most tricks first, ties together; who took every trick has swept (S5)."""
    if not state.over:
        return None
    tricks = [player.tricks for player in state.players]
    ranking = ranked(tricks)
    return Outcome(ranking, ranking[0], SWEPT if max(tricks) == sum(tricks) else None)
