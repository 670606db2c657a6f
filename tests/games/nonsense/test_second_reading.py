"""Why to trust the second reading of Stuff and Nonsense: cases from the rulebook, worked out by hand."""

import pytest

from tests.games.nonsense.second_reading import (
    Dials,
    Fact,
    Professor,
    Reading,
    Table,
    adventure_error,
    adventure_score,
    legal_moves,
    read_tables,
    replay,
)

RING = ("cafe", "gift_shop", "news_stand", "pub", "antique_shop", "junk_shop")
TYPES = ("anecdote", "artifact", "fact", "hero", "photograph", "specimen")
PLACES = ("africa", "everest", "china", "antarctica", "amazon")
SHOPS = [{"shop": shop, "card_type": kind} for shop, kind in zip(RING, TYPES, strict=True)]
DESTINATIONS = [
    {"destination": "africa", "minimum_cards": 2, "stops": "1 2 3 4", "start": 3, "die_face": 2},
    {"destination": "everest", "minimum_cards": 3, "stops": "1 3 5 7", "start": 5, "die_face": 3},
    {"destination": "china", "minimum_cards": 4, "stops": "1 4 7 10", "start": 7, "die_face": 4},
    {"destination": "antarctica", "minimum_cards": 5, "stops": "2 6 10 14", "start": 10, "die_face": 5},
    {"destination": "amazon", "minimum_cards": 6, "stops": "3 8 13 18", "start": 13, "die_face": 6},
]
FROSTY_MORNING_AIR, PIKE_TWINS, LOVE_IS_BLIND, CLIMBING_GEAR, SECOND_GEAR = 1, 2, 3, 4, 5
DEIRDRE = (FROSTY_MORNING_AIR, PIKE_TWINS, LOVE_IS_BLIND, CLIMBING_GEAR)
STORY = (FROSTY_MORNING_AIR, LOVE_IS_BLIND, CLIMBING_GEAR)


def printed(card: int, kind: str, worth: str, arrow: int) -> dict[str, object]:
    """A row of the card table, from the values in the order of PLACES."""
    return {"id": card, "type": kind, "arrow": arrow, **dict(zip(PLACES, worth.split(), strict=True))}


# fmt: off
SAMPLE = read_tables([
    printed(FROSTY_MORNING_AIR, "fact", "0 1 0 2 0", 0), printed(PIKE_TWINS, "hero", "0 0 2 0 1", 0),
    printed(LOVE_IS_BLIND, "anecdote", "0 1 0 1 1", 0), printed(CLIMBING_GEAR, "artifact", "0 2 1 0 0", 0),
    printed(SECOND_GEAR, "artifact", "0 2 1 0 0", 0),
], DESTINATIONS, SHOPS)
# fmt: on


def deck(size: int = 24, worth: int = 2, arrows: dict[int, int] | None = None) -> Table:
    """Cards 1 to size, whose types go round in ring order: 1, 7, 13 lie at the cafe, 2, 8, 14 next door."""
    values, marked = f"{worth} " * 5, arrows or {}
    rows = [printed(n, TYPES[(n - 1) % 6], values, marked.get(n, 0)) for n in range(1, size + 1)]
    return read_tables(rows, DESTINATIONS, SHOPS)


def match(text: str, table: Table, professor: str = "cafe", stall: int = 200) -> Reading:
    """Two players with cards 1 and 2, the board 3 to 10, then facts as what:seat:cards:to:face."""
    record = [Fact("dealt", 0, (1,)), Fact("dealt", 1, (2,)), *(Fact("laid", -1, (n,)) for n in range(3, 11))]
    for word in text.split():
        what, seat, cards, to, face = (word + "::::").split(":")[:5]
        numbers = tuple(int(card) for card in cards.split(",") if card)
        record.append(Fact(what, int(seat or -1), numbers, to, int(face or 0)))
    ring = RING[RING.index(professor) :] + RING[: RING.index(professor)]
    return replay(record, table, ring=ring, seats=2, first=0, stall=stall)


