"""Coming and going: given what has happened to a match, who may sit down, get up, be replaced by a bot."""

import random
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.errors import MatchOver, NotYourTurn, RuleBroken
from domain.games import AnyGame, games
from domain.match.commands import (
    CloseIdleMatch,
    CloseMatch,
    LeaveSeat,
    RotateToken,
    ScoreMatch,
    SeatBot,
    StartMatch,
    TakeSeat,
)
from domain.match.events import BotSeated, MatchClosed, MatchStarted, SeatLeft, SeatTaken, TokenRotated
from domain.match.rules import HOST, REFEREE, decide, seat_name
from domain.match.state import Match
from tests.domain.table import SECRETS, after, laid, playing
from tests.playing import twin_of

GAMES = pytest.mark.parametrize("game", games().values(), ids=games().keys())


def refused(match: Match, command: Any, by: str) -> RuleBroken:
    with pytest.raises(RuleBroken) as refusal:
        decide(match, command, by, SECRETS)
    assert refusal.value.code.isidentifier()
    assert refusal.value.sentence.endswith(".")
    return refusal.value


def told(match: Match, command: Any, by: str) -> tuple[Any, ...]:
    return decide(match, command, by, SECRETS).events


def test_a_seat_left_before_the_start_is_open_again() -> None:
    match = laid("Ann", None)
    assert told(match, LeaveSeat(0), "seat:0") == (SeatLeft(0),)
    left = after(match, (LeaveSeat(0), "seat:0"))
    assert (left.status, left.free, left.admits("seat:0")) == ("open", (0, 1), False)
    taken = after(left, (TakeSeat(0, "Bob", "00ff"), "seat:0"))
    assert (taken.seats[0].name, taken.seats[0].entropy) == ("Bob", "00ff")


def test_entropy_of_who_left_before_the_start_is_gone_with_him() -> None:
    match = after(laid(None, None), (TakeSeat(0, "Ann", "aa"), "seat:0"), (LeaveSeat(0), "seat:0"))
    assert match.seats[0].entropy is None
    assert after(match, (SeatBot(0, "random"), HOST)).seats[0].entropy is None


@GAMES
def test_a_match_waits_for_a_seat_that_was_left_until_somebody_takes_it_as_it_is(game: AnyGame) -> None:
    match = playing(game)
    seat = match.to_act[0]
    left = after(match, (LeaveSeat(seat), seat_name(seat)))
    assert (left.status, left.free, left.to_act, left.due_task) == ("playing", (seat,), match.to_act, "")
    assert left.position == match.position
    command = next(game.legal(left.position, seat))
    with pytest.raises(NotYourTurn):
        decide(left, command, seat_name(seat), SECRETS)
    assert told(left, TakeSeat(seat, "Zoe"), seat_name(seat)) == (SeatTaken(seat, "Zoe", None),)
    back = after(left, (TakeSeat(seat, "Zoe"), seat_name(seat)))
    assert (back.position, back.seats[seat].name) == (match.position, "Zoe")
    assert told(back, command, seat_name(seat)) == told(match, command, seat_name(seat))


def test_who_takes_over_brings_no_entropy_and_what_was_brought_stays() -> None:
    match = after(laid("Ann", None), (TakeSeat(1, "Bob", "beef"), "seat:1"), (LeaveSeat(1), "seat:1"))
    assert refused(match, TakeSeat(1, "Cy", "00"), "seat:1").code == "too_late_for_entropy"
    for again in ((TakeSeat(1, "Cy"), "seat:1"), (SeatBot(1, "random"), HOST)):
        assert after(match, again).seats[1].entropy == "beef"


def test_nobody_gets_up_from_anothers_seat_or_an_empty_one() -> None:
    match = playing(games()["whatnot"])
    for by in ("seat:1", HOST, REFEREE, "spectator:1", "seat:9"):
        assert refused(match, LeaveSeat(0), by).code == "own_seat_only"
    left = after(match, (LeaveSeat(0), "seat:0"))
    assert refused(left, LeaveSeat(0), "seat:0").code == "own_seat_only"
    assert refused(match, LeaveSeat(7), "seat:7").code == "own_seat_only"


@GAMES
def test_a_bot_takes_a_players_place_and_the_match_calls_for_its_turn(game: AnyGame) -> None:
    match = playing(game)
    seat = match.to_act[0]
    assert told(match, SeatBot(seat, "random"), HOST) == (BotSeated(seat, "random"),)
    kicked = after(match, (SeatBot(seat, "random"), HOST))
    assert (kicked.seats[seat].kind, kicked.due_task, kicked.free) == ("bot", "take_turn", ())
    assert not kicked.admits(seat_name(seat))
    full = refused(kicked, TakeSeat(seat, "Eve"), seat_name(seat))
    assert (full.code, full.sentence) == ("seat_taken", "No seat is open.")
    assert refused(kicked, SeatBot(seat, "random"), HOST).code == "no_players_seat"


def test_only_the_host_seats_bots_starts_and_closes() -> None:
    match = laid("Ann", None)
    for command in (SeatBot(1, "random"), StartMatch(), CloseMatch()):
        for by in ("seat:0", "seat:1", REFEREE, "spectator:1"):
            assert refused(match, command, by).code == "host_only"


