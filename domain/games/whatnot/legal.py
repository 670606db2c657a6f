"""Whose decision is owed, and every command that may answer it."""

from collections.abc import Iterator
from itertools import combinations

from domain.games.whatnot.commands import ChooseColumn, Command, RetireCuriosities, TakeRivalTurn, TakeTile
from domain.games.whatnot.state import ACTION_COLUMNS, COLUMNS, RIVAL, Source, State, Turn

TAKES: dict[int, tuple[Source, ...]] = {  # where each action column takes its two tiles from (II A, II B)
    1: ("drawn", "drawn"),
    2: ("drawn", "outdoors"),
    3: ("outdoors", "outdoors"),
    4: ("outdoors", "outdoors"),
    5: ("outdoors", "outdoors"),
}


def to_act(state: State) -> tuple[int, ...]:
    """The seat that owes a decision: of the turn under way, of a retirement, or of the next pawn (W4)."""
    if state.over:
        return ()
    if state.retiring:
        return (0,)
    seat = state.turn.seat if state.turn else state.acting
    return () if seat is None else (seat,)


def legal(state: State, seat: int) -> Iterator[Command]:
    """A seat's commands: columns rising; tiles as they lie, spaces row by row; pairs of cards."""
    if seat not in to_act(state):
        return
    if state.retiring:
        yield from map(RetireCuriosities, retiring_choice(state))
    elif state.turn:
        yield from _takes(state, state.turn)
    elif state.solo and seat == RIVAL:
        yield TakeRivalTurn()
    else:
        yield from map(ChooseColumn, vacant_columns(state))


def vacant_columns(state: State) -> tuple[int, ...]:
    """The action columns without a pawn."""
    return tuple(column for column in ACTION_COLUMNS if state.columns[column - 1] is None)


def candidates(state: State, turn: Turn) -> tuple[int, ...]:
    """The tiles of which the next take is."""
    match turn.takes[0]:
        case "drawn":
            return turn.drawn
        case "outdoors":
            return state.outdoors
        case "found":
            return () if turn.found is None else (turn.found,)


def retiring_choice(state: State) -> tuple[tuple[str, ...], ...]:
    """The pairs of face-up curiosity cards (W16)."""
    return tuple(combinations(state.curiosities, 2))


def _takes(state: State, turn: Turn) -> Iterator[Command]:
    spaces = state.cabinets[turn.seat].spaces
    for tile in candidates(state, turn):
        if state.box.tiles[tile].special:
            yield TakeTile(tile)
        else:
            yield from (
                TakeTile(tile, *divmod(i, COLUMNS)) for i, there in enumerate(spaces) if there is None
            )
