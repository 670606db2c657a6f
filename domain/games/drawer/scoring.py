"""Final Scoring: the points of each compartment by its organization card; shared wins; solo (D11)."""

from domain.game import Viewer
from domain.games.drawer.spaces import Items, mask_of
from domain.games.drawer.state import COMPARTMENTS, Name, State
from domain.score import Outcome, Part, SeatScore, ranked

SCORE_PARTS: dict[str, str] = {
    name: f"Compartment {name}, by its organization card." for name in COMPARTMENTS
}
RESULTS = WON, LOST = "won", "lost"  # of Solo Mode


def score(state: State, viewer: Viewer) -> tuple[SeatScore, ...]:
    """The score sheets as they stand; only a viewer's own counts what they have placed in secret (D2)."""
    return tuple(_sheet(state, seat, own=seat == viewer) for seat in range(len(state.drawers)))


def outcome(state: State) -> Outcome | None:
    """Most points first, equal ones together; alone, won by more than the example scores together (D11)."""
    if not state.over:
        return None
    totals = [sheet.total for sheet in score(state, None)]
    if state.solo:
        won = totals[0] > to_beat(state)
        return Outcome(((0,),), (0,) if won else (), WON if won else LOST)
    ranking = ranked(totals)
    return Outcome(ranking, ranking[0])


def to_beat(state: State) -> int:
    """The example scores of the four cards together (Solo Mode)."""
    return sum(state.box.cards[card].example_score(state.two_large_gaps) for card in state.goals)


def _sheet(state: State, seat: int, *, own: bool) -> SeatScore:
    compartments = zip(COMPARTMENTS, state.goals, strict=False)  # no goals before the set-up
    parts = tuple(_part(state, name, card, _items(state, seat, name, own=own)) for name, card in compartments)
    return SeatScore.of(seat, parts)


def _part(state: State, compartment: Name, goal: str, items: Items) -> Part:
    card = state.box.cards[goal]
    detail = {"card": card.id, "example": card.example_score(state.two_large_gaps)}
    return Part(compartment, card.points(items, state.two_large_gaps), detail)


def _items(state: State, seat: int, compartment: Name, *, own: bool) -> Items:
    drawer = state.drawers[seat]
    items = tuple(tile.spaces for tile in drawer.compartments[COMPARTMENTS.index(compartment)])
    if own and drawer.pending is not None and drawer.pending.compartment == compartment:
        return (*items, mask_of(drawer.pending.cells))
    return items
