"""The one writer: what it decided on a stale state it decides again, and what it stores it stores whole."""

import random
from dataclasses import replace
from functools import reduce
from typing import Any

import pytest

from domain.errors import MatchOver, NotYourTurn
from domain.games.whatnot.commands import ChooseColumn, TakeTile
from domain.match.commands import ReleaseSeed, TakeSeat
from domain.match.reducer import evolve
from domain.match.rules import HOST, decide
from service.matches.aggregate import Aggregate, advance
from service.matches.history import MILESTONE
from service.matches.play import Play
from service.matches.requests import CommandRefusedError, Request, StaleVersionError
from service.matches.revision import Revision
from service.matches.views import match_document
from service.store.memory_journal import MemoryJournal
from tests.service.log.tables import choices, finished, lay, move


@pytest.fixture
def one() -> Play:
    """A process that serves matches."""
    return Play(MemoryJournal())


@pytest.fixture
def other(one: Play) -> Play:
    """Another process over the same journal."""
    return Play(one.journal)


def versions(play: Play, match: str) -> list[int]:
    return [entry.version for entry in play.journal.read(match, 0)]


def whose_turn(loaded: Aggregate) -> str:
    return choices(loaded)[0][0]


def test_a_command_decided_on_a_stale_state_is_decided_again_on_the_newest(one: Play, other: Play) -> None:
    match = lay(one, 2, vacant=2).id
    stale = other.load(match)
    one.do(one.load(match), [TakeSeat(0, "Ada")], Request("seat:0"))
    result = other.do(stale, [TakeSeat(1, "Bob")], Request("seat:1"))
    assert [entry.version for entry in result.entries] == [3]
    assert [seat["name"] for seat in match_document(result.loaded, None)["seats"]] == ["Ada", "Bob"]
    assert result.entries[0].public()["events"][1] == {
        "type": "match_started"
    }  # as only the newest state says
    assert one.load(match).state == result.loaded.state


def test_a_refusal_counts_only_if_it_was_decided_on_the_newest_state(one: Play, other: Play) -> None:
    stale = lay(one, 4)
    other.load(stale.id)
    after = stale
    while whose_turn(after) == whose_turn(stale):
        after = move(one, after).loaded
    by, command = choices(after)[0]  # refused on the stale state: it is somebody else's turn there
    assert other.do(stale, [command], Request(by)).loaded.version == after.version + 1


def test_what_only_the_stale_state_would_allow_is_refused_by_the_newest(one: Play, other: Play) -> None:
    stale = lay(one, 4)
    other.load(stale.id)
    by, command = choices(stale)[0]
    newest = one.do(stale, [command], Request(by)).loaded
    with pytest.raises(CommandRefusedError) as refused:
        other.do(stale, [command], Request(by))
    assert (refused.value.rule.code, refused.value.version) == ("not_now", 2)
    assert versions(one, stale.id) == [1, 2]
    assert other.peek(stale.id) == newest


def test_a_command_meant_for_one_version_is_taken_at_that_version_only(one: Play, other: Play) -> None:
    first = lay(one, 2)
    other.load(first.id)
    second = move(one, first).loaded
    by, command = choices(second)[0]
    for expected in (1, 3, 0):
        for play, loaded in ((one, second), (other, first)):
            with pytest.raises(StaleVersionError) as stale:
                play.do(loaded, [command], Request(by, expected=Revision(expected)))
            assert stale.value.current == Revision.of(second)
    assert versions(one, first.id) == [1, 2]
    at_2 = Request(by, expected=Revision(2))
    result = other.do(first, [command], at_2)  # the process is stale, not the command
    assert result.loaded.version == 3


def takes_of(loaded: Aggregate) -> tuple[str, list[Any]]:
    """What is left of a turn, after its column was chosen, of whoever is to act."""
    by, commands = whose_turn(loaded), list[Any]()
    while whose_turn(loaded) == by:
        commands.append(next(take for _, take in choices(loaded) if take.row is not None))
        events = decide(loaded.state, commands[-1], by, loaded.secrets).events
        loaded = replace(loaded, match=reduce(evolve, events, loaded.state))
    return by, commands


