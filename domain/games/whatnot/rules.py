"""What a command causes, in rulebook order: select an action, add to the cabinet, claim rewards, clean up."""

from typing import NoReturn, assert_never

from domain.chance import Chance
from domain.errors import RuleBroken, listed
from domain.fields import check_bounds
from domain.game import Story
from domain.games.whatnot import events as e
from domain.games.whatnot.bag import add_to_outdoors, draw, draw_in_private
from domain.games.whatnot.commands import ChooseColumn, Command, RetireCuriosities, TakeRivalTurn, TakeTile
from domain.games.whatnot.legal import TAKES, candidates, retiring_choice, vacant_columns
from domain.games.whatnot.refusals import WhatnotRefusal
from domain.games.whatnot.rewards import newly_met, rewards
from domain.games.whatnot.rival import move_rival, remove_tiles
from domain.games.whatnot.state import COLUMNS, RIVAL, State, Turn

Tale = Story[State, e.Event]
PREPARED = 4  # tiles added in Prepare, by column 5 and by a sweep
RETIRED = 2  # curiosity cards turned face down between solo rounds


def tell(story: Tale, command: Command, seat: int, chance: Chance) -> None:
    """Let happen what a command of a seat causes; RuleBroken if the rules refuse it."""
    state = story.state
    check_bounds(command)
    if isinstance(command, TakeRivalTurn) != (state.solo and seat == RIVAL):
        raise RuleBroken(
            WhatnotRefusal.RIVALS_OWN,
            "Only the rival can send take_rival_turn, and it can send nothing else.",
        )
    match command:
        case ChooseColumn(column):
            choose_column(story, seat, column, chance)
        case TakeTile():
            take_tile(story, seat, command, chance)
        case RetireCuriosities(cards):
            retire_curiosities(story, cards)
        case TakeRivalTurn():
            take_rival_turn(story, chance)
        case _:
            assert_never(command)


def choose_column(story: Tale, seat: int, column: int, chance: Chance) -> None:
    """II A: move the pawn, then do what comes before the column's first take."""
    _expect(story.state, "choose_column")
    vacant = vacant_columns(story.state)
    if column not in vacant:
        raise RuleBroken(
            WhatnotRefusal.COLUMN_OCCUPIED,
            f"A pawn stands in column {column}. Vacant columns: {listed(vacant)}.",
        )
    story.tell(e.ColumnChosen(seat, column, story.state.acting_space, TAKES[column]))
    match column:
        case 1:
            draw_in_private(story, seat, 3, chance)
        case 2:
            draw_in_private(story, seat, 2, chance)
        case 3:
            add_to_outdoors(story, 1, chance)
        case 4:
            add_to_outdoors(story, 2, chance)
        case _:
            story.tell(e.OutdoorsDiscarded())
            add_to_outdoors(story, PREPARED, chance)


def take_tile(story: Tale, seat: int, command: TakeTile, chance: Chance) -> None:
    """II B: place an object, or use a special tile, at once; the rest of the column follows (W6, W7)."""
    turn = _expect(story.state, "take_tile")
    tiles = candidates(story.state, turn)
    if command.tile not in tiles:
        raise RuleBroken(
            WhatnotRefusal.TILE_NOT_THERE,
            f"You cannot take tile {command.tile} now. You can take: {listed(tiles)}.",
        )
    if story.state.box.tiles[command.tile].special:
        if command.row is not None or command.column is not None:
            raise RuleBroken(
                WhatnotRefusal.SPECIAL_TAKES_NO_SPACE,
                "A special tile does not go into the cabinet. Leave out row and column.",
            )
        use_special(story, seat, command.tile, chance)
        return
    row, column = _empty_space(story.state, seat, command)
    met = newly_met(story.state, turn, command.tile, row * COLUMNS + column)
    story.tell(e.TileTaken(seat, command.tile, row, column, met))
    after_take(story, seat, chance)


def use_special(story: Tale, seat: int, tile: int, chance: Chance) -> None:
    """A special tile resolves at once, the take is still owed; one drawn by it resolves likewise (W7)."""
    story.tell(e.SpecialTaken(seat, tile))
    if story.state.box.tiles[tile].kind == "sweep":
        story.tell(e.OutdoorsDiscarded())
        add_to_outdoors(story, PREPARED, chance)
        story.tell(e.SweepDiscarded(tile))
        return
    story.tell(e.SpecialKept(seat, tile))
    (found,) = draw(story, 1, chance)
    story.tell(e.TileFound(seat, found))
    if story.state.box.tiles[found].special:
        use_special(story, seat, found, chance)