def test_deirdre_goes_to_everest_without_the_pike_twins() -> None:
    assert adventure_error(SAMPLE, "everest", DEIRDRE, DEIRDRE) == "worthless"
    assert adventure_error(SAMPLE, "everest", DEIRDRE, STORY) is None
    assert adventure_score(SAMPLE, "everest", STORY, 5) == 4 + 5


@pytest.mark.parametrize(("destination", "cards", "error"), [
    ("everest", STORY[:2], "few"), ("everest", (), "few"), ("china", STORY[2:], "few"),
    ("moon", STORY, "destination"), ("everest", (*STORY, SECOND_GEAR), "hand"),
    ("everest", (*STORY[:2], STORY[0]), "types"),
])  # fmt: skip
def test_what_is_no_adventure_n9(destination: str, cards: tuple[int, ...], error: str) -> None:
    assert adventure_error(SAMPLE, destination, DEIRDRE, cards) == error


def test_an_adventure_has_one_card_of_a_type_n9() -> None:
    assert adventure_error(SAMPLE, "everest", range(1, 6), (*STORY, SECOND_GEAR)) == "types"
    assert adventure_error(deck(), "amazon", range(1, 7), range(1, 7)) is None
    assert adventure_error(deck(), "amazon", range(1, 8), range(1, 6)) == "few"


def test_from_a_shop_to_its_neighbours_and_the_middle() -> None:
    assert legal_moves(SAMPLE, "cafe", (), RING) == {"junk_shop", "cafe", "gift_shop"}
    assert legal_moves(SAMPLE, "pub", {PIKE_TWINS}, RING) == {"news_stand", "pub", "antique_shop", "market"}
    assert legal_moves(SAMPLE, "junk_shop", DEIRDRE, RING) == {
        "antique_shop",
        "junk_shop",
        "cafe",
        "market",
        "club",
    }


def test_staying_in_the_middle_needs_what_going_there_needs_n7_n8() -> None:
    assert legal_moves(SAMPLE, "club", (), RING) == set(RING)
    assert legal_moves(SAMPLE, "market", (), RING) == set(RING)
    assert legal_moves(SAMPLE, "club", {1, 3, 2}, RING) == {*RING, "market"}
    assert legal_moves(SAMPLE, "club", DEIRDRE, RING) == {*RING, "market", "club"}
    assert legal_moves(SAMPLE, "market", {1, 4, 5}, RING) == {*RING, "market"}  # two artifacts count as one


def test_a_dial_stops_at_both_ends_and_ignores_ones_and_the_place_just_told_n10() -> None:
    dials = Dials(SAMPLE)
    for shown in (2, 1, 1):
        dials.told("africa")
        assert dials.now["africa"] == shown
    for face, shown in ((1, 5), (2, 5), (3, 7), (3, 7)):
        dials.rolled(face, "africa")
        assert dials.now["everest"] == shown
    assert dials.now == {"africa": 1, "everest": 7, "china": 7, "antarctica": 10, "amazon": 13}
    dials.rolled(2, "everest")
    assert dials.now["africa"] == 2


def test_the_professor_walks_the_ring_and_never_the_middle_n5() -> None:
    professor = Professor(("antique_shop", "junk_shop", *RING[:4]))
    met = [professor.step(["cafe", "club", "junk_shop", "market", "cafe"]) for _ in range(3)]
    assert met == [{2}, {0, 4}, set()]


def test_entering_his_shop_costs_once_and_an_empty_shop_ends_the_turn_n3_n6() -> None:
    reading = match("moved:0::cafe", deck())
    assert (reading.owing, reading.seat) == ({0}, 0)
    text = "moved:0::cafe paid:0 took:0:7 refilled::11 moved:1::pub passed:1 moved:0::cafe"
    reading = match(text, deck())
    assert (reading.scores, reading.owing, reading.seat, reading.hands[0]) == ([-1, 0], set(), 1, {1, 7})
    assert [turn for turn, *_ in reading.before[-4:]] == [1, 1, 0, 1]


def test_a_card_paid_is_gone_and_the_empty_handed_owe_nothing_n4() -> None:
    there = "moved:0::cafe paid:0:1 passed:0 moved:1::pub passed:1 "
    reading = match(there + "moved:0::gift_shop passed:0 moved:1::pub passed:1 moved:0::cafe", deck())
    assert (reading.scores, reading.owing, reading.discards) == ([0, 0], set(), {1})


