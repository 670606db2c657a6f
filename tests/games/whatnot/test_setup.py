"""Game Setup, the first Prepare, and Solo Play Setup: W1 to W3."""

from collections import Counter

import pytest

from domain.chance import Chance
from domain.errors import RuleBroken
from domain.game import Edition
from domain.games.whatnot import GAME
from domain.games.whatnot import events as e
from domain.games.whatnot.commands import ChooseColumn
from domain.games.whatnot.components import OBJECT_TYPES, Box
from domain.games.whatnot.state import RIVAL, State
from tests.games.whatnot.table import BOX, given, pawns, then, when
from tests.playing import laid_out, seated

SEEDS = [bytes([n]) * 32 for n in range(60)]


def start(seats: int, seed: bytes = SEEDS[0], *, advanced: bool = False) -> State:
    state: State = laid_out(GAME, seated(GAME, seats, advanced=advanced), Chance(seed))
    return state


def set_up(seats: int, seed: bytes) -> tuple[e.Event, ...]:
    return GAME.setup(GAME.initial(BOX, seated(GAME, seats)), Chance(seed))


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_each_player_has_an_empty_cabinet_and_all_85_tiles_are_in_the_bag_or_outdoors_w1(seats: int) -> None:
    state = start(seats)
    assert [cabinet.spaces for cabinet in state.cabinets] == [(None,) * 12] * seats
    assert (len(state.bag), len(state.outdoors), state.discards) == (81, 4, frozenset())


@pytest.mark.parametrize("seats", [1, 2])
def test_the_advanced_setup_leaves_every_flower_tile_out_w1(seats: int) -> None:
    state = start(seats, advanced=True)
    flowers = {tile.id for tile in BOX.tiles.values() if tile.flower}
    assert flowers
    assert state.bag | {*state.outdoors} == BOX.tiles.keys() - flowers


@pytest.mark.parametrize("seats", [3, 4])
def test_three_and_four_cannot_play_the_advanced_setup_w1(seats: int) -> None:
    with pytest.raises(RuleBroken) as refused:
        start(seats, advanced=True)
    assert refused.value.code == "advanced_for_two"


def test_one_to_four_may_play() -> None:
    assert [*GAME.seats] == [1, 2, 3, 4]


def test_five_of_the_twelve_curiosity_cards_lie_face_up_and_any_may() -> None:
    rows = [start(2, seed).curiosities for seed in SEEDS]
    assert all(len(row) == len({*row}) == 5 for row in rows)
    assert {card for row in rows for card in row} == BOX.curiosities.keys()
    assert len(BOX.curiosities) == 12


def test_one_of_the_five_wonder_cards_lies_face_up_and_any_may() -> None:
    assert {start(3, seed).wonder for seed in SEEDS} == {*OBJECT_TYPES}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_starting_player_is_drawn_and_any_seat_may_be(seats: int) -> None:
    assert {start(seats, seed).landscape[0] for seed in SEEDS} == {*range(seats)}


@pytest.mark.parametrize("seats", [3, 4])
def test_the_starting_player_stands_on_space_one_the_others_clockwise_next(seats: int) -> None:
    for seed in SEEDS:
        first, *others = start(seats, seed).landscape
        assert first is not None
        clockwise = [(first + n) % seats for n in range(1, seats)]
        assert others == clockwise + [None] * (5 - seats)


def test_of_two_players_the_starting_one_stands_on_one_and_four_the_other_on_two_and_three_w3() -> None:
    assert {start(2, seed).landscape for seed in SEEDS} == {pawns("0110."), pawns("1001.")}


def test_alone_the_player_stands_on_two_and_four_and_the_rival_on_one_and_three() -> None:
    assert {start(1, seed).landscape for seed in SEEDS} == {pawns("R0R0.")}
    assert GAME.to_act(start(1)) == (RIVAL,)
    assert GAME.automata(seated(GAME, 1)) == ("Rival",)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_only_who_is_alone_has_a_rival(seats: int) -> None:
    assert GAME.automata(seated(GAME, seats)) == ()


@pytest.mark.parametrize(("seats", "rounds"), [(1, 3), (2, 3), (3, 6), (4, 6)])
def test_there_are_six_rounds_but_three_for_one_or_two_players(seats: int, rounds: int) -> None:
    state = start(seats)
    assert (state.round, state.rounds) == (1, rounds)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_no_special_tile_lies_in_the_first_outdoors_not_even_alone_w2(seats: int) -> None:
    for seed in SEEDS:
        assert not any(BOX.tiles[tile].special for tile in start(seats, seed).outdoors)


def test_a_special_tile_drawn_first_is_returned_openly_and_the_bag_shaken_before_the_next_w2() -> None:
    for seats in (1, 2):
        told = [set_up(seats, seed) for seed in SEEDS]
        seed, events = next(
            (s, t) for s, t in zip(SEEDS, told, strict=True) if type(t[3]) is e.SpecialReturned
        )
        back, added = events[3:5]
        assert back == e.SpecialReturned(Chance(seed).draw("bag/0", BOX.tiles))
        assert added == e.TilesAdded((Chance(seed).draw("bag/1", BOX.tiles),))
        assert back.tile in start(seats, seed).bag


def test_a_special_tile_may_come_to_the_outdoors_later_w2() -> None:
    state = given("", outdoors="rl rc rb rs", bag="sweep1", landscape="0....")
    assert BOX.tiles[then(state, when(state, ChooseColumn(3))).outdoors[-1]].special


def test_every_draw_of_the_set_up_can_be_redone_from_its_named_occasion() -> None:
    seed = next(seed for seed in SEEDS if len(set_up(3, seed)) == 7)  # no special tile was drawn
    chance = Chance(seed)
    first = chance.draw("first-seat", range(3))
    assert set_up(3, seed) == (
        e.PawnsPlaced((first, (first + 1) % 3, (first + 2) % 3, None, None)),
        e.CuriositiesShown(chance.shuffle("curiosities/0", BOX.curiosities)[:5]),
        e.WonderShown(chance.draw("wonder/0", OBJECT_TYPES)),
        *(e.TilesAdded((tile,)) for tile in chance.shuffle("bag/0", BOX.tiles)[:4]),
    )


def test_there_are_three_objects_of_each_colour_and_type_and_five_special_tiles_of_each_kind() -> None:
    kinds = Counter((tile.kind, tile.color, tile.type) for tile in BOX.tiles.values())
    assert sum(kinds.values()) == 85
    assert Counter(kind for kind, _, _ in kinds.elements()) == {"object": 75, "sweep": 5, "draw": 5}
    assert {count for (kind, _, _), count in kinds.items() if kind == "object"} == {3}


def test_there_are_twelve_rival_cards_each_of_a_column_and_a_way_to_slide() -> None:
    assert len(BOX.rivals) == 12
    assert {card.column for card in BOX.rivals.values()} == {1, 2, 3, 4, 5}
    assert {card.step for card in BOX.rivals.values()} == {1, -1}


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("tiles", "color", "mauve"),
        ("tiles", "type", "teapot"),
        ("tiles", "kind", "swap"),
        ("tiles", "crown", "yes"),
        ("curiosities", "points", "many"),
        ("rivals", "arrow", "up"),
        ("rivals", "removes", "teapot"),
        ("rivals", "column", None),
    ],
)
def test_an_edition_that_the_rules_cannot_read_is_refused(table: str, column: str, value: str | None) -> None:
    core = GAME.editions["core"].components
    rows = ({**core[table][0], column: value}, *core[table][1:])
    with pytest.raises(ValueError):
        Box(Edition("bent", {**core, table: rows}))
