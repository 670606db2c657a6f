"""Game End and Scoring: the parts of a score sheet, the tie-breaks, the solo chart."""

from domain.game import Json, Viewer
from domain.games.whatnot.curiosities import objects
from domain.games.whatnot.rewards import PLACE_POINTS
from domain.games.whatnot.state import State, tiles_in
from domain.score import Outcome, Part, SeatScore, ranked

CHART = (  # Solo Play Score Chart: the most points of each level
    (20, "clumsy_collector"),
    (25, "bauble_hoarder"),
    (30, "trinket_taker"),
    (35, "collectible_connoisseur"),
    (40, "knickknack_antiquary"),
    (45, "curiosity_claimant"),
)
SCORE_PARTS = {
    "tokens": "The points of your tokens, for completed lines.",
    "curiosities": "The points of the curiosity cards you earned.",
    "special_tiles": "1 point for each draw tile you kept.",
    "wonder": "1 point for each object of the wonder card's type in your cabinet.",
    "crowns": "1 point for each crown in your cabinet.",
    "landscape": "3, 2 or 1 points for each pawn that ends in column 1, 2 or 3.",
    "column_bonus": "Solo: 3, 2 or 1 points each time you choose column 1, 2 or 3.",
}
BEST_LEVEL = "relic_fanatic"
RESULTS = (*(name for _, name in CHART), BEST_LEVEL)


def score(state: State, viewer: Viewer) -> tuple[SeatScore, ...]:  # noqa: ARG001  the contract's shape
    """The score sheets as they stand; nothing hidden decides them, so every viewer sees the same."""
    return tuple(_seat_score(state, seat) for seat in range(state.players))


def outcome(state: State) -> Outcome | None:
    """Best first: points, blank tokens, then the pawn in or nearest to space 1 (W14); solo level (W18)."""
    if not state.over:
        return None
    totals = [sheet.total for sheet in score(state, None)]
    if state.solo:
        return Outcome(ranking=((0,),), winners=(0,), result=level(totals[0]))
    ranking = ranked(
        [(total, _blanks(state, seat), _nearness(state, seat)) for seat, total in enumerate(totals)]
    )
    return Outcome(ranking, winners=ranking[0])


def level(points: int) -> str:
    """The player level of the solo chart (W18)."""
    return next((name for most, name in CHART if points <= most), BEST_LEVEL)


def _seat_score(state: State, seat: int) -> SeatScore:
    cabinet = state.cabinets[seat]
    tiles = objects(tiles_in(state, cabinet))
    tokens: Json = [{"line": token.line, "points": token.points} for token in cabinet.tokens]
    cards: Json = [{"card": card, "points": state.box.curiosities[card]} for card in cabinet.curiosities]
    places = _pawns(state, seat) if state.over else []
    parts = [
        Part("tokens", sum(token.points for token in cabinet.tokens), tokens),
        Part("curiosities", sum(state.box.curiosities[card] for card in cabinet.curiosities), cards),
        Part("special_tiles", len(cabinet.kept), list(cabinet.kept)),
        Part("wonder", sum(tile.type == state.wonder for tile in tiles), state.wonder),
        Part("crowns", sum(tile.crown for tile in tiles)),
        Part("landscape", sum(PLACE_POINTS.get(place, 0) for place in places), places),
    ]
    if state.solo:
        parts.append(Part("column_bonus", cabinet.column_bonus))
    return SeatScore.of(seat, parts)


def _blanks(state: State, seat: int) -> int:
    return sum(token.points == 0 for token in state.cabinets[seat].tokens)


def _nearness(state: State, seat: int) -> list[int]:
    """The columns of a seat's pawns, of which the lowest is worth most (W14)."""
    return [-column for column in _pawns(state, seat)]


def _pawns(state: State, seat: int) -> list[int]:
    """The action columns of a seat's pawns; after the last round they count as landscape spaces (W13)."""
    return [column for column, owner in enumerate(state.columns, start=1) if owner == seat]
