"""II C: what a turn earns: tokens for completed lines, curiosity cards, the solo column bonus."""

from collections.abc import Iterator

from domain.games.whatnot import events as e
from domain.games.whatnot.curiosities import CONDITIONS, colors, complete, types
from domain.games.whatnot.state import LINES, State, Turn, tiles_in

ROW_POINTS = {1: 3, 3: 1}  # by how many different types (W10)
COLUMN_POINTS = {1: 4, 4: 2}  # by how many different colours (W10)
PLACE_POINTS = {1: 3, 2: 2, 3: 1}  # columns of the journey board: landscape and solo bonus (W13, W17)


def rewards(state: State, turn: Turn) -> Iterator[e.Event]:
    """What the acting player earns at the end of the turn, in the order of the rulebook."""
    yield from _tokens(state, turn.seat)
    yield from (e.CuriosityEarned(turn.seat, card) for card in state.curiosities if card in turn.met)
    if state.solo and turn.column in PLACE_POINTS:
        yield e.ColumnBonusEarned(turn.seat, PLACE_POINTS[turn.column])


def newly_met(state: State, turn: Turn, tile: int, space: int) -> tuple[str, ...]:
    """The face-up curiosity cards that a cabinet meets with this tile, and has not met this turn (W9)."""
    before = tiles_in(state, state.cabinets[turn.seat])
    grid = (*before[:space], state.box.tiles[tile], *before[space + 1 :])
    return tuple(card for card in state.curiosities if card not in turn.met and CONDITIONS[card](grid))


def _tokens(state: State, seat: int) -> Iterator[e.Event]:
    cabinet = state.cabinets[seat]
    grid = tiles_in(state, cabinet)
    scored = {token.line for token in cabinet.tokens}
    for line, spaces in LINES.items():
        for tiles in complete(grid, [spaces]) if line not in scored else ():
            row = line.startswith("row")
            points = ROW_POINTS.get(types(tiles), 0) if row else COLUMN_POINTS.get(colors(tiles), 0)
            yield e.TokenEarned(seat, line, points)
