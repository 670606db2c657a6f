"""Scores a match of The Whatnot Cabinet from its record alone, by brute force: a check on the real rules."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations, product

Space = tuple[int, int]


@dataclass(frozen=True)
class Tile:
    """A curio tile (Components): an object, or a `sweep` or `draw` special without colour and type."""

    kind: str
    color: str | None
    type: str | None
    crown: bool


@dataclass(frozen=True)
class Placement:
    """An object put into the cabinet (Add to Cabinet, W6): row 0 to 3, column 0 to 2."""

    tile: int
    row: int
    column: int


@dataclass(frozen=True)
class PlayerTurn:
    """One turn (W7): action column 1 to 5, two placements in order, and the `draw` specials kept."""

    seat: int
    action: int
    placements: tuple[Placement, ...]
    kept: tuple[int, ...]


@dataclass(frozen=True)
class Retired:
    """Curiosity cards turned face down between solo rounds (W16)."""

    cards: tuple[str, ...]


@dataclass(frozen=True)
class Record:
    """All that the rulebook's Game End and Scoring needs to know of a match."""

    tiles: Mapping[int, Tile]
    seats: int
    solo: bool
    curiosities: tuple[str, ...]
    points: Mapping[str, int]
    wonder: str
    history: tuple[PlayerTurn | Retired, ...]
    final_pawns: Mapping[int, tuple[int, ...]]


@dataclass(frozen=True)
class Reading:
    """The outcome: tokens, cards, parts and total of each seat, the ranking (W14), the solo level (W18)."""

    tokens: tuple[dict[str, int], ...]
    curiosities: tuple[tuple[str, ...], ...]
    parts: tuple[dict[str, int], ...]
    totals: tuple[int, ...]
    ranking: tuple[int, ...]
    level: str | None


Cabinet = Mapping[Space, Tile]  # the filled spaces only
ROWS: Mapping[str, tuple[Space, ...]] = {f"row:{r}": tuple((r, c) for c in range(3)) for r in range(4)}
COLUMNS: Mapping[str, tuple[Space, ...]] = {f"column:{c}": tuple((r, c) for r in range(4)) for c in range(3)}
TYPES = ("leaf", "crystal", "bottle", "shell", "animal")
COLORS = ("red", "yellow", "green", "blue", "purple")
ROW_TOKENS = {1: 3, 3: 1}  # how many types the row shows -> points; anything else is blank (W10)
COLUMN_TOKENS = {1: 4, 4: 2}  # how many colours the column shows -> points; anything else is blank (W10)
SPACE_POINTS = {1: 3, 2: 2, 3: 1}  # landscape space (W13) and solo column bonus (W17) alike
LEVELS = (
    (20, "clumsy_collector"),
    (25, "bauble_hoarder"),
    (30, "trinket_taker"),
    (35, "collectible_connoisseur"),
    (40, "knickknack_antiquary"),
    (45, "curiosity_claimant"),
)


def types(tiles: Iterable[Tile]) -> Counter[str | None]:
    """How often each object type occurs (Color and Object Type Key)."""
    return Counter(tile.type for tile in tiles)


def colors(tiles: Iterable[Tile]) -> Counter[str | None]:
    """How often each colour occurs (Color and Object Type Key)."""
    return Counter(tile.color for tile in tiles)


def complete(cabinet: Cabinet, lines: Mapping[str, tuple[Space, ...]]) -> dict[str, list[Tile]]:
    """The objects of every line without an empty space (Earning Point Tokens)."""
    full = {name: spaces for name, spaces in lines.items() if set(spaces) <= set(cabinet)}
    return {name: [cabinet[space] for space in spaces] for name, spaces in full.items()}


def type_in_each_row(cabinet: Cabinet) -> bool:
    """W11: some way of naming four distinct types, one a row, finds each of them in its row."""
    shown = {(row, tile.type) for (row, _), tile in cabinet.items()}
    return any(set(enumerate(named)) <= shown for named in permutations(TYPES, 4))


