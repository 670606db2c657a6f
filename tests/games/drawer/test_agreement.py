"""The rules and the second reading of the rulebook agree on thousands of random compartments and matches."""

import random
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any

import pytest

from domain.chance import Chance
from domain.games.drawer import GAME
from domain.games.drawer import events as e
from domain.games.drawer.spaces import ALL, beside, mask_of
from domain.games.drawer.state import COMPARTMENTS, State
from tests.games.drawer.boards import BOX
from tests.games.drawer.scenarios import Recipe, any_placement, first_placement, play, snug_placement
from tests.games.drawer.second_reading import SCORERS, Drawer, can_place, final, placements, score
from tests.games.drawer.twin import table

BOARDS, CHUNKS = 500, 4  # 2,000 compartments in all
MATCHES = 60  # for each number of seats and variant
ITEMS = {str(row["id"]): str(row["shape"]) for row in GAME.editions["core"].components["items"]}
LETTER = dict(zip(ITEMS, "ABCDEFGHIJKLMNOPQRSTU", strict=True))
LAYOUTS = {str(row["id"]): str(row["example_layout"]) for row in GAME.editions["core"].components["cards"]}
READINGS = ("second", "largest")


def drawn(tiles: dict[str, int]) -> list[str]:
    """A compartment as text: the letter of the item on each space."""
    marks = ["."] * 25
    for item, mask in tiles.items():
        for cell in range(25):
            if mask >> cell & 1:
                assert marks[cell] == ".", "items do not overlap"
                marks[cell] = LETTER[item]
    return ["".join(marks[start : start + 5]) for start in range(0, 25, 5)]


def filled(dice: random.Random) -> dict[str, int]:
    """A compartment into which some items were put wherever they fit, or packed where they fit best."""
    tiles, snug = dict[str, int](), dice.random() < 0.3
    for item in dice.sample(sorted(ITEMS), dice.randrange(22 if snug else 10)):
        taken = reduce(or_, tiles.values(), 0)
        fitting = [mask for mask in BOX.items[item].placements.values() if not mask & taken]
        if fitting:
            loose = [(beside(mask) & ALL & ~taken & ~mask).bit_count() for mask in fitting]
            tiles[item] = fitting[loose.index(min(loose))] if snug else dice.choice(fitting)
    return tiles


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_both_readings_score_all_24_cards_alike_on_random_compartments(chunk: int) -> None:
    earned: dict[tuple[str, str], set[int]] = {(card, how): set() for card in SCORERS for how in READINGS}
    for number in range(chunk * BOARDS, (chunk + 1) * BOARDS):
        tiles = filled(random.Random(f"compartment {number}"))
        board, items = drawn(tiles), tuple(tiles.values())
        for (card, how), points in earned.items():
            points.add(score(card, board, how))
            assert BOX.cards[card].points(items, how) == score(card, board, how), f"{card} {how} {board}"
    assert BOX.cards.keys() == SCORERS.keys()
    assert min(map(len, earned.values())) >= 3, "no card earns the same everywhere"


@dataclass
class Onlooker:
    """Follows a match by its events alone, draws every drawer, and knows by itself who cannot place (D3)."""

    tiles: list[dict[str, dict[str, int]]]
    used: list[set[str]]
    unable: set[int] = field(default_factory=set)
    passed: set[int] = field(default_factory=set)
    finished: set[int] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)

    def drawer(self, seat: int) -> Drawer:
        return {name: drawn(tiles) for name, tiles in self.tiles[seat].items()}

    def tell(self, event: Any) -> None:
        self.seen.add(type(event).__name__)
        match event:
            case e.ItemTurned(item):
                assert self.finished or not self.passed, "the standard game ends with the first pass (D4)"
                self.passed = set()
                self.unable = {seat for seat in range(len(self.tiles)) if not self.can_place(seat, item)}
            case e.SeatPassed(seat):
                self.passed.add(seat)
            case e.SeatFinished(seat):
                self.finished.add(seat)
            case e.ItemsRevealed(item, placed):
                for placement in placed:
                    compartment = self.tiles[placement.seat][placement.compartment]
                    compartment[item] = mask_of(placement.cells)
                    self.used[placement.seat].add(placement.compartment)
                assert {one.seat for one in placed} == {*range(len(self.tiles))} - self.passed - self.finished
            case e.RoundEnded():
                self.used = [set() for _ in self.used]

    def can_place(self, seat: int, item: str) -> bool:
        return seat not in self.finished and can_place(ITEMS[item], self.drawer(seat), self.used[seat])

    def placements(self, seat: int, item: str) -> set[tuple[str, frozenset[tuple[int, int]]]]:
        free = {name: board for name, board in self.drawer(seat).items() if name not in self.used[seat]}
        return {(name, there) for name, board in free.items() for there in placements(ITEMS[item], board)}


