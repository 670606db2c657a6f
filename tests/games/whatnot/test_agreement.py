"""The rules and the second reading of the rulebook come to the same end in thousands of random matches."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from domain.chance import Chance
from domain.game import Table
from domain.games.whatnot import GAME
from domain.games.whatnot import events as e
from domain.score import Outcome, SeatScore
from tests.games.whatnot.scenarios import Recipe, anything, collector, play
from tests.games.whatnot.second_reading import (
    CONDITIONS,
    Placement,
    PlayerTurn,
    Reading,
    Record,
    Retired,
    Tile,
    read,
)
from tests.games.whatnot.twin import TABLES

EDITION = GAME.editions["core"].components
TILES = {
    row["id"]: Tile(str(row["kind"]), row["color"], row["type"], row["crown"] == 1)
    for row in EDITION["tiles"]
}
POINTS = {str(row["id"]): row["points"] for row in EDITION["curiosities"]}
MATCHES, CHUNKS = 172, 2  # so many matches a chunk, so many chunks a table: 2,064 matches in all
SEVERAL = [table for table in TABLES if table.seats > 1]
ALONE = [table for table in TABLES if table.seats == 1]


def told(recipe: Recipe) -> tuple[list[Any], Any]:
    """All events of a match, the set-up first, and the state at its end."""
    start = GAME.initial(GAME.box(GAME.editions["core"]), recipe.table)
    events = list(GAME.setup(start, Chance(bytes.fromhex(recipe.seed))))
    for step in play(recipe):
        events += step.events
    return events, step.after


def record(events: Iterable[Any], seats: int) -> Record:  # noqa: C901  one arm an event
    """What the second reading wants to know of a match, from its events alone."""
    history: list[PlayerTurn | Retired] = []
    cards, wonder = tuple[str, ...](), ""
    column, puts, kept = 0, list[Placement](), list[int]()
    pawns: dict[int, tuple[int, ...]] = {}
    for event in events:
        match event:
            case e.CuriositiesShown():
                cards = event.cards
            case e.WonderShown():
                wonder = event.object_type
            case e.ColumnChosen():
                column, puts, kept = event.column, [], []
                pawns[event.seat] = (*pawns.get(event.seat, ()), column)
            case e.RivalMoved():
                pawns[1] = (*pawns.get(1, ()), event.column)
            case e.TileTaken():
                puts.append(Placement(event.tile, event.row, event.column))
            case e.SpecialKept():
                kept.append(event.tile)
            case e.TurnEnded():
                history.append(PlayerTurn(event.seat, column, tuple(puts), tuple(kept)))
            case e.CuriositiesRetired():
                history.append(Retired(event.cards))
            case e.RoundEnded():
                pawns = {}
    return Record(TILES, seats, seats == 1, cards, POINTS, wonder, tuple(history), pawns)


def of_sheets(sheets: tuple[SeatScore, ...], outcome: Outcome | None) -> Reading:
    """The score sheets and the outcome of the rules in the words of the second reading."""
    parts = [{part.name: part for part in sheet.parts} for sheet in sheets]
    assert outcome is not None
    assert outcome.winners == outcome.ranking[0]
    assert all(len(tied) == 1 for tied in outcome.ranking), "there is always a tie-break (W14)"
    return Reading(
        tokens=tuple({token["line"]: token["points"] for token in p["tokens"].detail} for p in parts),
        curiosities=tuple(tuple(card["card"] for card in p["curiosities"].detail) for p in parts),
        parts=tuple({name: part.points for name, part in p.items()} for p in parts),
        totals=tuple(sheet.total for sheet in sheets),
        ranking=tuple(seat for (seat,) in outcome.ranking),
        level=outcome.result,
    )


def agreed(table: Table, chunk: int) -> Iterator[tuple[list[Any], Reading]]:
    """Matches of random players and of collectors in turn, each read twice, with what both readings say."""
    for number in range(chunk * MATCHES, (chunk + 1) * MATCHES):
        seed = random.Random(f"{table} {number}").randbytes(32).hex()
        events, end = told(Recipe(table, seed, (anything, collector)[number % 2]))
        reading = of_sheets(GAME.score(end, None), GAME.outcome(end))
        assert reading == read(record(events, table.seats)), f"seed {seed}"
        yield events, reading


def settled_by(reading: Reading) -> str:
    """What the first place was decided by (W14)."""
    best = [seat for seat, total in enumerate(reading.totals) if total == max(reading.totals)]
    blanks = [list(reading.tokens[seat].values()).count(0) for seat in best]
    if len(best) == 1:
        return "points"
    return "blank tokens" if blanks.count(max(blanks)) == 1 else "pawns"


def id_of(table: Table) -> str:
    return f"{table.seats}{'-advanced' if table.options['advanced'] else ''}"


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("table", SEVERAL, ids=id_of)
def test_both_readings_give_the_same_score_sheets_and_ranking(table: Table, chunk: int) -> None:
    matches = list(agreed(table, chunk))
    readings = [reading for _, reading in matches]
    assert {card for reading in readings for cards in reading.curiosities for card in cards} == {*CONDITIONS}
    assert {settled_by(reading) for reading in readings} == {"points", "blank tokens", "pawns"}
    lines = {item for reading in readings for tokens in reading.tokens for item in tokens.items()}
    assert {(line[:3], points) for line, points in lines} == {
        *((line, points) for line in ("row", "col") for points in ((0, 1, 3) if line == "row" else (0, 2, 4)))
    }
    assert any(isinstance(event, e.SpecialKept) for events, _ in matches for event in events)
    assert any(seven_and_then_a_line(events) for events, _ in matches)


def seven_and_then_a_line(events: list[Any]) -> bool:
    """Was a condition met in mid-turn that the end of the turn no longer meets (W9)?"""
    rewards = [
        event for event in events if isinstance(event, e.TokenEarned | e.CuriosityEarned | e.TurnEnded)
    ]
    return any(
        isinstance(token, e.TokenEarned) and getattr(card, "card", "") == "seven_without_a_line"
        for token, card in pairwise(rewards)
    )


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("table", ALONE, ids=id_of)
def test_both_readings_give_the_same_solo_score_and_level(table: Table, chunk: int) -> None:
    matches = list(agreed(table, chunk))
    readings = [reading for _, reading in matches]
    assert len({reading.level for reading in readings}) >= 5
    assert {len(reading.curiosities[0]) for reading in readings} >= {0, 1, 2}
    assert len({reading.parts[0]["column_bonus"] for reading in readings}) >= 8
    events = [event for events, _ in matches for event in events]
    assert any(isinstance(event, e.CuriositiesRetired) for event in events)


@pytest.mark.parametrize("bent", ["wonder", "points", "pawns", "kept", "action"])
def test_the_comparison_sees_a_single_point(bent: str) -> None:
    recipe = Recipe(ALONE[0], "0a" * 32, collector)
    events, end = told(recipe)
    sheets, right = of_sheets(GAME.score(end, None), GAME.outcome(end)), record(events, 1)
    turns = [turn for turn in right.history if isinstance(turn, PlayerTurn)]
    wrong = {
        "wonder": replace(right, wonder="none"),
        "points": replace(right, points=dict.fromkeys(POINTS, 9)),
        "pawns": replace(right, final_pawns={0: (4, 5), 1: (1, 2)}),
        "kept": replace(right, history=(replace(turns[0], kept=(*turns[0].kept, 81)), *right.history[1:])),
        "action": replace(right, history=(replace(turns[0], action=6 - turns[0].action), *right.history[1:])),
    }
    assert read(right) == sheets
    assert read(wrong[bent]) != sheets
