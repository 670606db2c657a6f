"""What is hidden and what is public: N13."""

import random
from dataclasses import fields
from typing import get_type_hints

import msgspec
import pytest

from domain.chance import Chance
from domain.errors import RuleBroken
from domain.fields import secret_fields
from domain.games.nonsense import GAME
from domain.games.nonsense import events as e
from domain.games.nonsense.commands import Command, Move, PayPenalty, TakeCard, TellAdventure, TradeCard
from domain.games.nonsense.state import State
from tests.games.nonsense.table import BOX, CHANCE, after, card, given, player
from tests.playing import play_out, seated

HERO, FACT, PHOTO = card("hero"), card("fact"), card("photograph")


def test_n13_dealt_and_drawn_cards_are_sealed_for_their_seat_and_nothing_else_is() -> None:
    kinds = {kind: [item for item in fields(kind) if "seen_by" in item.metadata] for kind in GAME.events}
    sealed = {kind: [item.name for item in items] for kind, items in kinds.items() if items}
    assert sealed == {e.CardDealt: ["card"], e.CardDrawn: ["card"]}
    assert list(secret_fields(e.CardDrawn(0, HERO))) == [("card", "seat")]


def test_n13_no_command_hides_anything_for_what_is_told_or_discarded_is_public() -> None:
    assert [item.name for kind in GAME.commands for item in fields(kind) if "seen_by" in item.metadata] == []


def test_n13_a_hand_shows_its_size_to_all_and_its_cards_to_its_owner() -> None:
    state = given(player("cafe", FACT, HERO), player("pub", PHOTO))
    views = [msgspec.to_builtins(GAME.view(state, viewer)) for viewer in (0, 1, None)]
    hands = [[player["hand"] for player in seen["players"]] for seen in views]
    shut = [{"size": 2, "cards": None}, {"size": 1, "cards": None}]
    assert hands[0] == [{"size": 2, "cards": [FACT, HERO]}, shut[1]]
    assert hands[1] == [shut[0], {"size": 1, "cards": [PHOTO]}]
    assert hands[2] == shut


def test_n13_of_the_deck_only_the_size_is_seen_and_of_the_discards_every_card() -> None:
    state = given(player("cafe"), player("pub"), discards=[FACT, HERO])
    seen = GAME.view(state, None)
    assert seen["deck"] == {"size": 84 - 8 - 2, "reshuffles": 0}
    assert seen["discards"] == {"size": 2, "cards": [FACT, HERO]}


def test_n13_what_is_taken_from_a_shop_or_discarded_stands_openly_in_the_log() -> None:
    for event in (
        e.CardTaken(0, HERO),
        e.CardTraded(0, HERO),
        e.CardForfeited(0, HERO),
        e.CardAdded("pub", HERO),
    ):
        assert list(secret_fields(event)) == []


def attempts(state: State) -> list[Command]:
    """Commands that probe: every card and place of the box."""
    cards = sorted(BOX.cards)
    ways: list[Command] = [PayPenalty(points=True), *map(Move, ("market", "club", "cafe"))]
    for number in cards:
        ways += [TakeCard(number), TradeCard(number), PayPenalty(number)]
        ways.append(TellAdventure("africa", (number, number % 84 + 1)))
    return ways


def answer(state: State, command: Command, seat: int) -> str:
    try:
        GAME.decide(state, command, seat, CHANCE)
    except RuleBroken as refused:
        return f"{refused.code}: {refused.sentence}"
    return "accepted"


@pytest.mark.parametrize("seats", [2, 5])
def test_n13_no_answer_to_a_command_depends_on_what_its_seat_cannot_see(seats: int) -> None:
    steps = list(play_out(GAME, seated(GAME, seats), bytes([9]) * 32, random.Random(9)))
    for number, step in enumerate(steps[10:200:19]):
        for seat in range(seats):
            other = GAME.imagine(BOX, GAME.view(step.before, seat), Chance(bytes([number]) * 32))
            for command in attempts(step.before):
                assert answer(step.before, command, seat) == answer(other, command, seat)


def test_a_refusal_names_no_card_of_another_hand_or_of_the_deck() -> None:
    state = given(player("market", HERO), player("pub", FACT), stage="action", deck=[PHOTO])
    answers = [answer(state, TradeCard(FACT), 0), answer(state, TradeCard(PHOTO), 0)]
    assert answers[0].replace(str(FACT), "N") == answers[1].replace(str(PHOTO), "N")


def test_an_imagined_state_deals_the_unseen_cards_anew_and_keeps_the_rest() -> None:
    state = after(given(player("pub", HERO), player("cafe", FACT, PHOTO)), Move("pub"))
    seen = GAME.view(state, 0)
    others = [GAME.imagine(BOX, seen, Chance(bytes([n]) * 32)) for n in range(8)]
    assert all(GAME.view(other, 0) == seen for other in others)
    assert len({other.players[1].hand for other in others}) > 1


@pytest.mark.parametrize("part", ["deck", "hand"])
def test_a_view_whose_cards_do_not_add_up_cannot_be_imagined(part: str) -> None:
    seen = msgspec.to_builtins(GAME.view(given(player("pub", HERO), player("cafe", FACT)), 0))
    (seen["deck"] if part == "deck" else seen["players"][1]["hand"])["size"] += 80
    with pytest.raises(ValueError, match="unseen cards"):
        GAME.imagine(BOX, seen, CHANCE)


def test_a_state_but_for_its_box_survives_being_written_down() -> None:
    types = {name: kind for name, kind in get_type_hints(State).items() if name != "box"}
    for step in play_out(GAME, seated(GAME, 5), bytes([4]) * 32, random.Random(4)):
        written = msgspec.msgpack.encode({name: getattr(step.before, name) for name in types})
        read = {
            name: msgspec.convert(value, types[name])
            for name, value in msgspec.msgpack.decode(written).items()
        }
        assert State(box=BOX, **read) == step.before
        assert hash(State(box=BOX, **read)) == hash(step.before)