def compare(recipe: Recipe) -> set[str]:
    """Who is passed, what may be placed, when it ends and who has won; says what happened."""
    seats, dice = recipe.table.seats, random.Random(recipe.seed)
    onlooker = Onlooker([{n: {} for n in COMPARTMENTS} for _ in range(seats)], [set() for _ in range(seats)])
    start = GAME.initial(BOX, recipe.table)
    for event in GAME.setup(start, Chance(bytes.fromhex(recipe.seed))):
        onlooker.tell(event)
    for step in play(recipe):
        assert onlooker.passed | onlooker.finished == onlooker.unable, "passed are those who cannot place"
        if dice.random() < 0.1:
            legal = [(c.compartment, spaces(c.cells)) for c in GAME.legal(step.before, step.seat)]
            assert len(legal) == len({*legal})
            assert {*legal} == onlooker.placements(step.seat, step.before.item)
        for event in step.events:
            onlooker.tell(event)
        end = step.after
    return onlooker.seen | compare_ends(end, onlooker)


def spaces(cells: tuple[int, ...]) -> frozenset[tuple[int, int]]:
    return frozenset(divmod(cell, 5) for cell in cells)


def compare_ends(end: State, onlooker: Onlooker) -> set[str]:
    """The result, and why the match had ended."""
    assert onlooker.passed | onlooker.finished == onlooker.unable
    seats = range(len(end.drawers))
    assert len(onlooker.unable) == len(seats) or not end.deck or (onlooker.passed and not end.individual)
    cards = dict(zip(COMPARTMENTS, end.goals, strict=True))
    drawers = [onlooker.drawer(seat) for seat in seats]
    totals, winners, won = final(drawers, cards, LAYOUTS, end.two_large_gaps)
    outcome = GAME.outcome(end)
    assert outcome is not None
    assert ([sheet.total for sheet in GAME.score(end, None)], {*outcome.winners}) == (totals, winners)
    assert outcome.result == {True: "won", False: "lost", None: None}[won]
    assert sum(outcome.ranking, ()) == tuple(sorted(seats, key=lambda seat: -totals[seat]))
    return {f"round {end.round}", f"{len(winners)} winners", f"{len(onlooker.unable)} unable"}


RANDOM = [
    pytest.param(seats, variant, id=f"{seats}-{variant}")
    for seats in (1, 2, 3, 4)
    for variant in ("standard", "individual")
]
CASES = {"standard": {"1 unable"}, "individual": {"round 6"}}
ALONE = {True: {"0 winners", "1 winners"}, False: {"1 winners", "2 winners"}}


@pytest.mark.parametrize(("seats", "variant"), RANDOM)
def test_both_readings_agree_on_who_cannot_place_what_may_be_placed_and_who_wins(
    seats: int, variant: str
) -> None:
    seen = set[str]()
    for number in range(MATCHES):
        dice = random.Random(f"{seats} {variant} {number}")
        players = tuple(dice.choice((any_placement, first_placement, snug_placement)) for _ in range(seats))
        goals = ("random", "easy", "more_more_more")[number % 3]
        laid = table(seats, variant=variant, goals=goals, two_large_gaps=READINGS[number % 2])
        seen |= compare(Recipe(laid, dice.randbytes(32).hex(), players))
    assert seen >= {"SeatPassed", f"{seats} unable"} | CASES[variant] | ALONE[seats == 1]
    assert ("SeatFinished" in seen) == (variant == "individual")
