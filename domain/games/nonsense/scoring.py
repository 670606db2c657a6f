"""Winning the Game: the score sheets, and who comes first."""

from domain.game import Json, Viewer
from domain.games.nonsense.state import Adventure, Player, State
from domain.score import Outcome, Part, SeatScore, ranked

SCORE_PARTS = {
    "adventure": "An adventure you told: the values of its cards, and the bonus of its destination then.",
    "penalties": "Points you lost to Professor Elemental, zero or less.",
}
RESULTS = TARGET_REACHED, STALLED = "target_reached", "stalled"


def score(state: State, viewer: Viewer) -> tuple[SeatScore, ...]:  # noqa: ARG001  the contract's shape
    """The score sheets as they stand; nothing hidden decides them, so every viewer sees the same."""
    return tuple(_sheet(seat, player) for seat, player in enumerate(state.players))


def outcome(state: State) -> Outcome | None:
    """Best first, ties together; the first are the winners.

    At the target that is the teller alone (N10): a player with as many would have won before. At the
    stall limit it is whoever has most points (N14).
    """
    if state.stage != "over":
        return None
    points = [player.points for player in state.players]
    ranking = ranked(points)
    result = TARGET_REACHED if max(points) >= state.target else STALLED
    return Outcome(ranking=ranking, winners=ranking[0], result=result)


def _sheet(seat: int, player: Player) -> SeatScore:
    told = (Part("adventure", tale.points, _detail(tale)) for tale in player.adventures)
    return SeatScore.of(seat, (*told, Part("penalties", -player.lost)))


def _detail(tale: Adventure) -> Json:
    return {
        "destination": tale.destination,
        "cards": list(tale.cards),
        "values": list(tale.values),
        "bonus": tale.bonus,
    }
