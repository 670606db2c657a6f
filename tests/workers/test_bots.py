"""Bots: found by name, they get what a player gets, and what they choose is a command like any other."""

import random
from collections.abc import Callable, Iterator, Mapping
from types import GeneratorType
from typing import Any

import pytest
from rq import Queue

from domain.chance import Chance
from domain.games import AnyGame, games
from domain.match.actors import HOST
from domain.match.commands import BOTS, CreateMatch, Seat, SeatBot
from service.log.canonical import canonical
from service.log.export import lines
from service.log.verify import verify
from service.matches.aggregate import Aggregate
from service.matches.joining import Caller, create_match
from service.matches.play import Play
from service.matches.requests import Request
from service.redis_store.feed import Feed
from tests.playing import laid_out, play_out, twin_of
from workers import bots, jobs
from workers.named_job import job_id
from workers.relay import Relay

GAMES = pytest.mark.parametrize("game", games().values(), ids=games().keys())


def lay(play: Play, game: str, *seats: Seat, **options: Any) -> Aggregate:
    command = CreateMatch(game, "core", options, seats)
    return create_match(play, games()[game], command, Caller(), None).loaded


BOT = Seat("bot", "random")


def test_the_bots_that_can_be_asked_for_are_the_bots_there_are() -> None:
    assert bots.BOTS.keys() == {*BOTS}
    with pytest.raises(KeyError):
        bots.choose("deep_blue", {}, iter(()))


@GAMES
@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_chooses_a_legal_command_of_any_game(game: AnyGame, bot: str) -> None:
    table = next(each for each in twin_of(game).TABLES if each.seats > 1)
    for step in play_out(game, table, bytes(32), random.Random(1)):
        for seat in game.to_act(step.before):
            command = bots.choose(bot, game.view(step.before, seat), game.legal(step.before, seat))
            assert command in list(game.legal(step.before, seat))


def test_a_bot_does_not_always_choose_the_same() -> None:
    game = games()["drawer"]
    table = next(each for each in twin_of(game).TABLES if each.seats > 1)
    state = laid_out(game, table, Chance(bytes(32)))
    chosen = [bots.choose("random", game.view(state, 0), game.legal(state, 0)) for _ in range(40)]
    assert len(set(chosen)) > 1


def test_a_bot_is_given_its_own_view_and_legal_commands_and_nothing_else(play: Play) -> None:
    loaded, given = lay(play, "nonsense", BOT, BOT, BOT), list[tuple[Any, ...]]()

    def choose(bot: str, view: Mapping[str, Any], legal: Iterator[Any]) -> Any:
        given.append((bot, canonical(view), type(legal)))
        return next(legal)

    seat = loaded.state.to_act[0]
    own_view = canonical(loaded.state.game.view(loaded.state.position, seat))
    assert play.run(loaded.id, 1, "take_turn", choose)
    assert given == [("random", own_view, GeneratorType)]
    (commit,) = play.journal.read(loaded.id, 1)
    assert commit.public()["by"] == f"seat:{seat}"


def test_each_of_several_bots_that_are_to_act_at_once_gets_its_turn(play: Play) -> None:
    loaded = lay(play, "drawer", BOT, Seat("human", "Ann"), BOT, BOT)
    assert loaded.state.to_act == (0, 1, 2, 3)
    for version in (1, 2, 3):
        assert jobs.take_turn(loaded.id, version)
    loaded = play.load(loaded.id)
    assert (loaded.state.to_act, loaded.state.due_task) == ((1,), "")
    assert [entry.public()["by"] for entry in play.journal.read(loaded.id, 1)] == [
        "seat:0",
        "seat:2",
        "seat:3",
    ]


def test_a_late_or_doubled_job_of_a_bot_changes_nothing(play: Play) -> None:
    loaded = lay(play, "drawer", BOT, BOT)
    assert jobs.take_turn(loaded.id, 1)
    assert not jobs.take_turn(loaded.id, 1)
    assert not jobs.take_turn(loaded.id, 9)
    assert play.load(loaded.id).version == 2


def test_the_commit_that_seats_a_bot_calls_for_its_turn(
    play: Play, relay: Relay, feed: Feed, queued: Queue
) -> None:
    loaded = lay(play, "whatnot", Seat("human", "Ann"), Seat("human", "Bob"))
    (seat,) = loaded.state.to_act
    play.do(loaded, [SeatBot(seat, "random")], Request(HOST))
    relay.relay(feed.new(0.1))
    assert queued.job_ids == [job_id(loaded.id, 2, "take_turn")]


@GAMES
def test_relay_and_worker_play_a_match_of_bots_to_its_proof(
    game: AnyGame, play: Play, relay: Relay, feed: Feed, work: Callable[[], None]
) -> None:
    loaded = lay(play, game.name, BOT, BOT, **twin_of(game).SHORT)
    while not play.load(loaded.id).state.over:
        relay.relay(feed.new(0.1))
        work()
    loaded = play.load(loaded.id)
    assert loaded.state.status == "finished"
    entries = play.journal.read(loaded.id, 0, count=10**6)
    assert verify(lines(loaded.id, loaded.state, entries, None, loaded.names)).complete
