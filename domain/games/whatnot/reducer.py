"""The state after an event: moves tiles, cards and pawns as told, and judges nothing."""

from collections.abc import Iterable
from typing import TypeVar, assert_never

from domain.changed import put, replace, replace_at
from domain.games.whatnot import events as e
from domain.games.whatnot.state import COLUMNS, FaceDown, State, Token, Turn

Thing = TypeVar("Thing")


def evolve(state: State, event: e.Event) -> State:  # noqa: C901, PLR0911, PLR0912  one arm an event
    """The state after `event`."""
    match event:
        case e.PawnsPlaced(landscape):
            return replace(state, landscape=landscape)
        case e.CuriositiesShown(cards):
            return replace(state, curiosities=cards)
        case e.WonderShown(wonder):
            return replace(state, wonder=wonder)
        case e.SpecialReturned():
            return replace(state, shakes=state.shakes + 1)
        case e.TilesAdded(tiles):
            return replace(state, bag=state.bag - {*tiles}, outdoors=state.outdoors + tiles)
        case e.BagRefilled():
            bag, shakes = state.bag | state.discards, state.shakes + 1
            return replace(state, bag=bag, shakes=shakes, discards=frozenset(), face_down=())
        case e.ColumnChosen(seat, column, space, takes):
            return replace(_move_pawn(state, space, column), turn=Turn(seat, column, takes))
        case e.TilesDrawn(tiles=tiles):
            return _turn(replace(state, bag=state.bag - {*tiles}), drawn=_of(state).drawn + tiles)
        case e.DrawnTileShown(tile=tile):
            shown = _turn(state, drawn=_without(_of(state).drawn, tile))
            return replace(shown, outdoors=(*state.outdoors, tile))
        case e.DrawnTileDiscarded(seat, tile):
            hidden = replace(state, face_down=(*state.face_down, FaceDown(tile, seat)))
            return _discard(_turn(hidden, drawn=_without(_of(state).drawn, tile)), (tile,))
        case e.OutdoorsDiscarded():
            return _discard(replace(state, outdoors=()), state.outdoors)
        case e.TileTaken():
            return _place(state, event)
        case e.SpecialTaken(tile=tile):
            turn = _left(_of(state), tile)
            outdoors = _without(state.outdoors, tile)
            return replace(state, outdoors=outdoors, turn=replace(turn, used=(*turn.used, tile)))
        case e.SweepDiscarded(tile):
            turn = _of(state)
            swept = _turn(state, used=_without(turn.used, tile), takes=("outdoors", *turn.takes[1:]))
            return _discard(swept, (tile,))
        case e.SpecialKept(seat, tile):
            kept = _cabinet(state, seat, kept=(*state.cabinets[seat].kept, tile))
            return _turn(kept, used=_without(_of(state).used, tile))
        case e.TileFound(tile=tile):
            found = replace(state, bag=state.bag - {tile})
            return _turn(found, found=tile, takes=("found", *_of(state).takes[1:]))
        case e.TokenEarned(seat, line, points):
            return _cabinet(state, seat, tokens=(*state.cabinets[seat].tokens, Token(line, points)))
        case e.CuriosityEarned(seat, card):
            earned = _cabinet(state, seat, curiosities=(*state.cabinets[seat].curiosities, card))
            return replace(earned, curiosities=_without(state.curiosities, card))
        case e.ColumnBonusEarned(seat, points):
            return _cabinet(state, seat, column_bonus=state.cabinets[seat].column_bonus + points)
        case e.TurnEnded():
            return replace(state, turn=None)
        case e.RivalMoved(card, column, space):
            moved = _move_pawn(state, space, column)
            return replace(moved, rival_cards=(*state.rival_cards, card))
        case e.TilesRemoved(tiles):
            left = tuple(tile for tile in state.outdoors if tile not in tiles)
            return _discard(replace(state, outdoors=left), tiles)
        case e.RetirementOwed():
            return replace(state, retiring=True)
        case e.CuriositiesRetired(cards):
            left_cards = tuple(card for card in state.curiosities if card not in cards)
            return replace(state, curiosities=left_cards, retired=state.retired + cards, retiring=False)
        case e.RoundEnded(number):
            return replace(state, round=number + 1, landscape=state.columns, columns=(None,) * 5)
        case e.CabinetsFilled():
            return replace(state, over=True)
        case _:
            assert_never(event)


def _of(state: State) -> Turn:
    assert state.turn is not None  # only a turn's own events ask
    return state.turn


def _turn(state: State, **changes: object) -> State:
    return replace(state, turn=replace(_of(state), **changes))  # type: ignore[arg-type]  # named fields


def _cabinet(state: State, seat: int, **changes: object) -> State:
    return replace(state, cabinets=replace_at(state.cabinets, seat, **changes))


def _without(things: tuple[Thing, ...], gone: Thing) -> tuple[Thing, ...]:
    return tuple(thing for thing in things if thing != gone)


def _discard(state: State, tiles: Iterable[int]) -> State:
    return replace(state, discards=state.discards | {*tiles})


def _move_pawn(state: State, space: int, column: int) -> State:
    """The pawn on a landscape space goes to an action column."""
    return replace(
        state,
        landscape=put(state.landscape, space, None),
        columns=put(state.columns, column - 1, state.landscape[space]),
    )


def _left(turn: Turn, tile: int) -> Turn:
    """The turn without a tile that was drawn or found in it."""
    found = None if turn.found == tile else turn.found
    return replace(turn, drawn=_without(turn.drawn, tile), found=found)


def _place(state: State, taken: e.TileTaken) -> State:
    """The tile lies in its space; what the cabinet meets with it is remembered for the turn (W9)."""
    cabinet, turn = state.cabinets[taken.seat], _left(_of(state), taken.tile)
    spaces = put(cabinet.spaces, taken.row * COLUMNS + taken.column, taken.tile)
    return replace(
        _cabinet(state, taken.seat, spaces=spaces),
        outdoors=_without(state.outdoors, taken.tile),
        turn=replace(turn, takes=turn.takes[1:], met=turn.met + taken.met),
    )