CONDITIONS: Mapping[str, Callable[[Cabinet], bool]] = {  # Curiosity Card Appendix, W9
    "four_of_a_type": lambda cabinet: any(types(cabinet.values())[kind] >= 4 for kind in TYPES),
    "corners": lambda cabinet: set(product((0, 3), (0, 2))) <= set(cabinet),
    "type_in_each_row": type_in_each_row,
    "seven_without_a_line": lambda cabinet: len(cabinet) >= 7 and not complete(cabinet, {**ROWS, **COLUMNS}),
    "row_of_one_type_in_three_colors": lambda cabinet: any(
        len(types(line)) == 1 and len(colors(line)) == 3 for line in complete(cabinet, ROWS).values()
    ),
    "five_of_a_color": lambda cabinet: any(colors(cabinet.values())[color] >= 5 for color in COLORS),
    "four_crowns": lambda cabinet: [tile.crown for tile in cabinet.values()].count(True) >= 4,
    "row_of_each_kind": lambda cabinet: (
        {1, 3} <= {len(types(line)) for line in complete(cabinet, ROWS).values()}
    ),
    "row_and_column": lambda cabinet: bool(complete(cabinet, ROWS)) and bool(complete(cabinet, COLUMNS)),
    "column_of_one_color_in_four_types": lambda cabinet: any(
        len(colors(line)) == 1 and len(types(line)) == 4 for line in complete(cabinet, COLUMNS).values()
    ),
    "five_colors": lambda cabinet: all(colors(cabinet.values())[color] for color in COLORS),
    "column_of_each_kind": lambda cabinet: (
        {1, 4} <= {len(colors(line)) for line in complete(cabinet, COLUMNS).values()}
    ),
}


def moments(before: Cabinet, turn: PlayerTurn, tiles: Mapping[int, Tile]) -> Iterator[Cabinet]:
    """The cabinet after each placement of a turn: two objects, each into an empty space (W6, W7)."""
    assert len(turn.placements) == 2, "a turn adds exactly two objects"
    now = dict(before)
    for put in turn.placements:
        space = (put.row, put.column)
        assert space in set(product(range(4), range(3))) - set(now), "an empty space is needed"
        assert tiles[put.tile].kind == "object", "specials never enter the cabinet"
        now[space] = tiles[put.tile]
        yield dict(now)


def replay(record: Record, players: range) -> tuple[list[Cabinet], list[list[str]]]:
    """Final cabinets, and the cards each player was the first to earn (Earning Curiosity Cards, W9, W16)."""
    cabinets: list[Cabinet] = [{} for _ in players]
    earned: list[list[str]] = [[] for _ in players]
    face_up = list(record.curiosities)
    for entry in record.history:
        gone = list(entry.cards) if isinstance(entry, Retired) else []
        if isinstance(entry, PlayerTurn):
            seen = list(moments(cabinets[entry.seat], entry, record.tiles))
            gone = [card for card in face_up if any(CONDITIONS[card](moment) for moment in seen)]
            cabinets[entry.seat] = seen[-1]
            earned[entry.seat] += gone
        for card in gone:
            face_up.remove(card)
    return cabinets, earned


def line_tokens(cabinet: Cabinet) -> dict[str, int]:
    """W10: one token a complete line, rows by type and columns by colour, 0 for a blank one."""
    rows, columns = complete(cabinet, ROWS), complete(cabinet, COLUMNS)
    return {name: ROW_TOKENS.get(len(types(line)), 0) for name, line in rows.items()} | {
        name: COLUMN_TOKENS.get(len(colors(line)), 0) for name, line in columns.items()
    }


def parts_of(record: Record, seat: int, cabinet: Cabinet, cards: list[str]) -> dict[str, int]:
    """What a player adds up at the end (Game End and Scoring, W12, W13; in solo W17 as well)."""
    turns = [entry for entry in record.history if isinstance(entry, PlayerTurn) and entry.seat == seat]
    kept = [tile for turn in turns for tile in turn.kept]
    assert all(record.tiles[tile].kind == "draw" for tile in kept), "only `draw` specials are kept"
    parts = {
        "tokens": sum(line_tokens(cabinet).values()),
        "curiosities": sum(record.points[card] for card in cards),
        "special_tiles": len(kept),
        "wonder": types(cabinet.values())[record.wonder],
        "crowns": [tile.crown for tile in cabinet.values()].count(True),
        "landscape": sum(SPACE_POINTS.get(space, 0) for space in record.final_pawns[seat]),
    }
    bonus = sum(SPACE_POINTS.get(turn.action, 0) for turn in turns)
    return {**parts, "column_bonus": bonus} if record.solo else parts


def read(record: Record) -> Reading:
    """The whole result of a match (Game End and Scoring, W9 to W19); in solo the rival has none (W19)."""
    players = range(1 if record.solo else record.seats)
    cabinets, earned = replay(record, players)
    tokens = tuple(line_tokens(cabinet) for cabinet in cabinets)
    parts = tuple(parts_of(record, seat, cabinets[seat], earned[seat]) for seat in players)
    totals = tuple(sum(part.values()) for part in parts)
    blanks = [list(line_points.values()).count(0) for line_points in tokens]
    order = {seat: (-totals[seat], -blanks[seat], min(record.final_pawns[seat])) for seat in players}
    ranking = tuple(sorted(players, key=order.__getitem__))
    level = next((name for most, name in LEVELS if totals[0] <= most), "relic_fanatic")
    return Reading(tokens, tuple(map(tuple, earned)), parts, totals, ranking, level if record.solo else None)