def test_an_arrow_of_the_players_or_more_moves_him_and_all_he_meets_pay_in_any_order_n11() -> None:
    table = deck(arrows={13: 1, 12: 2})
    start = "moved:0::cafe took:0:7 refilled::13 moved:1::cafe took:1:13 refilled::12 "
    assert match(start, table, "junk_shop").owing == {0, 1}
    reading = match(start + "paid:1:13 paid:0", table, "junk_shop")
    assert (reading.scores, reading.hands, reading.seat) == ([-2, 0], [{1, 7}, {2}], 0)
    assert reading.scores == match(start + "paid:0 paid:1:13", table, "junk_shop").scores
    with pytest.raises(AssertionError):
        match(start + "paid:1 moved:0::pub", table, "junk_shop")


def test_after_an_adventure_step_penalties_dial_down_die_and_a_card_n10() -> None:
    text = "moved:0::gift_shop took:0:8 refilled::14 moved:1::gift_shop took:1:14 refilled::15 "
    reading = match(text + "moved:0::club told:0:1,8:africa paid:1 rolled::::3 drew:0:16", deck())
    assert (reading.scores, reading.hands, reading.seat) == ([2 + 2 + 3, -2], [{16}, {2, 14}], 1)
    told = {**SAMPLE.start, "africa": 2}
    rolled = {**told, "everest": 7}
    # as they were when the payment, the roll, the draw and the next move were due
    assert [dials for _, _, _, dials, _ in reading.before[-4:]] == [SAMPLE.start, told, rolled, rolled]
    assert reading.professor.ring[0] == "gift_shop"


def test_reaching_the_target_ends_the_match_at_once_n10() -> None:
    text = "moved:0::gift_shop took:0:8 refilled::14 moved:1::pub passed:1 moved:0::club told:0:1,8:africa"
    reading = match(text, deck(worth=40))
    assert (reading.scores, reading.winners, reading.dials.now["africa"]) == ([83, 0], {0}, 3)
    assert (reading.professor.ring[0], reading.seat) == ("cafe", 0)
    with pytest.raises(AssertionError):
        match(text + " rolled::::1", deck(worth=40))


def test_nothing_to_draw_waits_for_the_next_discards_n12() -> None:
    text = "moved:0::cafe took:0:7 moved:1::market traded:1:2 drew:1:2 moved:0::gift_shop took:0:8 "
    text += "moved:1::antique_shop passed:1 moved:0::club told:0:1,8:africa paid:1 rolled::::1"
    reading = match(text, deck(10), "pub")
    assert (len(reading.board), reading.discards, reading.hands) == (6, {1, 8}, [{7}, {2}])
    reading = match(text + " refilled::8 refilled::1", deck(10), "pub")
    assert (len(reading.board), reading.deck, reading.discards, reading.seat) == (8, set(), set(), 1)


def test_too_many_turns_without_an_adventure_end_it_and_the_best_share_it_n14() -> None:
    assert match("moved:0::pub passed:0 moved:1::pub passed:1", deck(), stall=2).winners == {0, 1}
    assert match("moved:0::cafe paid:0 passed:0 moved:1::pub passed:1", deck(), stall=2).winners == {1}
    assert match("moved:0::pub passed:0 moved:1::pub passed:1", deck(), stall=0).winners == set()


@pytest.mark.parametrize("text", [
    "moved:1::pub", "moved:0::club", "moved:0::news_stand took:0:5", "moved:0::pub paid:0",
    "moved:0::cafe passed:0", "moved:0::cafe paid:0:2", "moved:0::market passed:0",
    "moved:0::market traded:0:2", "moved:0::pub took:0:4 moved:1::pub", "moved:0::pub refilled::11",
    "moved:0::pub passed:0 refilled::11", "moved:0::pub passed:0:4", "moved:0::pub took:0",
    "moved:0::pub passed:0 moved:0::cafe",
])  # fmt: skip
def test_a_record_that_breaks_a_rule_is_contradicted(text: str) -> None:
    with pytest.raises(AssertionError):
        match(text, deck())