def test_only_the_referee_closes_a_match_because_it_is_idle() -> None:
    match = laid("Ann", None)
    for by in ("seat:0", HOST, "spectator:1"):
        assert refused(match, CloseIdleMatch(30), by).code == "referee_only"
    assert told(match, CloseIdleMatch(30), REFEREE) == (
        MatchClosed(SECRETS.seed.hex(), SECRETS.sealing_key.hex()),
    )
    with pytest.raises(MatchOver):
        decide(after(match, (CloseMatch(), HOST)), CloseIdleMatch(30), REFEREE, SECRETS)


def test_who_asks_for_a_seat_that_is_taken_is_told_which_are_open() -> None:
    sentence = refused(laid("Ann", None, None), TakeSeat(0, "Eve"), "seat:0").sentence
    assert sentence == "Seat 0 is not open. Open seats: 1, 2."


def test_no_bot_is_seated_where_no_player_sits() -> None:
    solo = laid("Ann")
    for seat in (1, 2, 15):  # 1 is the rival's
        assert refused(solo, SeatBot(seat, "random"), HOST).code == "no_players_seat"


def test_the_last_open_seat_given_to_a_bot_starts_the_match() -> None:
    match = laid("Ann", None, None)
    assert told(match, SeatBot(2, "random"), HOST) == (BotSeated(2, "random"),)
    events = told(after(match, (SeatBot(2, "random"), HOST)), SeatBot(1, "random"), HOST)
    assert events[:2] == (BotSeated(1, "random"), MatchStarted())
    assert len(events) > 2


def test_a_host_who_waits_no_longer_gives_every_open_seat_to_a_bot() -> None:
    match = laid(None, "Bob", None)
    events = told(match, StartMatch(), HOST)
    assert events[:3] == (BotSeated(0, "random"), BotSeated(2, "random"), MatchStarted())
    started = after(match, (StartMatch(), HOST))
    assert [seat.kind for seat in started.seats] == ["bot", "human", "bot"]
    again = refused(started, StartMatch(), HOST)
    assert (again.code, again.sentence) == ("not_open", "The match has already started.")


@GAMES
def test_a_closed_match_is_over_and_its_seed_is_told(game: AnyGame) -> None:
    match = playing(game)
    assert told(match, CloseMatch(), HOST) == (MatchClosed(SECRETS.seed.hex(), SECRETS.sealing_key.hex()),)
    closed = after(match, (CloseMatch(), HOST))
    assert (closed.status, closed.over, closed.to_act, closed.due_task) == ("closed", True, (), "")
    assert (closed.seed, closed.sealing_key) == (SECRETS.seed.hex(), SECRETS.sealing_key.hex())
    seat = match.to_act[0]
    attempts = [
        (next(game.legal(match.position, seat)), seat_name(seat)),
        (LeaveSeat(seat), seat_name(seat)),
        (SeatBot(seat, "random"), HOST),
        (CloseMatch(), HOST),
    ]
    for command, by in attempts:
        with pytest.raises(MatchOver):
            decide(closed, command, by, SECRETS)
    assert refused(closed, ScoreMatch(), REFEREE).code == "not_to_be_scored"
    assert refused(closed, StartMatch(), HOST).code == "not_open"


def test_a_match_that_has_not_started_can_be_closed_and_nobody_sits_down_any_more() -> None:
    match = after(laid("Ann", None), (CloseMatch(), HOST))
    with pytest.raises(MatchOver):
        decide(match, TakeSeat(1, "Bob"), "seat:1", SECRETS)


def test_a_token_is_rotated_by_whoever_has_one() -> None:
    match = laid("Ann", None)
    for by in (HOST, "seat:0"):
        assert told(match, RotateToken(), by) == (TokenRotated(),)
        assert after(match, (RotateToken(), by)) == match
    for by in ("seat:1", "seat:8", REFEREE, "spectator:1"):
        assert refused(match, RotateToken(), by).code == "no_token"


@GAMES
@settings(max_examples=15, deadline=None, print_blob=False)
@given(whims=st.randoms(use_true_random=False))
def test_matches_end_whoever_comes_and_goes(game: AnyGame, whims: random.Random) -> None:
    match = playing(game, whims.choice(twin_of(game).TABLES))
    while match.status == "playing":
        if whims.random() < 0.1:
            match = after(match, *_comings_and_goings(match, whims))
        seat = whims.choice(match.to_act)
        if match.seats[seat].name is None:
            match = after(match, (TakeSeat(seat, "Another"), seat_name(seat)))
        command = whims.choice(list(islice(game.legal(match.position, seat), 200)))
        match = after(match, (command, seat_name(seat)))
    assert match.status == "scoring"
    assert after(match, (ScoreMatch(), REFEREE)).over


def _comings_and_goings(match: Match, whims: random.Random) -> list[tuple[Any, str]]:
    seats = [number for number, seat in enumerate(match.seats) if seat.kind == "human"]
    if not seats:
        return []
    seat = whims.choice(seats)
    if match.seats[seat].name is None or whims.random() < 0.5:
        return [(SeatBot(seat, "random"), HOST)]
    return [(LeaveSeat(seat), seat_name(seat))]
