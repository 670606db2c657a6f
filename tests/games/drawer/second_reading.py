"""An independent second reading of Junk Drawer's scoring, placing and ending, over boards drawn as text.

A board is one compartment: five strings of five characters, '.' where it is uncovered, else the letter of
the item there (one letter an item, any letters). A space is (row, column) from 0; a shape is text: '###/#..'.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations_with_replacement as stretches
from typing import NamedTuple

Board = Sequence[str]
Drawer = Mapping[str, Board]
Words = Mapping[str, str]
Space = tuple[int, int]

EVERYWHERE: set[Space] = {(row, column) for row in range(5) for column in range(5)}
INTERIOR: set[Space] = {(row, column) for row in (1, 2, 3) for column in (1, 2, 3)}
PERIMETER: set[Space] = EVERYWHERE - INTERIOR
CORNERS: set[Space] = {(0, 0), (0, 4), (4, 0), (4, 4)}
CENTER: set[Space] = {(2, 2)}


def board_of(layout: str) -> list[str]:
    """The board of a layout written with slashes, as the component table has it."""
    return layout.split("/")


def bare(board: Board) -> set[Space]:
    """The uncovered spaces (Key Terms)."""
    return {(row, column) for row, column in EVERYWHERE if board[row][column] == "."}


def covered(board: Board) -> set[Space]:
    """The spaces that have an item on them (Key Terms)."""
    return EVERYWHERE - bare(board)


def touch(these: Collection[Space], those: Collection[Space]) -> bool:
    """Whether a space of the one group shares a side with a space of the other (Key Terms, D7)."""
    return any(abs(r1 - r2) + abs(c1 - c2) == 1 for r1, c1 in these for r2, c2 in those)


def items(board: Board) -> list[set[Space]]:
    """The spaces of each item in the compartment."""
    letters = set("".join(board)) - {"."}
    return [{(r, c) for r, c in EVERYWHERE if board[r][c] == letter} for letter in sorted(letters)]


def gaps(board: Board) -> list[set[Space]]:
    """The gaps, each a puddle into which every touching puddle has run (Key Terms, D7)."""
    puddles: list[set[Space]] = []
    for space in bare(board):
        joined = [puddle for puddle in puddles if touch(puddle, {space})]
        puddles = [puddle for puddle in puddles if puddle not in joined]
        puddles.append({space}.union(*joined))
    return puddles


def gap_sizes(board: Board) -> list[int]:
    """The sizes of all gaps, largest first, followed by two zeros for gaps that are not there."""
    return [*sorted((len(gap) for gap in gaps(board)), reverse=True), 0, 0]


def item_sizes(board: Board) -> list[int]:
    """The number of spaces that each item covers."""
    return [len(item) for item in items(board)]


def lines(board: Board) -> list[str]:
    """The five rows from the left and the five columns from the top, as text."""
    return [*board, *("".join(column) for column in zip(*board, strict=True))]


def bare_in_lines(board: Board) -> list[int]:
    """How many uncovered spaces each of the five rows and five columns has."""
    return [line.count(".") for line in lines(board)]


def neighbours(board: Board) -> list[int]:
    """How many other items each item is adjacent to."""
    found = items(board)
    return [sum(touch(item, other) for other in found if other is not item) for item in found]


SPANS = [range(first, last + 1) for first, last in stretches(range(5), 2)]
RECTANGLES: list[set[Space]] = [{(r, c) for r in tall for c in wide} for tall in SPANS for wide in SPANS]


def covered_rectangle(board: Board) -> int:
    """The area of the largest rectangle along the axes that is all covered, or 0 (D9)."""
    holes = bare(board)
    return max((len(area) for area in RECTANGLES if not area & holes), default=0)


def same_sized_items(board: Board) -> int:
    """Card M8: four for each item of the commonest size, if at least two share it."""
    most = max(Counter(item_sizes(board)).values(), default=0)
    return 4 * most if most >= 2 else 0


def equal_gaps(board: Board) -> int:
    """Card H5: four for each gap of the commonest size of two or more, if at least two share it."""
    most = max(Counter(len(gap) for gap in gaps(board) if len(gap) >= 2).values(), default=0)
    return 4 * most if most >= 2 else 0


def enclosed_gap(board: Board) -> int:
    """Card H4: four a space of the largest gap that touches no perimeter space."""
    return 4 * max((len(gap) for gap in gaps(board) if gap <= INTERIOR), default=0)


def mirrored_lines(board: Board) -> int:
    """Card H8: three a line, neither bare nor full, that is covered alike read from either end."""
    masks = ["".join("." if space == "." else "#" for space in line) for line in lines(board)]
    return 3 * sum(len(set(mask)) == 2 and mask == mask[::-1] for mask in masks)


SCORERS: dict[str, Callable[[Board], int]] = {
    "E1": lambda board: len(covered(board)),
    "E2": lambda board: len(bare(board)),
    "E3": lambda board: 3 * len(bare(board) & (CORNERS | CENTER)),
    "E4": lambda board: len(covered(board) & PERIMETER),
    "E5": lambda board: 4 * len(items(board)),
    "E6": lambda board: len(bare(board) & PERIMETER),
    "E7": lambda board: 3 * len(covered(board) & (CORNERS | CENTER)),
    "E8": lambda board: 2 * len(covered(board) & INTERIOR),
    "M1": lambda board: 3 * gap_sizes(board)[1],
    "M2": lambda board: 4 * len(set(item_sizes(board))),
    "M3": covered_rectangle,
    "M4": lambda board: 4 * bare_in_lines(board).count(0),
    "M5": lambda board: 2 * gap_sizes(board)[0],
    "M6": lambda board: 2 * sum(count > 0 for count in bare_in_lines(board)),
    "M7": lambda board: 3 * len(gaps(board)),
    "M8": same_sized_items,
    "H1": lambda board: 4 * neighbours(board).count(0),
    "H2": lambda board: 3 * bare_in_lines(board).count(3),
    "H3": lambda board: 5 * gap_sizes(board).count(3),
    "H4": enclosed_gap,
    "H5": equal_gaps,
    "H6": lambda board: 5 * sum(item <= INTERIOR for item in items(board)),
    "H7": lambda board: 4 * neighbours(board).count(1),
    "H8": mirrored_lines,
}


def score(card_id: str, board: Board, two_large_gaps: str = "second") -> int:
    """The points of one compartment under one organization card (Organization Cards, D7 to D9)."""
    assert [len(row) for row in board] == [5] * 5, "a compartment is five by five (D1)"
    assert two_large_gaps in ("second", "largest"), "the two readings of D8"
    if card_id == "M1" and two_large_gaps == "largest":
        return 3 * gap_sizes(board)[0]
    return SCORERS[card_id](board)


def orientations(shape: str) -> set[str]:
    """Every way a tile may lie, rotated and flipped, as text; the given one included (D1)."""
    found: set[str] = set()
    more = {shape}
    while more != found:
        found = more
        turned = {"/".join(map("".join, zip(*s.split("/")[::-1], strict=True))) for s in found}
        more = found | turned | {"/".join(row[::-1] for row in s.split("/")) for s in found}
    return found


def placements(shape: str, board: Board) -> set[frozenset[Space]]:
    """All sets of uncovered spaces that the tile can cover exactly (Playing the Game, step 2)."""
    rows = [list(enumerate(text.split("/"))) for text in orientations(shape)]
    tiles = [[(r, c) for r, row in tile for c, mark in enumerate(row) if mark == "#"] for tile in rows]
    lying = {frozenset((r + top, c + left) for r, c in tile) for tile in tiles for top, left in EVERYWHERE}
    return {spaces for spaces in lying if spaces <= bare(board)}


def can_place(item_shape: str, boards: Drawer, used: Collection[str]) -> bool:
    """Whether the item fits into some compartment that this round has not used yet (D3)."""
    return any(placements(item_shape, boards[name]) for name in boards if name not in used)


class Final(NamedTuple):
    """Totals by seat, the seats that share the win, and alone won or lost (None for more players)."""

    totals: list[int]
    winners: set[int]
    solo_won: bool | None


def final(drawers: Sequence[Drawer], cards: Words, layouts: Words, two_large_gaps: str = "second") -> Final:
    """The result from every seat's boards and the card ids, both by compartment, and the example layouts by
    card id (Final Scoring, Solo Mode, D11)."""
    totals = [sum(score(cards[name], drawer[name], two_large_gaps) for name in cards) for drawer in drawers]
    if len(totals) > 1:
        return Final(totals, {seat for seat, total in enumerate(totals) if total == max(totals)}, None)
    to_beat = sum(score(card, board_of(layouts[card]), two_large_gaps) for card in cards.values())
    return Final(totals, {0} if totals[0] > to_beat else set(), totals[0] > to_beat)
