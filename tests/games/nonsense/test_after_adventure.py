"""After the Adventure: N10, step by step and in its order."""

from itertools import pairwise
from typing import Any

import pytest

from domain.games.nonsense import GAME
from domain.games.nonsense import events as e
from domain.games.nonsense.commands import PayPenalty, TellAdventure
from domain.games.nonsense.state import Player, State
from tests.games.nonsense.table import (
    CHANCE,
    DESTINATIONS,
    STARTS,
    after,
    card,
    given,
    kinds,
    player,
    then,
    when,
    worth,
)

PAIR = tuple(worth("africa", "hero", "fact"))
TALE = TellAdventure("africa", PAIR)
SPARE, NEXT, PHOTO = card("specimen"), card("specimen", nth=1), card("photograph")
POINTS = PayPenalty(points=True)
OTHER = player("market")


def telling(*others: Player, hand: tuple[int, ...] = (*PAIR, SPARE), **setting: Any) -> State:
    """Seat 0 stands in the Club with an adventure to Africa."""
    return given(player("club", *hand), *others or (OTHER,), stage="action", **setting)


def test_n10_professor_dial_down_die_dial_up_and_a_card_for_an_empty_hand_come_in_this_order() -> None:
    state = telling(hand=PAIR, die=4, deck=[NEXT])
    values = tuple(state.box.value(c, "africa") for c in PAIR)
    assert when(state, TALE) == (
        e.AdventureTold(0, "africa", PAIR, values, 3),
        e.ProfessorMoved("cafe"),
        e.DialTurned("africa", 2),
        e.DieRolled(4),
        e.DialTurned("china", 10),
        e.CardDrawn(0, NEXT),
        e.TurnEnded(0, 1, 0),
    )


def test_n10_penalties_are_settled_before_the_dial_moves() -> None:
    state = telling(player("cafe", PHOTO), player("cafe", NEXT), die=4)
    told = when(state, TALE)
    assert kinds(told) == ["AdventureTold", "ProfessorMoved", "PenaltiesOwed"]
    waiting = then(state, told)
    assert (GAME.to_act(waiting), waiting.dials, waiting.rolls) == ((1, 2), STARTS, state.rolls)
    one_left = after(waiting, (2, POINTS))
    assert (GAME.to_act(one_left), one_left.dials, one_left.rolls) == ((1,), STARTS, state.rolls)
    assert kinds(when(one_left, POINTS, 1))[1:] == ["DialTurned", "DieRolled", "DialTurned", "TurnEnded"]


def test_n10_reaching_the_target_ends_the_match_at_once() -> None:
    values = sum(given(OTHER, OTHER).box.value(c, "africa") for c in PAIR)
    rich = player("club", *PAIR, points=80 - 3 - values)
    state = given(rich, player("cafe", PHOTO), stage="action")
    events = when(state, TALE)
    assert events[1:] == (e.TargetReached(0),)
    over = then(state, events)
    assert (GAME.to_act(over), list(GAME.legal(over, 0))) == ((), [])
    assert (over.professor, over.dials) == ("news_stand", STARTS)


def test_n10_a_point_short_of_the_target_the_match_goes_on() -> None:
    values = sum(given(OTHER, OTHER).box.value(c, "africa") for c in PAIR)
    state = given(player("club", *PAIR, points=80 - 3 - values, lost=1), OTHER, stage="action")
    told = then(state, when(state, TALE))
    assert (told.players[0].points, GAME.to_act(told)) == (79, (1,))


@pytest.mark.parametrize(
    ("destination", "stops"),
    [
        ("africa", (4, 3, 2, 1, 1)),
        ("everest", (7, 5, 3, 1, 1)),
        ("china", (10, 7, 4, 1, 1)),
        ("antarctica", (14, 10, 6, 2, 2)),
        ("amazon", (18, 13, 8, 3, 3)),
    ],
)
def test_n10_the_dial_told_goes_one_stop_down_but_not_below_its_minimum(
    destination: str, stops: tuple[int, ...]
) -> None:
    where = DESTINATIONS.index(destination)
    cards = tuple(worth(destination, "anecdote", "photograph", "hero", "artifact", "specimen", "fact"))
    for shown, lower in pairwise(stops):
        dials = (*STARTS[:where], shown, *STARTS[where + 1 :])
        state = given(player("club", *cards, lost=100), OTHER, stage="action", dials=dials, die=1)
        assert then(state, when(state, TellAdventure(destination, cards))).bonus(destination) == lower


def test_n10_a_one_raises_nothing() -> None:
    state = telling(die=1)
    events = when(state, TALE)
    assert events[2:] == (e.DialTurned("africa", 2), e.DieRolled(1), e.TurnEnded(0, 1, 0))
    assert then(state, events).dials == (2, *STARTS[1:])


def test_n10_rolling_the_destination_just_told_raises_nothing() -> None:
    state = telling(die=2)
    assert then(state, when(state, TALE)).dials == (2, *STARTS[1:])


@pytest.mark.parametrize(("face", "higher"), [(3, 7), (4, 10), (5, 14), (6, 18)])
def test_n10_the_destination_rolled_goes_one_stop_up_but_not_above_its_maximum(
    face: int, higher: int
) -> None:
    state = telling(die=face)
    raised = then(state, when(state, TALE)).dials
    assert raised == (2, *(higher if n == face - 2 else STARTS[n] for n in range(1, 5)))
    at_most = telling(die=face, dials=(3, 7, 10, 14, 18))
    assert then(at_most, when(at_most, TALE)).dials == (2, 7, 10, 14, 18)


def test_n10_a_dial_at_its_end_is_not_turned_and_nothing_is_told_of_it() -> None:
    state = telling(die=6, dials=(1, 5, 7, 10, 18))
    assert kinds(when(state, TALE)) == ["AdventureTold", "ProfessorMoved", "DieRolled", "TurnEnded"]


def test_n10_a_two_raises_africa_after_another_tale() -> None:
    cards = tuple(worth("everest", "hero", "fact", "artifact"))
    state = given(player("club", *cards, SPARE), OTHER, stage="action", die=2)
    assert then(state, when(state, TellAdventure("everest", cards))).dials == (4, 3, 7, 10, 13)


def test_n10_every_roll_is_a_draw_of_one_to_six_by_its_number() -> None:
    state = telling(die=5)
    (roll,) = (event for event in when(state, TALE) if isinstance(event, e.DieRolled))
    assert roll.face == CHANCE.draw(f"die/{state.rolls + 1}", range(1, 7)) == 5
    assert then(state, when(state, TALE)).rolls == state.rolls + 1


def test_n10_a_hand_that_is_not_empty_draws_no_card() -> None:
    assert "CardDrawn" not in kinds(when(telling(), TALE))


def test_n10_the_arrow_of_the_card_drawn_by_an_emptied_hand_is_ignored() -> None:
    far = card(arrow=8)
    events = when(telling(hand=PAIR, die=1, deck=[far]), TALE)
    assert kinds(events).count("ProfessorMoved") == 1
    assert events[-2:] == (e.CardDrawn(0, far), e.TurnEnded(0, 1, 0))


def test_n12_an_emptied_hand_and_an_empty_deck_draw_from_the_discards_with_the_tale_in_them() -> None:
    state = telling(hand=PAIR, die=1, deck=[], discards=[])
    events = when(state, TALE)
    assert kinds(events)[-3:] == ["DeckReshuffled", "CardDrawn", "TurnEnded"]
    assert then(state, events).players[0].hand <= {*PAIR}