def after_take(story: Tale, seat: int, chance: Chance) -> None:
    """The rest of the column's actions; after the second take the turn ends."""
    top_up(story, chance)
    turn = _turn(story.state)
    if turn.takes:
        if turn.column == 2:
            story.tell(e.DrawnTileShown(seat, turn.drawn[0]))
        return
    if turn.column == 1:
        story.tell(e.DrawnTileDiscarded(seat, turn.drawn[0]))
    for event in rewards(story.state, turn):
        story.tell(event)
    story.tell(e.TurnEnded(seat))
    after_turn(story, chance)


def take_rival_turn(story: Tale, chance: Chance) -> None:
    """Solo, II A: card, pawn, removal, top-up if that emptied the Outdoors, one tile more (W15)."""
    card = move_rival(story, chance)
    remove_tiles(story, card)
    top_up(story, chance)
    add_to_outdoors(story, 1, chance)
    after_turn(story, chance)


def top_up(story: Tale, chance: Chance) -> None:
    """In a solo match an empty Outdoors gets one tile at the end of a step (W15)."""
    if story.state.solo and not story.state.outdoors:
        add_to_outdoors(story, 1, chance)


def after_turn(story: Tale, chance: Chance) -> None:
    """III: when no pawn is left on the landscape, clean up, or end the match after the last round."""
    state = story.state
    if state.acting is not None:
        return
    if state.round == state.rounds:
        story.tell(e.CabinetsFilled())
    elif state.solo:
        clean_up_solo(story)
    else:
        story.tell(e.OutdoorsDiscarded())
        story.tell(e.RoundEnded(state.round))
        add_to_outdoors(story, PREPARED, chance)


def clean_up_solo(story: Tale) -> None:
    """Solo, III A: two curiosity cards are turned face down; the player chooses if there are more (W16)."""
    face_up = story.state.curiosities
    if len(face_up) > RETIRED:
        story.tell(e.RetirementOwed(0))
        return
    if face_up:
        story.tell(e.CuriositiesRetired(face_up))
    story.tell(e.RoundEnded(story.state.round))


def retire_curiosities(story: Tale, cards: tuple[str, ...]) -> None:
    """The two cards that the solo player turns face down (W16)."""
    _expect(story.state, "retire_curiosities")
    if cards not in retiring_choice(story.state) and cards[::-1] not in retiring_choice(story.state):
        raise RuleBroken(
            WhatnotRefusal.NOT_TWO_FACE_UP,
            f"Choose two different cards from {listed(story.state.curiosities)}.",
        )
    story.tell(e.CuriositiesRetired(cards))
    story.tell(e.RoundEnded(story.state.round))


def _expect(state: State, command: str) -> Turn:
    """The turn under way; RuleBroken if something else is owed first."""
    owed = "retire_curiosities" if state.retiring else "take_tile" if state.turn else "choose_column"
    if command != owed:
        raise RuleBroken(WhatnotRefusal.NOT_NOW, f"Send {owed} now, not {command}.")
    return state.turn or Turn(0, 0, ())


def _turn(state: State) -> Turn:
    assert state.turn is not None  # asked during a turn only
    return state.turn


def _empty_space(state: State, seat: int, command: TakeTile) -> tuple[int, int]:
    if command.row is None or command.column is None:
        raise RuleBroken(
            WhatnotRefusal.SPACE_MISSING, "An object needs a row (0 to 3) and a column (0 to 2)."
        )
    if state.cabinets[seat].spaces[command.row * COLUMNS + command.column] is not None:
        _refuse_space(state, seat, command.row, command.column)
    return command.row, command.column


def _refuse_space(state: State, seat: int, row: int, column: int) -> NoReturn:
    free = [
        f"({i // COLUMNS}, {i % COLUMNS})"
        for i, tile in enumerate(state.cabinets[seat].spaces)
        if tile is None
    ]
    raise RuleBroken(
        WhatnotRefusal.SPACE_TAKEN, f"Row {row}, column {column} is taken. Empty spaces: {', '.join(free)}."
    )
