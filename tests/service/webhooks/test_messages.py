"""What is told of a match: its start, each new turn, its end; and nothing else."""

import random
from typing import Any

import orjson
import pytest

from domain.games import games
from domain.match.commands import CreateMatch, Seat, TakeSeat
from service.matches.aggregate import Aggregate
from service.matches.joining import Caller, create_match, take_seat
from service.matches.play import Play
from service.matches.requests import Request
from service.store.memory_journal import MemoryJournal
from service.webhooks.messages import body, news
from service.webhooks.model import EVENTS


def played(game: str, players: int, *, open_seats: int = 0) -> tuple[Play, Aggregate]:
    """A whole match of random moves."""
    play, dice = Play(MemoryJournal()), random.Random(5)
    found = games()[game]
    names = [Seat("human", f"P{n}" if n >= open_seats else None) for n in range(players)]
    command = CreateMatch(game, found.default_edition, {}, tuple(names))
    loaded = create_match(play, found, command, Caller(), None).loaded
    for seat in range(open_seats):
        loaded = take_seat(play, loaded, TakeSeat(seat, f"Late {seat}"), Caller(), None).loaded
    while not loaded.state.over:
        if loaded.state.due_task:
            play.run(loaded.id, loaded.version, loaded.state.due_task)
        else:
            seat = dice.choice(loaded.state.to_act)
            choices = loaded.state.game.legal(loaded.state.position, seat)
            play.do(
                loaded,
                [dice.choice([c for c, _ in zip(choices, range(20), strict=False)])],
                Request(f"seat:{seat}"),
            )
        loaded = play.load(loaded.id)
    return play, loaded


def all_news(play: Play, loaded: Aggregate) -> list[tuple[int, str, Any]]:
    """The news of every version, in order."""
    told = []
    for version in range(1, loaded.version + 1):
        before, after = play.history.step(loaded.id, version)
        told += [(version, type_, more) for type_, more in news(before.match, after.state)]
    return told


@pytest.mark.parametrize("game", games())
def test_a_match_is_told_to_start_once_and_to_end_once_and_last(game: str) -> None:
    play, loaded = played(game, 2)
    told = all_news(play, loaded)
    kinds = [type_ for _, type_, _ in told]
    assert (kinds[0], kinds[-1]) == ("match.started", "match.finished")
    assert kinds.count("match.started") == kinds.count("match.finished") == 1
    assert set(kinds) <= set(EVENTS)
    assert told[0][0] == 1
    assert told[-1][0] == loaded.version


@pytest.mark.parametrize("game", games())
def test_a_turn_is_told_exactly_when_a_seat_comes_to_owe_a_decision(game: str) -> None:
    play, loaded = played(game, 2)
    turns = {
        version: more["seats"] for version, type_, more in all_news(play, loaded) if type_ == "match.turn"
    }
    for version in range(1, loaded.version + 1):
        before = play.at(loaded.id, version - 1).state.to_act if version > 1 else ()
        after = play.at(loaded.id, version).state.to_act
        assert turns.get(version, []) == sorted(set(after) - set(before))
    assert len(turns) > 1


def test_nobody_is_told_of_the_turns_of_an_automaton() -> None:
    play, loaded = played("whatnot", 1)
    seats = [more["seats"] for _, type_, more in all_news(play, loaded) if type_ == "match.turn"]
    assert seats
    assert all(told == [0] for told in seats)


def test_a_match_with_open_seats_starts_when_the_last_is_taken() -> None:
    play, loaded = played("whatnot", 3, open_seats=2)
    assert all_news(play, loaded)[0][:2] == (3, "match.started")


def test_news_are_thin_and_lead_to_the_rest() -> None:
    play, loaded = played("whatnot", 2)
    told = orjson.loads(body("match.turn", "2026-11-30T02:03:04.123Z", play.at(loaded.id, 1), {"seats": [1]}))
    assert told.keys() == {"type", "timestamp", "data"}
    assert told["data"].keys() == {"match", "version", "status", "to_act", "seats", "link"}
    assert told["data"]["link"] == f"/v1/matches/{loaded.id}?at=1"