def test_a_batch_is_a_commit_for_each_command_and_stored_whole(one: Play, other: Play) -> None:
    loaded = move(one, lay(one, 4)).loaded
    by, commands = takes_of(loaded)
    result = one.do(loaded, commands, Request(by, key="key"))
    assert len(commands) == len(result.entries) > 1
    assert [entry.version for entry in result.entries] == versions(one, loaded.id)[2:]
    ids = [entry.public()["command_id"] for entry in result.entries]
    assert ids == ["key", *(f"key.{n}" for n in range(1, len(commands)))]
    assert other.load(loaded.id).state == result.loaded.state


def test_a_batch_with_one_refused_command_is_refused_whole(one: Play) -> None:
    loaded = move(one, lay(one, 4)).loaded
    by, commands = takes_of(loaded)
    rules = [*("tile_not_there" for _ in commands), "batch_reaches_past_chance"]  # by then another is to act
    for place, rule in enumerate(rules):
        spoiled = [*commands[:place], TakeTile(999), *commands[place:]]
        with pytest.raises(CommandRefusedError) as refused:
            one.do(loaded, spoiled, Request(by, key="key"))
        assert (refused.value.rule.code, refused.value.index) == (rule, place)
        assert refused.value.version == one.journal.head(loaded.id).version == 2
        assert one.journal.answer(loaded.id, "key") is None
        assert one.peek(loaded.id) == one.load(loaded.id) == loaded


def test_a_refused_command_leaves_no_trace_in_what_is_served(one: Play) -> None:
    loaded = lay(one, 2)
    before = (loaded.state, hash(loaded.state.position))
    for command in (TakeTile(999), ChooseColumn(9), ReleaseSeed(), TakeSeat(0, "Eve")):
        with pytest.raises(CommandRefusedError):
            one.do(loaded, [choices(loaded)[0][1], command], Request(whose_turn(loaded)))
        served = one.peek(loaded.id).state
        assert (served, hash(served.position)) == before


def test_nobody_moves_in_a_match_that_is_over(one: Play) -> None:
    done = finished(one, lay(one, 2), random.Random(3))
    for by in ("seat:0", "seat:1"):
        with pytest.raises(CommandRefusedError) as refused:
            one.do(done, [ChooseColumn(1)], Request(by))
        assert isinstance(refused.value.rule, MatchOver)


def test_an_actor_without_a_seat_has_no_turn(one: Play) -> None:
    loaded = lay(one, 2)
    for by in (HOST, "referee", "seat:2", "seat:", ""):
        with pytest.raises(CommandRefusedError) as refused:
            one.do(loaded, [choices(loaded)[0][1]], Request(by))
        assert isinstance(refused.value.rule, NotYourTurn)


def test_the_past_reads_the_same_in_whatever_order_it_is_asked_for(one: Play) -> None:
    done = finished(one, lay(one, 4), random.Random(5))
    entries = one.journal.read(done.id, 0)
    assert len(entries) > MILESTONE
    then = [advance(Aggregate(done.id), entries[:version]) for version in range(1, done.version + 1)]
    for version in random.Random(5).sample(range(1, done.version + 1), done.version):
        past = one.at(done.id, version)
        assert (past.version, past.hash, past.state) == (
            version,
            then[version - 1].hash,
            then[version - 1].state,
        )
        assert past.fields == one.peek(done.id).fields, "tokens are those of today"


def test_the_times_of_a_match_never_go_back_though_the_clock_is_set_back(one: Play) -> None:
    hours = iter([10, 11, 12, *range(1, 7)])  # at noon and a bit it is set back by half a day
    play = Play(one.journal, clock=lambda: next(hours, 9) * 3_600_000)
    loaded = lay(play, 2)
    for _ in range(8):
        loaded = move(play, loaded).loaded
    for process in (play, Play(one.journal, clock=lambda: 0)):
        loaded = move(process, process.load(loaded.id)).loaded
    times = [entry.public()["at"] for entry in one.journal.read(loaded.id, 0)]
    assert times == sorted(times)
    assert len(set(times)) == 3
    assert Play(one.journal).load(loaded.id).at == loaded.at == times[-1]
