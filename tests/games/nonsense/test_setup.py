"""Setting Up: N1 and N2, and what is in the box."""

from collections import Counter
from dataclasses import replace

import pytest

from domain.chance import Chance
from domain.errors import RuleBroken
from domain.game import Edition, check_options
from domain.games.nonsense import GAME
from domain.games.nonsense import events as e
from domain.games.nonsense.components import Box
from domain.games.nonsense.state import State
from tests.games.nonsense.table import BOX, DESTINATIONS, RING, STARTS, kinds
from tests.playing import laid_out, seated

SEEDS = [bytes([n]) * 32 for n in range(60)]


def start(seats: int, seed: bytes = SEEDS[0]) -> State:
    state: State = laid_out(GAME, seated(GAME, seats), Chance(seed))
    return state


@pytest.mark.parametrize(("seats", "target"), [(2, 80), (3, 60), (4, 50), (5, 40), (6, 40), (7, 40), (8, 40)])
def test_n1_two_to_eight_may_play_each_number_for_its_own_target(seats: int, target: int) -> None:
    assert seats in GAME.seats
    assert start(seats).target == target


def test_n1_neither_one_nor_nine_may_play() -> None:
    assert GAME.seats == range(2, 9)


def test_n1_the_six_shops_lie_in_a_ring_whose_order_is_drawn_and_then_fixed() -> None:
    rings = [start(2, seed).ring for seed in SEEDS]
    assert all(sorted(ring) == sorted(RING) for ring in rings)
    assert len(set(rings)) > 50


def test_n2_the_professor_may_start_at_any_shop_and_any_seat_may_be_first() -> None:
    starts = [start(5, seed) for seed in SEEDS]
    assert {state.professor for state in starts} == {*RING}
    assert {state.turn for state in starts} == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("seats", GAME.seats)
def test_n2_every_pawn_is_in_the_club_with_one_card_in_hand_and_eight_lie_in_the_shops(seats: int) -> None:
    state = start(seats)
    assert [player.place for player in state.players] == ["club"] * seats
    assert [len(player.hand) for player in state.players] == [1] * seats
    assert (len(state.face_up), len(state.deck), state.discards) == (8, 84 - 8 - seats, frozenset())
    assert [player.points for player in state.players] == [0] * seats


def test_cards_lie_at_the_shop_of_their_type() -> None:
    state = start(2)
    there = {shop: state.at_shop(shop) for shop in RING}
    assert sum(map(len, there.values())) == 8
    for shop, kind in [("pub", "hero"), ("gift_shop", "artifact"), ("news_stand", "fact")]:
        assert all(BOX.cards[card].type == kind for card in there[shop])


@pytest.mark.parametrize("seed", SEEDS[:20])
def test_n2_arrows_of_the_first_eight_cards_move_no_professor_and_nobody_pays(seed: bytes) -> None:
    events = GAME.setup(GAME.initial(BOX, seated(GAME, 2)), Chance(seed))
    told = ["ShopsArranged", "ProfessorPlaced", "FirstPlayerChosen", *["CardDealt"] * 2, *["CardAdded"] * 8]
    assert kinds(events) == told


def test_every_draw_of_the_set_up_can_be_redone_from_its_named_occasion() -> None:
    chance = Chance(SEEDS[7])
    events = GAME.setup(GAME.initial(BOX, seated(GAME, 3)), chance)
    cards = chance.shuffle("deck/0", BOX.cards)[:11]
    assert events == (
        e.ShopsArranged(chance.shuffle("ring/0", RING)),
        e.ProfessorPlaced(chance.draw("professor/0", RING)),
        e.FirstPlayerChosen(chance.draw("first-seat", range(3))),
        *(e.CardDealt(seat, cards[seat]) for seat in range(3)),
        *(e.CardAdded(BOX.shop_of(card), card) for card in cards[3:]),
    )


def test_the_dials_show_their_starting_values() -> None:
    assert start(2).dials == STARTS
    assert tuple(BOX.destinations) == DESTINATIONS


def test_the_stall_limit_is_an_option_from_none_to_ten_thousand() -> None:
    assert check_options(GAME, {}) == {"stall_limit": 200}
    for limit in (0, 1, 10_000):
        assert seated(GAME, 2, stall_limit=limit).options["stall_limit"] == limit
    for beyond in (-1, 10_001, True, "none"):
        with pytest.raises(RuleBroken):
            check_options(GAME, {"stall_limit": beyond})


def test_there_are_84_cards_fourteen_of_each_of_the_six_types() -> None:
    assert sorted(BOX.cards) == list(range(1, 85))
    assert Counter(c.type for c in BOX.cards.values()) == dict.fromkeys(BOX.types, 14)
    assert len(BOX.types) == 6


def test_the_minimum_of_a_destination_is_two_to_six_cards_and_its_die_face_the_same() -> None:
    assert [place.minimum for place in BOX.destinations.values()] == [2, 3, 4, 5, 6]
    assert [place.face for place in BOX.destinations.values()] == [2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("cards", "type", "rumour"),
        ("cards", "id", 2),
        ("cards", "arrow", "far"),
        ("cards", "africa", -1),
        ("shops", "card_type", "hero"),
        ("shops", "shop", "market"),
        ("destinations", "die_face", 6),
        ("destinations", "die_face", 1),
        ("destinations", "stops", "1 3 2"),
        ("destinations", "start", 99),
        ("destinations", "minimum_cards", 7),
    ],
)
def test_an_edition_whose_tables_do_not_fit_is_refused(table: str, column: str, value: int | str) -> None:
    core = GAME.editions["core"].components
    rows = ({**core[table][0], column: value}, *core[table][1:])
    with pytest.raises(ValueError):
        Box(Edition("bent", {**core, table: rows}))


def test_an_edition_is_played_with_whatever_its_tables_say() -> None:
    core = GAME.editions["core"]
    dear = ({**core.components["destinations"][0], "start": 4}, *core.components["destinations"][1:])
    edition = replace(core, name="dear", components={**core.components, "destinations": dear})
    assert GAME.initial(GAME.box(edition), seated(GAME, 2)).dials == (4, *STARTS[1:])
