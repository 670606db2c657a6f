"""The match as a viewer may see it: others' private draws and face-down discards are left out (W5)."""

from collections.abc import Mapping

from domain.game import Json, Viewer
from domain.games.whatnot.state import COLUMNS, ROWS, Cabinet, State, Turn


def view(state: State, viewer: Viewer) -> Mapping[str, Json]:
    """One shape for every viewer; what is hidden is null, known discards are listed and all are counted."""
    hidden = {tile.tile for tile in state.face_down if tile.seat != viewer}
    return {
        "advanced": state.advanced,
        "round": state.round,
        "rounds": state.rounds,
        "landscape": state.landscape,
        "columns": state.columns,
        "bag": {"size": len(state.bag), "shakes": state.shakes},
        "outdoors": state.outdoors,
        "discards": {"size": len(state.discards), "known": sorted(state.discards - hidden)},
        "face_down": [
            {"seat": tile.seat, "tile": tile.tile if tile.seat == viewer else None}
            for tile in state.face_down
        ],
        "curiosities": {"face_up": state.curiosities, "retired": state.retired},
        "wonder": state.wonder,
        "rival_cards": state.rival_cards,
        "cabinets": [_cabinet(cabinet) for cabinet in state.cabinets],
        "turn": None if state.turn is None else _turn(state.turn, viewer),
        "retiring": state.retiring,
        "over": state.over,
    }


def _cabinet(cabinet: Cabinet) -> Json:
    rows = [cabinet.spaces[row * COLUMNS : (row + 1) * COLUMNS] for row in range(ROWS)]
    return {
        "rows": rows,
        "tokens": [{"line": token.line, "points": token.points} for token in cabinet.tokens],
        "curiosities": cabinet.curiosities,
        "kept": cabinet.kept,
        "column_bonus": cabinet.column_bonus,
    }


def _turn(turn: Turn, viewer: Viewer) -> Json:
    return {
        "seat": turn.seat,
        "column": turn.column,
        "takes": turn.takes,
        "drawn": {"size": len(turn.drawn), "tiles": turn.drawn if turn.seat == viewer else None},
        "found": turn.found,
        "met": turn.met,
    }
